// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.relevance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class RelevanceCutTest {
  @Test
  void theKneeIsWhereTheCurveBeginsToFallFast() {
    assertThat(Knee.of(new double[] {10, 9, 8, 7, 6, 3, 0})).isEqualTo(4);
    assertThat(Knee.of(new double[] {1, 1, 1, 0})).isEqualTo(2);
    // all three between lie an eighth of the fall above the line
    assertThat(Knee.of(new double[] {8, 7, 5, 3, 0})).isEqualTo(3);
  }

  @Test
  void aStraightOrHollowCurveHasItsKneeAtTheEnd() {
    assertThat(Knee.of(new double[] {4, 3, 2, 1, 0})).isEqualTo(4);
    assertThat(Knee.of(new double[] {9, 4, 1, 0})).isEqualTo(3);
    assertThat(Knee.of(new double[] {5, 5, 5})).isEqualTo(2);
    assertThat(Knee.of(new double[] {5})).isZero();
  }

  @Test
  void theTailOfBarelyAnsweredQueriesIsCutOff() {
    double[] sums = relevantAndNot(new Random(6), 900, 100);
    RelevanceCut cut = RelevanceCut.of(sums, 1);

    assertThat(cut.answered()).isEqualTo(1000);
    assertThat(cut.kept()).isBetween(870, 930);
    assertThat(cut.threshold()).isBetween(0.5, 4.0);
  }

  @Test
  void theNumberKeptIsStableUnderResampling() {
    RelevanceCut cut = RelevanceCut.of(relevantAndNot(new Random(7), 9_000, 1_000), 1);

    assertThat(cut.kept()).isBetween(cut.keptLow(), cut.keptHigh());
    assertThat(cut.keptHigh() - cut.keptLow()).isLessThan(cut.kept() / 10);
  }

  @Test
  void theSameSeedGivesTheSameInterval() {
    double[] sums = relevantAndNot(new Random(9), 900, 100);
    for (int seed = 0; seed < 5; seed++) {
      assertThat(RelevanceCut.of(sums, seed)).isEqualTo(RelevanceCut.of(sums, seed));
    }
  }

  /** Of resamples one in eighty has no 1 but the 4, and would keep the 4 alone. */
  @Test
  void theIntervalLeavesOutWhatOneResampleInEightyGives() {
    double[] sums = new double[20];
    Arrays.fill(sums, 2);
    sums[0] = 4;
    Arrays.fill(sums, 16, 20, 1);
    assertThat(RelevanceCut.of(sums, 1)).isEqualTo(new RelevanceCut(2, 16, 20, 16, 16));
  }

  /** Of resamples one in 130 has fewer than two 8, and would keep all. */
  @Test
  void theIntervalLeavesOutTheMostThatHardlyAnyResampleGives() {
    double[] sums = new double[20];
    Arrays.fill(sums, 2);
    Arrays.fill(sums, 0, 6, 8);
    assertThat(RelevanceCut.of(sums, 1)).isEqualTo(new RelevanceCut(8, 6, 20, 6, 6));
  }

  @Test
  void oneSumOrTwoAreAllKept() {
    assertThat(RelevanceCut.of(new double[] {7}, 1)).isEqualTo(new RelevanceCut(7, 1, 1, 1, 1));
    assertThat(RelevanceCut.of(new double[] {1e-300, 1e300}, 1).kept()).isEqualTo(2);
  }

  @Test
  void theScaleOfScoresDoesNotMatter() {
    double[] sums = relevantAndNot(new Random(8), 900, 100);
    RelevanceCut cut = RelevanceCut.of(sums, 1);
    RelevanceCut scaled = RelevanceCut.of(DoubleStream.of(sums).map(s -> 1e6 * s).toArray(), 1);

    assertThat(scaled.kept()).isEqualTo(cut.kept());
    assertThat(scaled.threshold()).isCloseTo(1e6 * cut.threshold(), within(1e-3));
  }

  @Test
  void queriesThatNoPageAnswersAreNeverKept() {
    RelevanceCut none = RelevanceCut.of(new double[] {0, 0, 0}, 1);
    assertThat(none.kept()).isZero();
    assertThat(none.keeps(0)).isFalse();

    RelevanceCut few = RelevanceCut.of(new double[] {0, 7, 3}, 1);
    assertThat(few.kept()).isEqualTo(2);
    assertThat(few.keeps(3)).isTrue();
    assertThat(few.keeps(2.9)).isFalse();
    assertThat(RelevanceCut.of(new double[0], 1).answered()).isZero();
  }

  @Test
  void aSumThatIsNoSumIsRefusedWithItsQuery() {
    for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> RelevanceCut.of(new double[] {1, bad}, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("for query 1");
      assertThatThrownBy(() -> RelevanceCut.of(new double[] {bad}, 1))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageEndingWith(bad + " for query 0");
    }
  }

  /** Log-normal sums, and some that fall off by orders of magnitude. */
  private static double[] relevantAndNot(Random random, int relevant, int not) {
    return DoubleStream.concat(
            DoubleStream.generate(() -> 2 + Math.exp(2 + random.nextGaussian())).limit(relevant),
            DoubleStream.generate(() -> Math.exp(-8 * random.nextDouble())).limit(not))
        .toArray();
  }
}
