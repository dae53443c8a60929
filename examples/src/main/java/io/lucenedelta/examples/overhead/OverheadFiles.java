// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.report.HtmlReport;
import io.lucenedelta.examples.report.ReportTable;
import io.lucenedelta.examples.report.TsvColumns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes what the probe found: {@code overhead.tsv} for machines, {@code report.html} for people.
 */
public final class OverheadFiles {
  /** What a run writes, or may write, beside the page and its figures. */
  static final List<String> TABLES = List.of("overhead.tsv", "alternatives.tsv");

  private final List<OverheadRow> rows;
  private final List<Alternative> alternatives;
  private final int planned;
  private final String conditions;
  private final List<String> notes;

  private OverheadFiles(
      List<OverheadRow> rows,
      List<Alternative> alternatives,
      int planned,
      String conditions,
      List<String> notes) {
    this.rows = rows;
    this.alternatives = alternatives;
    this.planned = planned;
    this.conditions = conditions;
    this.notes = notes;
  }

  /**
   * The files of a run.
   *
   * @param rows at least one
   * @param alternatives what a user could do instead; empty when not measured
   * @param planned how many rows there will be, as the page says while there are fewer: nobody may
   *     take those of a run that broke off for all
   * @param conditions data, machine and versions, for people to read
   * @param notes what is to be known of the rows, clauses that end without a full stop
   */
  public static OverheadFiles of(
      List<OverheadRow> rows,
      List<Alternative> alternatives,
      int planned,
      String conditions,
      List<String> notes) {
    return new OverheadFiles(
        List.copyOf(rows), List.copyOf(alternatives), planned, conditions, List.copyOf(notes));
  }

  /**
   * Writes both files and the numbers of the figures into a directory, made if needed. Files of an
   * earlier run, of which the new page does not speak, are removed.
   */
  public void write(Path directory) throws IOException {
    Files.createDirectories(directory);
    writeTable(directory.resolve("overhead.tsv"));
    writeAlternatives(directory.resolve("alternatives.tsv"));
    page().writeInto(directory);
    Files.deleteIfExists(directory.resolve(ScaleFiles.TABLE));
  }

  private HtmlReport page() {
    HtmlReport page = HtmlReport.titled("What measuring costs");
    page.paragraph(
            "The same pages were indexed by Lucene's own writer and by the measuring one, in turns,"
                + " into an index that holds an older version of each page.")
        .paragraph(conditions + unfinished());
    notes.forEach(page::sentence);
    new OverheadTables(rows).all().forEach(page::table);
    new OverheadFigures(rows).all().forEach(page::figure);
    if (!alternatives.isEmpty()) {
      page.table(OverheadTables.of(alternatives));
    }
    return page;
  }

  private String unfinished() {
    return rows.size() >= planned
        ? ""
        : String.format(
            Locale.ENGLISH,
            " %d of %d rows measured: the run goes on, or has broken off.",
            rows.size(),
            planned);
  }

  /** For people: the rows, and what a user could do instead where that was measured. */
  public List<ReportTable> tables() {
    List<ReportTable> tables = new ArrayList<>(new OverheadTables(rows).all());
    if (!alternatives.isEmpty()) {
      tables.add(OverheadTables.of(alternatives));
    }
    return tables;
  }

  /** Only when they were measured; a file of an earlier run is removed otherwise. */
  private void writeAlternatives(Path file) throws IOException {
    if (alternatives.isEmpty()) {
      Files.deleteIfExists(file);
      return;
    }
    TsvColumns.of("way", Alternative::way)
        .and("pages", Alternative::pages)
        .and("sampled", one -> one.sample() == null ? "" : one.sample().pages())
        .and("changed", one -> one.sample() == null ? "" : one.sample().changed())
        .and("cpu_us_per_page", Alternative::cpuMicrosPerPage)
        .and("ratio_to_plain", Alternative::ratioToPlain)
        .write(file, alternatives);
  }

  private void writeTable(Path file) throws IOException {
    TsvColumns<OverheadRow> columns =
        TsvColumns.of("batch_mb", OverheadRow::megabytes)
            .and("pages", OverheadRow::pages)
            .and("threads", OverheadRow::threads)
            .and("repeats", OverheadRow::repeats)
            .and("plain_wall_s", row -> row.wall().plain().median())
            .and("delta_wall_s", row -> row.wall().delta().median())
            .and("wall_ratio", row -> row.wallRatio().delta().median())
            .and("wall_ratio_lower", row -> row.wallRatio().delta().lower())
            .and("wall_ratio_upper", row -> row.wallRatio().delta().upper())
            .and("noise_wall_ratio", row -> row.wallRatio().noise().median())
            .and("commits", OverheadRow::commits)
            .and("plain_commit_s", row -> row.commit().plain().median())
            .and("delta_commit_s", row -> row.commit().delta().median())
            .and("plain_cpu_s", row -> row.cpu().plain().median())
            .and("delta_cpu_s", row -> row.cpu().delta().median())
            .and("cpu_ratio", row -> row.cpuRatio().delta().median())
            .and("cpu_ratio_lower", row -> row.cpuRatio().delta().lower())
            .and("cpu_ratio_upper", row -> row.cpuRatio().delta().upper())
            .and("noise_cpu_ratio", row -> row.cpuRatio().noise().median())
            .and("noise_cpu_ratio_lower", row -> row.cpuRatio().noise().lower())
            .and("noise_cpu_ratio_upper", row -> row.cpuRatio().noise().upper())
            .and("lost_in_noise", OverheadRow::isLostInNoise)
            .and("plain_compiler_s", row -> row.compiler().plain().median())
            .and("delta_compiler_s", row -> row.compiler().delta().median())
            .and("attributed_cpu_share", row -> row.attributedShare().median())
            .and("attributed_cpu_share_without_merge_and_ranks", row -> row.evenShare().median())
            .and(
                "attributed_cpu_share_without_merge_ranks_and_order",
                row -> row.unorderedShare().median())
            .and("attributed_us_per_page", OverheadRow::attributedMicrosPerPage)
            .and("writing_difference_us_per_page", OverheadRow::writingMicrosPerPage)
            .and("plain_alloc_bytes_per_page", OverheadRow::plainBytesPerPage)
            .and("delta_alloc_bytes_per_page", OverheadRow::deltaBytesPerPage)
            .and("plain_index_bytes", row -> row.sizes().plainIndex())
            .and("delta_index_bytes", row -> row.sizes().deltaIndex())
            .and("measurement_bytes", row -> row.sizes().measurements());
    for (String step : rows.get(0).microsPerPage().keySet()) {
      columns = columns.and("us_per_page_" + step, row -> row.microsPerPage().get(step));
    }
    columns.write(file, rows);
  }
}
