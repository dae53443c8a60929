// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.EstimateAudit;
import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of an {@link EstimateAudit}, as files and for a terminal. */
public final class AuditFiles {
  /** The columns of {@link CurveRow#errors}, in their order. */
  private static final List<String> ERRORS =
      List.of(
          "error_rank_1",
          "error_2_3",
          "error_4_10",
          "error_11_100",
          "error_above_100",
          "error_tied",
          "error_n_up_to_3",
          "error_n_4_12",
          "error_n_13_100",
          "error_n_above_100");

  private AuditFiles() {}

  /** Writes {@code estimates.tsv}, {@code rank_functions.tsv} and {@code ageing.tsv}. */
  public static void write(EstimateAudit.Result result, Path directory) throws IOException {
    Files.createDirectories(directory);
    TsvColumns.of("estimate", EstimateRow::estimate)
        .and("against", EstimateRow::against)
        .and("refreshes", row -> row.agreement().refreshes())
        .and("spearman", row -> row.agreement().spearman())
        .and("negative", row -> row.agreement().negative())
        .and("bias", row -> row.agreement().bias())
        .write(directory.resolve("estimates.tsv"), result.estimates());
    curveColumns().write(directory.resolve("rank_functions.tsv"), result.curves());
    TsvColumns.of("frozen", AgeRow::frozen)
        .and("rebuilt_every_weeks", AgeRow::rebuiltEvery)
        .and("changes_per_page", AgeRow::changed)
        .and("refreshes", row -> row.agreement().refreshes())
        .and("spearman", row -> row.agreement().spearman())
        .and("bias", row -> row.agreement().bias())
        .write(directory.resolve("ageing.tsv"), result.ageing());
  }

  private static TsvColumns<CurveRow> curveColumns() {
    TsvColumns<CurveRow> columns =
        TsvColumns.of("curve", CurveRow::curve).and("bytes", CurveRow::bytes);
    for (int i = 0; i < ERRORS.size(); i++) {
      int band = i;
      columns = columns.and(ERRORS.get(band), row -> row.errors().get(band));
    }
    return columns.and("spearman", row -> row.agreement().spearman());
  }

  /** The same for people. */
  public static List<ReportTable> tables(EstimateAudit.Result result) {
    return List.of(estimates(result), curves(result), ageing(result));
  }

  private static ReportTable estimates(EstimateAudit.Result result) {
    return new ReportTable(
        "Estimates",
        "Rank correlation with the exact change over refreshes that moved a result.",
        List.of("estimate", "against", "refreshes", "correlation", "negative", "sum/exact"),
        result.estimates().stream()
            .map(
                row ->
                    List.of(
                        row.estimate(),
                        row.against(),
                        String.valueOf(row.agreement().refreshes()),
                        number(row.agreement().spearman(), 3),
                        String.valueOf(row.agreement().negative()),
                        number(row.agreement().bias(), 2)))
            .toList());
  }

  private static ReportTable curves(EstimateAudit.Result result) {
    return new ReportTable(
        "Rank functions",
        "Mean error |ln(F(s)/rank)| by band of the true rank, of tied pages and by length of the"
            + " result, and the correlation they give.",
        List.of(
            "curve",
            "bytes",
            "1",
            "2-3",
            "4-10",
            "11-100",
            ">100",
            "tied",
            "N 1-3",
            "4-12",
            "13-100",
            ">100",
            "correlation"),
        result.curves().stream()
            .map(
                row -> {
                  List<String> cells = new ArrayList<>();
                  cells.add(row.curve());
                  cells.add(String.valueOf(row.bytes()));
                  row.errors().forEach(error -> cells.add(number(error, 3)));
                  cells.add(number(row.agreement().spearman(), 3));
                  return List.copyOf(cells);
                })
            .toList());
  }

  private static ReportTable ageing(EstimateAudit.Result result) {
    return new ReportTable(
        "Ageing",
        "Correlation by weeks between rebuilds; changes: page changes since the rebuild, by pages.",
        List.of("what grows old", "weeks", "changes", "correlation", "sum/exact"),
        result.ageing().stream()
            .map(
                row ->
                    List.of(
                        row.frozen(),
                        String.valueOf(row.rebuiltEvery()),
                        number(row.changed(), 2),
                        number(row.agreement().spearman(), 3),
                        number(row.agreement().bias(), 2)))
            .toList());
  }

  private static String number(double value, int digits) {
    return Double.isNaN(value) ? "—" : String.format(Locale.ROOT, "%." + digits + "f", value);
  }
}
