// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.report.Axis;
import io.lucenedelta.examples.report.Figure;
import io.lucenedelta.examples.report.Figure.Kind;
import io.lucenedelta.examples.report.Figure.Point;
import io.lucenedelta.examples.report.Figure.Series;
import io.lucenedelta.examples.report.Figure.View;
import io.lucenedelta.examples.report.HtmlReport;
import io.lucenedelta.examples.report.ReportTable;
import io.lucenedelta.examples.report.TsvFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Writes what the probe found: {@code overhead.tsv} for machines, {@code report.html} for people.
 */
public final class OverheadFiles {
  /** What a run writes beside the page, or, of some, may write. */
  static final List<String> NAMES =
      List.of(
          "overhead.tsv",
          "alternatives.tsv",
          "figure-time.tsv",
          "figure-beyond.tsv",
          "figure-steps.tsv");

  private final List<OverheadRow> rows;
  private final List<Alternative> alternatives;
  private final String conditions;

  private OverheadFiles(List<OverheadRow> rows, List<Alternative> alternatives, String conditions) {
    this.rows = rows;
    this.alternatives = alternatives;
    this.conditions = conditions;
  }

  /**
   * The files of a run.
   *
   * @param rows at least one
   * @param alternatives what a user could do instead; empty when not measured
   * @param conditions data, machine and versions, for people to read
   */
  public static OverheadFiles of(
      List<OverheadRow> rows, List<Alternative> alternatives, String conditions) {
    return new OverheadFiles(List.copyOf(rows), List.copyOf(alternatives), conditions);
  }

  /**
   * Writes both files and the numbers of the figures into a directory, made if needed. Files of an
   * earlier run, of which the new page does not speak, are removed.
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    writeTable(directory.resolve("overhead.tsv"));
    HtmlReport page = HtmlReport.titled("What measuring costs");
    page.paragraph(
            "The same pages were indexed by Lucene's own writer and by the measuring one, in turns,"
                + " into an index that holds an older version of each page.")
        .paragraph(conditions)
        .table(table())
        .table(noise())
        .table(commits())
        .table(memory())
        .figure(timeBySize())
        .figure(ratioBySize())
        .figure(steps());
    if (!alternatives.isEmpty()) {
      writeAlternatives(directory.resolve("alternatives.tsv"));
      page.table(alternatives());
    } else {
      Files.deleteIfExists(directory.resolve("alternatives.tsv"));
    }
    page.write(directory.resolve("report.html"));
    for (String name : ScaleFiles.NAMES) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  /** What a user could do instead, for people. */
  public ReportTable alternatives() {
    return new ReportTable(
        "What one could do instead",
        "CPU a page, indexing included, on the same batch in the same run. Term vectors and analysing"
            + " again only tell which terms changed. Searching ranks every affected query before"
            + " and after the change of each page; it was measured on a sample.",
        List.of("way", "CPU a page", "÷ plain"),
        alternatives.stream()
            .map(
                way ->
                    List.of(
                        way.name(),
                        String.format(Locale.ENGLISH, "%,.0f µs", way.cpuMicrosPerPage()),
                        String.format(Locale.ENGLISH, "%.2f", way.ratioToPlain())))
            .toList());
  }

  private void writeAlternatives(Path file) throws IOException {
    TsvFile.write(
        file,
        List.of("way", "cpu_us_per_page", "ratio_to_plain"),
        table -> {
          for (Alternative way : alternatives) {
            table.row(way.name(), way.cpuMicrosPerPage(), way.ratioToPlain());
          }
        });
  }

  /** The rows for people. */
  public ReportTable table() {
    List<List<String>> lines =
        eachRow(
            row ->
                List.of(
                    String.format(Locale.ENGLISH, "%.0f MB", row.megabytes()),
                    String.format(Locale.ENGLISH, "%,d", row.pages()),
                    String.format(Locale.ENGLISH, "%d", row.threads()),
                    String.format(Locale.ENGLISH, "%.2f s", row.plainCpu().median()),
                    spread(row.cpuRatio()) + (row.isLostInNoise() ? " !" : ""),
                    String.format(Locale.ENGLISH, "%.2f %%", 100 * row.attributedShare().median()),
                    String.format(Locale.ENGLISH, "%.1f µs", row.attributedMicrosPerPage())));
    return new ReportTable(
        "Indexing with and without measurement",
        "Ratios are medians with quartiles; 1.05 means 5 % more. Counted is the CPU taken around"
            + " each step of measuring."
            + (rows.stream().anyMatch(OverheadRow::isLostInNoise)
                ? " ! marks rows where two plain writers differ as much from each other as the"
                    + " measuring one does from them: there look at the counted CPU."
                : ""),
        List.of("batch", "pages", "threads", "plain CPU", "CPU ratio", "counted ÷ plain", "a page"),
        lines);
  }

  /** The other ratios, for people. */
  public ReportTable noise() {
    List<List<String>> lines =
        eachRow(
            row ->
                List.of(
                    String.format(Locale.ENGLISH, "%.0f MB", row.megabytes()),
                    String.format(Locale.ENGLISH, "%d", row.threads()),
                    spread(row.noiseCpuRatio()),
                    spread(row.wallRatio()),
                    spread(row.noiseWallRatio()),
                    String.format(
                        Locale.ENGLISH,
                        "%.2f and %.2f s",
                        row.plainCompiler().median(),
                        row.deltaCompiler().median())));
    return new ReportTable(
        "Noise",
        "Two plain writers beside each other, time on the wall, and how long the compiler was busy"
            + " beside the plain writers and the measuring one: part of the CPU of the process, but"
            + " not of an application that has run for a while.",
        List.of(
            "batch",
            "threads",
            "CPU, plain ÷ plain",
            "wall ratio",
            "wall, plain ÷ plain",
            "compiler"),
        lines);
  }

  /** How long commits took, for people. */
  public ReportTable commits() {
    List<List<String>> lines =
        eachRow(
            row ->
                List.of(
                    String.format(Locale.ENGLISH, "%.0f MB", row.megabytes()),
                    String.format(Locale.ENGLISH, "%,d", row.pages()),
                    String.format(Locale.ENGLISH, "%d", row.threads()),
                    String.format(Locale.ENGLISH, "%,d", row.commits()),
                    millis(row.plainCommit()),
                    millis(row.deltaCommit())));
    return new ReportTable(
        "One commit",
        "Time on the wall until commit returns: it flushes what is held in memory and makes all"
            + " durable, and the measuring writer measures what was indexed since the last one."
            + " Others may index and search meanwhile; who opens a reader from the writer waits for"
            + " either. Means of a batch, medians with quartiles.",
        List.of("batch", "pages", "threads", "commits", "plain", "measuring"),
        lines);
  }

  /** What else the batches took, for people. */
  public ReportTable memory() {
    List<List<String>> lines =
        eachRow(
            row ->
                List.of(
                    String.format(Locale.ENGLISH, "%.0f MB", row.megabytes()),
                    String.format(Locale.ENGLISH, "%d", row.threads()),
                    String.format(Locale.ENGLISH, "%.1f KB", row.plainBytesPerPage() / 1e3),
                    String.format(Locale.ENGLISH, "%.1f KB", row.deltaBytesPerPage() / 1e3),
                    String.format(Locale.ENGLISH, "%.1f MB", row.sizes().plainIndex() / 1e6),
                    String.format(Locale.ENGLISH, "%.1f MB", row.sizes().deltaIndex() / 1e6),
                    String.format(Locale.ENGLISH, "%.1f MB", row.sizes().measurements() / 1e6)));
    return new ReportTable(
        "Heap and disk",
        "Heap allocated by all threads for a page of the batch; files at the end, the measurements"
            + " with the history of all rounds.",
        List.of(
            "batch",
            "threads",
            "heap, plain",
            "measuring",
            "index, plain",
            "measuring",
            "measurements"),
        lines);
  }

  private Figure timeBySize() {
    return bySize(
        "time",
        "Time to index a batch",
        "Figure 2 of the 2005 paper: time against batch size, with and without measurement. The"
            + " closer the lines, the cheaper.",
        Axis.linear("seconds"),
        List.of(
            new Curve("with measurement", row -> row.deltaWall().median()),
            new Curve("plain", row -> row.plainWall().median())));
  }

  private Figure ratioBySize() {
    return bySize(
        "beyond",
        "Cost beside the noise",
        "What the measuring writer's CPU is beyond that of the plain one, and one plain writer's"
            + " beyond that of another, identical one. Differences smaller than the wobble of the"
            + " second line mean nothing.",
        Axis.percent("CPU beyond that of plain indexing"),
        List.of(
            new Curve("measuring, of the process", row -> row.cpuRatio().median() - 1),
            new Curve("plain (noise)", row -> row.noiseCpuRatio().median() - 1),
            new Curve("measuring, counted", row -> row.attributedShare().median())));
  }

  private Figure steps() {
    Set<String> names = rows.get(0).microsPerPage().keySet();
    List<Curve> curves = new ArrayList<>();
    names.forEach(name -> curves.add(new Curve(name, row -> row.microsPerPage().get(name))));
    return bySize(
        "steps",
        "Where the cost goes",
        "CPU counted directly around each step of measuring, per page of the batch.",
        Axis.linear("microseconds a page"),
        curves);
  }

  private record Curve(String name, ToDoubleFunction<OverheadRow> value) {}

  private Figure bySize(String id, String title, String text, Axis y, List<Curve> curves) {
    List<View> views = new ArrayList<>();
    for (int threads : rows.stream().map(OverheadRow::threads).distinct().toList()) {
      List<OverheadRow> chosen = rows.stream().filter(row -> row.threads() == threads).toList();
      List<Series> series = new ArrayList<>();
      for (Curve curve : curves) {
        series.add(
            new Series(
                curve.name(),
                chosen.stream()
                    .map(row -> new Point(row.megabytes(), curve.value().applyAsDouble(row), ""))
                    .toList()));
      }
      views.add(new View(threads + (threads == 1 ? " thread" : " threads"), series));
    }
    return new Figure(id, title, text, Kind.LINES, Axis.linear("batch, MB of text"), y, views);
  }

  /** A column of the table: its name and what stands in it. */
  private record Column(String name, Function<OverheadRow, Object> value) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("batch_mb", OverheadRow::megabytes),
          new Column("pages", OverheadRow::pages),
          new Column("threads", OverheadRow::threads),
          new Column("repeats", OverheadRow::repeats),
          new Column("plain_wall_s", row -> row.plainWall().median()),
          new Column("delta_wall_s", row -> row.deltaWall().median()),
          new Column("wall_ratio", row -> row.wallRatio().median()),
          new Column("wall_ratio_q1", row -> row.wallRatio().lower()),
          new Column("wall_ratio_q3", row -> row.wallRatio().upper()),
          new Column("noise_wall_ratio", row -> row.noiseWallRatio().median()),
          new Column("commits", OverheadRow::commits),
          new Column("plain_commit_s", row -> row.plainCommit().median()),
          new Column("delta_commit_s", row -> row.deltaCommit().median()),
          new Column("plain_cpu_s", row -> row.plainCpu().median()),
          new Column("delta_cpu_s", row -> row.deltaCpu().median()),
          new Column("cpu_ratio", row -> row.cpuRatio().median()),
          new Column("cpu_ratio_q1", row -> row.cpuRatio().lower()),
          new Column("cpu_ratio_q3", row -> row.cpuRatio().upper()),
          new Column("noise_cpu_ratio", row -> row.noiseCpuRatio().median()),
          new Column("noise_cpu_ratio_q1", row -> row.noiseCpuRatio().lower()),
          new Column("noise_cpu_ratio_q3", row -> row.noiseCpuRatio().upper()),
          new Column("lost_in_noise", OverheadRow::isLostInNoise),
          new Column("plain_compiler_s", row -> row.plainCompiler().median()),
          new Column("delta_compiler_s", row -> row.deltaCompiler().median()),
          new Column("attributed_cpu_share", row -> row.attributedShare().median()),
          new Column("attributed_us_per_page", OverheadRow::attributedMicrosPerPage),
          new Column("writing_difference_us_per_page", OverheadRow::writingMicrosPerPage),
          new Column("plain_alloc_bytes_per_page", OverheadRow::plainBytesPerPage),
          new Column("delta_alloc_bytes_per_page", OverheadRow::deltaBytesPerPage),
          new Column("plain_index_bytes", row -> row.sizes().plainIndex()),
          new Column("delta_index_bytes", row -> row.sizes().deltaIndex()),
          new Column("measurement_bytes", row -> row.sizes().measurements()));

  private void writeTable(Path file) throws IOException {
    List<Column> columns = new ArrayList<>(COLUMNS);
    for (String step : rows.get(0).microsPerPage().keySet()) {
      columns.add(new Column("us_per_page_" + step, row -> row.microsPerPage().get(step)));
    }
    List<String> header = columns.stream().map(Column::name).toList();
    TsvFile.write(
        file,
        header,
        table -> {
          for (OverheadRow row : rows) {
            table.row(columns.stream().map(column -> column.value().apply(row)).toArray());
          }
        });
  }

  private List<List<String>> eachRow(Function<OverheadRow, List<String>> cells) {
    return rows.stream().map(cells).toList();
  }

  private static String millis(Spread seconds) {
    return String.format(
        Locale.ENGLISH,
        "%,.0f ms (%,.0f–%,.0f)",
        1e3 * seconds.median(),
        1e3 * seconds.lower(),
        1e3 * seconds.upper());
  }

  private static String spread(Spread spread) {
    return String.format(
        Locale.ENGLISH, "%.3f (%.3f–%.3f)", spread.median(), spread.lower(), spread.upper());
  }
}
