// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static io.lucenedelta.scorer.quality.GoldenFiles.number;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The rank function and both estimates against brute force; see golden/README.md. */
class GoldenQualityChangeTest {
  private static final QualityChange SUM = new PaperSum(PowerLawViews.PAPER);
  private static final QualityChange INTEGRAL = new IntegralSum(PowerLawViews.PAPER);

  @ParameterizedTest
  @MethodSource("io.lucenedelta.scorer.quality.GoldenFiles#directories")
  void everyRowOfRanksAndChangesIsReproduced(Path directory) {
    List<Map<String, String>> rows = GoldenFiles.rows(directory.resolve("quality-change.tsv"));
    assertThat(rows).hasSizeGreaterThan(300);
    for (Map<String, String> row : rows) {
      LogLogRankFunction function =
          LogLogRankFunction.of(
              Integer.parseInt(row.get("n")),
              number(row, "score_1"),
              number(row, "score_n13"),
              number(row, "score_n23"),
              number(row, "score_n"));
      double before = number(row, "s1");
      double after = number(row, "s2");
      assertRank(row, "r1", function.rankOf(before));
      assertRank(row, "r2", function.rankOf(after));
      assertChange(row, "delta_sum", SUM.effect(function, before, after));
      assertChange(row, "delta_integral", INTEGRAL.effect(function, before, after));
    }
  }

  private static void assertRank(Map<String, String> row, String column, double rank) {
    double expected = number(row, column);
    boolean agrees = rank == expected || Math.abs(rank - expected) <= 1e-6 * expected;
    assertThat(agrees).as("%s of %s is %s", column, row, rank).isTrue();
  }

  private static void assertChange(Map<String, String> row, String column, ShiftEffect effect) {
    double expected = number(row, column);
    double tolerance = Math.max(1e-6 * Math.abs(expected), 1e-9);
    boolean agrees = Math.abs(effect.total() - expected) <= tolerance;
    assertThat(agrees).as("%s of %s is %s", column, row, effect.total()).isTrue();
  }
}
