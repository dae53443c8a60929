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
import io.lucenedelta.examples.report.TsvColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Writes how cost grows: {@code scale.tsv} for machines, {@code report.html} for people. */
public final class ScaleFiles {
  /** What a run writes beside the page and its figure. */
  static final String TABLE = "scale.tsv";

  private static final Map<String, String> AXES =
      Map.of(
          "pages", "pages in the store",
          "segments", "segments of the index",
          "terms", "terms of the workload");

  private final List<ScaleRow> rows;
  private final String conditions;
  private final List<String> notes;

  /**
   * The files of a run.
   *
   * @param rows at least one
   * @param conditions machine and versions, for people to read
   * @param notes what is to be known of the rows, clauses that end without a full stop
   */
  public ScaleFiles(List<ScaleRow> rows, String conditions, List<String> notes) {
    this.rows = List.copyOf(rows);
    this.conditions = conditions;
    this.notes = List.copyOf(notes);
  }

  /**
   * Writes both files and the numbers of the figure into a directory. Files of an earlier run, of
   * which the new page does not speak, are removed.
   */
  public void write(Path directory) throws IOException {
    writeTable(directory.resolve(TABLE));
    HtmlReport page = HtmlReport.titled("How the cost of measuring grows");
    page.paragraph(
            "Generated pages of 60 words; a batch gives pages spread evenly over the index a wholly"
                + " different text, where there are as many pages as in five batches to pages that"
                + " had none before. CPU is counted around each step of measuring.")
        .paragraph(conditions);
    notes.forEach(page::sentence);
    page.table(table()).figure(figure()).writeInto(directory);
    for (String name : OverheadFiles.TABLES) {
      Files.deleteIfExists(directory.resolve(name));
    }
  }

  /** The rows for people. */
  public ReportTable table() {
    List<List<String>> lines = new ArrayList<>();
    for (ScaleRow row : rows) {
      lines.add(
          List.of(
              row.series(),
              String.format(Locale.ENGLISH, "%,d", row.pages()),
              String.format(Locale.ENGLISH, "%,d", row.segments()),
              String.format(Locale.ENGLISH, "%,d", row.terms()),
              String.format(Locale.ENGLISH, "%.1f", row.termsAPage()),
              String.format(Locale.ENGLISH, "%,d", row.batchPages()),
              String.format(Locale.ENGLISH, "%.1f µs", row.micros()),
              String.format(Locale.ENGLISH, "%.2f µs", row.rankMicros()),
              String.format(Locale.ENGLISH, "%.0f", row.bytesAPage())));
    }
    return new ReportTable(
        "Cost by size",
        "CPU a page of an update batch, and of building rank functions a page in the store, which is"
            + " due when every page has changed ten times, and sooner where results were replaced.",
        List.of(
            "varied", "pages", "segments", "terms", "on a page", "batch", "CPU", "ranks", "bytes"),
        lines);
  }

  private Figure figure() {
    List<View> views = new ArrayList<>();
    for (String series : rows.stream().map(ScaleRow::series).distinct().toList()) {
      ToDoubleFunction<ScaleRow> x =
          switch (series) {
            case "pages" -> ScaleRow::pages;
            case "segments" -> ScaleRow::segments;
            default -> ScaleRow::terms;
          };
      List<ScaleRow> chosen =
          rows.stream()
              .filter(row -> row.series().equals(series))
              .sorted(Comparator.comparingDouble(x)) // as lines are joined
              .toList();
      List<Series> lines = new ArrayList<>();
      lines.add(series("all steps", chosen, x, ScaleRow::micros));
      for (String step : chosen.get(0).microsByStep().keySet()) {
        lines.add(series(step, chosen, x, row -> row.microsByStep().get(step)));
      }
      views.add(new View("by " + AXES.get(series), lines));
    }
    return new Figure(
        "scale",
        "Cost a page by size",
        "Flat is what one hopes for. A larger workload has more terms on a page, so more to do.",
        Kind.LINES,
        Axis.log("size"),
        Axis.linear("CPU a page of the batch, µs"),
        views);
  }

  private static Series series(
      String name,
      List<ScaleRow> rows,
      ToDoubleFunction<ScaleRow> x,
      ToDoubleFunction<ScaleRow> y) {
    return new Series(
        name,
        rows.stream()
            .map(row -> new Point(x.applyAsDouble(row), y.applyAsDouble(row), ""))
            .toList());
  }

  private void writeTable(Path file) throws IOException {
    TsvColumns<ScaleRow> columns =
        TsvColumns.of("series", ScaleRow::series)
            .and("pages", ScaleRow::pages)
            .and("segments", ScaleRow::segments)
            .and("terms", ScaleRow::terms)
            .and("terms_per_page", ScaleRow::termsAPage)
            .and("batch_pages", ScaleRow::batchPages)
            .and("us_per_page", ScaleRow::micros)
            .and("ranks_us_per_stored_page", ScaleRow::rankMicros)
            .and("bytes_per_page", ScaleRow::bytesAPage);
    for (String step : rows.get(0).microsByStep().keySet()) {
      columns = columns.and("us_per_page_" + step, row -> row.microsByStep().get(step));
    }
    columns.write(file, rows);
  }
}
