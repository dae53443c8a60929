// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.report.ReportTable;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** What the probe found, in tables for people. */
final class OverheadTables {
  private final List<OverheadRow> rows;

  OverheadTables(List<OverheadRow> rows) {
    this.rows = rows;
  }

  /** Those of every run, the most telling first. */
  List<ReportTable> all() {
    return List.of(ratios(), noise(), commits(), memory());
  }

  private ReportTable ratios() {
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

  private ReportTable noise() {
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

  private ReportTable commits() {
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

  private ReportTable memory() {
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

  /** What a user could do instead. */
  static ReportTable of(List<Alternative> alternatives) {
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
