// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.EstimateAudit;
import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every number is another, so that none can stand under the name of another. */
class AuditFilesTest {
  private static final EstimateAudit.Result RESULT =
      new EstimateAudit.Result(
          List.of(
              new CurveRow(
                  "curve",
                  44,
                  List.of(0.5, 1.5, 2.5, 3.5, Double.NaN, 4.5, 5.5, 6.5, 7.5, 8.5),
                  new EstimateAgreement(6, 0.125, 1, 2.25))),
          List.of(new EstimateRow("paper's", "terms", new EstimateAgreement(9, 0.375, 3, 1.75))),
          List.of(new AgeRow("all", 4, 0.625, new EstimateAgreement(8, 0.875, 2, 1.125))),
          5);

  @TempDir Path directory;

  private void assertTable(String name, String... lines) {
    assertThat(directory.resolve(name)).hasContent(String.join("\n", lines).replace("|", "\t"));
  }

  @Test
  void everyFigureStandsUnderItsName() throws IOException {
    AuditFiles.write(RESULT, directory);
    assertTable(
        "estimates.tsv",
        "estimate|against|refreshes|spearman|negative|bias",
        "paper's|terms|9|0.375|3|1.75");
    assertTable(
        "rank_functions.tsv",
        "curve|bytes|error_rank_1|error_2_3|error_4_10|error_11_100|error_above_100|error_tied"
            + "|error_n_up_to_3|error_n_4_12|error_n_13_100|error_n_above_100|spearman",
        "curve|44|0.5|1.5|2.5|3.5||4.5|5.5|6.5|7.5|8.5|0.125");
    assertTable(
        "ageing.tsv",
        "frozen|rebuilt_every_weeks|changes_per_page|refreshes|spearman|bias",
        "all|4|0.625|8|0.875|1.125");
  }

  @Test
  void theTerminalShowsTheSameRoundedAndADashWhereThereIsNone() {
    assertThat(AuditFiles.tables(RESULT))
        .extracting(ReportTable::rows)
        .containsExactly(
            List.of(List.of("paper's", "terms", "9", "0.375", "3", "1.75")),
            List.of(
                List.of(
                    "curve", "44", "0.500", "1.500", "2.500", "3.500", "—", "4.500", "5.500",
                    "6.500", "7.500", "8.500", "0.125")),
            List.of(List.of("all", "4", "0.63", "0.875", "1.13")));
  }
}
