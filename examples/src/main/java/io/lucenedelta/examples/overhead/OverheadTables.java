// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.report.ReportTable;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the probe found, in tables for people. */
final class OverheadTables {
  /** A column: its name and what stands in it. */
  private record Column(String name, Function<OverheadRow, String> text) {}

  private static final Column BATCH =
      new Column(
          "batch", row -> text(row.megabytes() < 1 ? "%.2g MB" : "%.0f MB", row.megabytes()));
  private static final Column PAGES = new Column("pages", row -> text("%,d", row.pages()));
  private static final Column THREADS = new Column("threads", row -> text("%d", row.threads()));

  private final List<OverheadRow> rows;

  OverheadTables(List<OverheadRow> rows) {
    this.rows = rows;
  }

  /** Those of every run, the most telling first. */
  List<ReportTable> all() {
    return List.of(ratios(), noise(), wall(), steps(), commits(), memory());
  }

  private ReportTable ratios() {
    return table(
        "Indexing with and without measurement",
        "Ratios are medians with "
            + beside()
            + "; 1.05 means 5 % more. Counted is the CPU taken around each step of measuring, merging"
            + " of refresh files and building of rank functions included, which only some batches"
            + " do; beside it stands the share without these two, and without keeping the order of"
            + " pages up to date as well, which is for those who ask for it."
            + (rows.stream().anyMatch(OverheadRow::isLostInNoise)
                ? " ! marks rows where two plain writers differ as much from each other as the"
                    + " measuring one does from them: there look at the counted CPU."
                : ""),
        BATCH,
        PAGES,
        THREADS,
        new Column("plain CPU", row -> seconds(row.cpu().plain())),
        new Column("measuring", row -> seconds(row.cpu().delta())),
        new Column(
            "CPU ratio", row -> spread(row.cpuRatio().delta()) + (row.isLostInNoise() ? " !" : "")),
        new Column("counted ÷ plain", row -> text("%.2f %%", 100 * row.attributedShare().median())),
        new Column("without merge, ranks", row -> text("%.2f %%", 100 * row.evenShare().median())),
        new Column("… and order", row -> text("%.2f %%", 100 * row.unorderedShare().median())),
        new Column("a page", row -> text("%.1f µs", row.attributedMicrosPerPage())));
  }

  private ReportTable noise() {
    return table(
        "Noise",
        "CPU of two plain writers beside each other, and for how long, on the wall, the compiler's"
            + " threads were at work beside the plain writers and the measuring one: an upper bound"
            + " of their CPU, which is part of that of the process, but not of an application that"
            + " has run for a while.",
        BATCH,
        THREADS,
        new Column("CPU, plain ÷ plain", row -> spread(row.cpuRatio().noise())),
        new Column(
            "compiler",
            row ->
                String.format(
                    Locale.ENGLISH,
                    "%.2f and %.2f s",
                    row.compiler().plain().median(),
                    row.compiler().delta().median())));
  }

  private ReportTable wall() {
    return table(
        "Time on the wall",
        "The whole batch, commits included; ratios as above.",
        BATCH,
        THREADS,
        new Column("plain", row -> seconds(row.wall().plain())),
        new Column("measuring", row -> seconds(row.wall().delta())),
        new Column("wall ratio", row -> spread(row.wallRatio().delta())),
        new Column("plain ÷ plain", row -> spread(row.wallRatio().noise())));
  }

  private ReportTable steps() {
    Stream<Column> steps =
        rows.get(0).microsPerPage().keySet().stream()
            .map(
                step ->
                    new Column(
                        step.replace('_', ' '),
                        row -> text("%.1f", row.microsPerPage().get(step))));
    return table(
        "Steps of measuring",
        "What is counted above, step by step: µs of CPU a page.",
        Stream.concat(Stream.of(BATCH, THREADS), steps).toArray(Column[]::new));
  }

  private ReportTable commits() {
    return table(
        "One commit",
        "Time on the wall until commit returns: it flushes what is held in memory and makes all"
            + " durable, and the measuring writer measures what was indexed since the last one."
            + " Others may index and search meanwhile; who opens a reader from the writer waits for"
            + " either. Means of a batch, medians with "
            + beside()
            + ".",
        BATCH,
        PAGES,
        THREADS,
        new Column("commits", row -> text("%,d", row.commits())),
        new Column("plain", row -> millis(row.commit().plain())),
        new Column("measuring", row -> millis(row.commit().delta())));
  }

  private ReportTable memory() {
    return table(
        "Heap and disk",
        "Heap allocated by all threads for a page of the batch; files at the end, the measurements"
            + " with the history of all rounds.",
        BATCH,
        THREADS,
        new Column("heap, plain", row -> text("%.1f KB", row.plainBytesPerPage() / 1e3)),
        new Column("measuring", row -> text("%.1f KB", row.deltaBytesPerPage() / 1e3)),
        new Column("index, plain", row -> text("%.1f MB", row.sizes().plainIndex() / 1e6)),
        new Column("measuring", row -> text("%.1f MB", row.sizes().deltaIndex() / 1e6)),
        new Column("measurements", row -> text("%.1f MB", row.sizes().measurements() / 1e6)));
  }

  /** What a user could do instead; there must be one. */
  static ReportTable of(List<Alternative> alternatives) {
    return new ReportTable(
        "What one could do instead",
        String.format(
            Locale.ENGLISH,
            "CPU a page, indexing included, all with one thread on the same batch: one of its own"
                + " of the smallest size asked for, %,d pages. Term vectors, once they are compared,"
                + " and analysing again only tell which terms changed. Searching ranks every"
                + " affected query before and after the change of each page; it was measured on a"
                + " sample, after one round that does not count.",
            alternatives.get(0).pages()),
        List.of("way", "CPU a page", "÷ plain"),
        alternatives.stream()
            .map(
                way ->
                    List.of(
                        way.described(),
                        text("%,.0f µs", way.cpuMicrosPerPage()),
                        text("%.2f", way.ratioToPlain())))
            .toList());
  }

  private ReportTable table(String title, String explanation, Column... columns) {
    return new ReportTable(
        title,
        explanation,
        Arrays.stream(columns).map(Column::name).toList(),
        rows.stream()
            .map(row -> Arrays.stream(columns).map(column -> column.text().apply(row)).toList())
            .toList());
  }

  /** What stands in brackets. */
  private String beside() {
    int repeats = rows.get(0).repeats();
    return repeats < Spread.FEW
        ? "the least and the most of " + repeats + (repeats == 1 ? " repeat" : " repeats")
        : "quartiles";
  }

  private static String seconds(Spread spread) {
    return text("%.2f s", spread.median());
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
    return Double.isFinite(spread.median() + spread.lower() + spread.upper())
        ? String.format(
            Locale.ENGLISH, "%.3f (%.3f–%.3f)", spread.median(), spread.lower(), spread.upper())
        : "—";
  }

  /** A dash where CPU is divided by none: the batch was too small for the clock. */
  private static String text(String format, Object number) {
    return number instanceof Double value && !Double.isFinite(value)
        ? "—"
        : String.format(Locale.ENGLISH, format, number);
  }
}
