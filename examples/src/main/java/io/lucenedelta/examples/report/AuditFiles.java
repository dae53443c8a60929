// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.examples.replay.EstimateAudit;
import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of an {@link EstimateAudit}, as files and for a terminal. */
public final class AuditFiles {
  private AuditFiles() {}

  /** Writes {@code estimates.tsv}, {@code rank_functions.tsv} and {@code ageing.tsv}. */
  public static void write(EstimateAudit.Result result, Path directory) throws IOException {
    Files.createDirectories(directory);
    writeEstimates(result, directory.resolve("estimates.tsv"));
    writeCurves(result, directory.resolve("rank_functions.tsv"));
    writeAgeing(result, directory.resolve("ageing.tsv"));
  }

  private static void writeEstimates(EstimateAudit.Result result, Path file) throws IOException {
    TsvFile.write(
        file,
        List.of("estimate", "against", "refreshes", "spearman", "negative", "bias"),
        table -> {
          for (EstimateRow row : result.estimates()) {
            EstimateAgreement found = row.agreement();
            table.row(
                row.estimate(),
                row.against(),
                found.refreshes(),
                found.spearman(),
                found.negative(),
                found.bias());
          }
        });
  }

  private static void writeCurves(EstimateAudit.Result result, Path file) throws IOException {
    TsvFile.write(
        file,
        List.of(
            "curve",
            "bytes",
            "error_rank_1",
            "error_2_3",
            "error_4_10",
            "error_11_100",
            "error_above_100",
            "error_tied",
            "error_n_up_to_3",
            "error_n_4_12",
            "error_n_13_100",
            "error_n_above_100",
            "spearman"),
        table -> {
          for (CurveRow row : result.curves()) {
            List<Object> cells = new ArrayList<>(List.of(row.curve(), row.bytes()));
            cells.addAll(row.errors());
            cells.add(row.agreement().spearman());
            table.row(cells.toArray());
          }
        });
  }

  private static void writeAgeing(EstimateAudit.Result result, Path file) throws IOException {
    TsvFile.write(
        file,
        List.of(
            "frozen", "rebuilt_every_weeks", "changes_per_page", "refreshes", "spearman", "bias"),
        table -> {
          for (AgeRow row : result.ageing()) {
            table.row(
                row.frozen(),
                row.rebuiltEvery(),
                row.changed(),
                row.agreement().refreshes(),
                row.agreement().spearman(),
                row.agreement().bias());
          }
        });
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
