// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LogLogRankFunctionTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  @Test
  void aScoreAtAKnotHasTheRankOfTheKnotAndBack() {
    LogLogRankFunction f = LogLogRankFunction.of(1000, 8, 4, 2, 1);
    double[] ranks = {1, 10, 100, 1000};
    for (int knot = 0; knot < 4; knot++) {
      assertThat(f.rankOf(f.scoreOfKnot(knot))).isCloseTo(ranks[knot], within(1e-9 * ranks[knot]));
      assertThat(f.rankOfKnot(knot)).isCloseTo(ranks[knot], within(1e-9 * ranks[knot]));
      assertThat(f.scoreAt(ranks[knot])).isCloseTo(f.scoreOfKnot(knot), within(1e-9));
    }
  }

  @Test
  void betweenKnotsTheCurveIsStraightOnLogarithmicScales() {
    LogLogRankFunction f = LogLogRankFunction.of(1000, 8, 4, 2, 1);
    assertThat(f.scoreAt(Math.sqrt(10))).isCloseTo(Math.sqrt(32), within(1e-12));
    assertThat(f.rankOf(Math.sqrt(2))).isCloseTo(Math.sqrt(100 * 1000), within(1e-9));
    assertThat(f.exponent(1)).isCloseTo(Math.log10(2), within(1e-12));
    assertThat(LogLogRankFunction.of(100, 8, 2).scoreAt(10)).isCloseTo(4, within(1e-12));
  }

  @Test
  void scoresOutsideTheKnotsHaveTheRanksOfTheEnds() {
    LogLogRankFunction f = LogLogRankFunction.of(1000, 8, 4, 2, 1);
    assertThat(f.rankOf(9)).isEqualTo(1);
    assertThat(f.rankOf(0.5)).isEqualTo(1000);
    assertThat(f.rankOf(0)).isEqualTo(INFINITY);
    assertThat(f.scoreAt(0.5)).isEqualTo(8);
    assertThat(f.scoreAt(2000)).isEqualTo(1);
    assertThat(f.scoreAt(INFINITY)).isEqualTo(1);
  }

  @Test
  void tiedScoresHaveTheMiddleRankOfTheirFlatStretch() {
    assertThat(LogLogRankFunction.of(1000, 5, 5, 2, 1).rankOf(5))
        .isCloseTo(Math.sqrt(10), within(1e-9));
    assertThat(LogLogRankFunction.of(1000, 8, 5, 5, 5).rankOf(5)).isCloseTo(100, within(1e-9));
    assertThat(LogLogRankFunction.of(1000, 5, 5, 5, 5).rankOf(5))
        .isCloseTo(Math.sqrt(1000), within(1e-9));
  }

  @Test
  void noResultsAndOneResultHaveDefinedAnswers() {
    LogLogRankFunction none = LogLogRankFunction.of(0, 0, 0, 0, 0);
    assertThat(none.rankOf(3)).isEqualTo(1);
    assertThat(none.rankOf(0)).isEqualTo(INFINITY);
    assertThat(none.scoreAt(1)).isZero();
    LogLogRankFunction one = LogLogRankFunction.of(1, 5, 5, 5, 5);
    assertThat(one.rankOf(7)).isEqualTo(1);
    assertThat(one.rankOf(5)).isEqualTo(1);
    assertThat(one.rankOf(2)).isEqualTo(1);
    assertThat(one.rankOf(0)).isEqualTo(INFINITY);
    assertThat(one.scoreAt(40)).isEqualTo(5);
    assertThat(one.exponent(0)).isZero();
    assertThat(LogLogRankFunction.of(1, 5, 4).scoreAt(40)).as("the first knot").isEqualTo(5);
  }

  @Test
  void ranksNeverIncreaseWithTheScoreAndStayBetweenOneAndN() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      LogLogRankFunction f = randomFunction(random);
      double low = random.nextDouble() * 20;
      double high = low + random.nextDouble() * 20;
      assertThat(f.rankOf(high)).as("%s, seed %s", f, seed).isLessThanOrEqualTo(f.rankOf(low));
      if (low > 0) {
        assertThat(f.rankOf(low)).as("seed %s", seed).isBetween(1.0, Math.max(1.0, f.results()));
      }
    }
  }

  @Test
  void onAFallingPieceRankAndScoreAreInverse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 2000; round++) {
      LogLogRankFunction f =
          LogLogRankFunction.of(
              2 + random.nextInt(1_000_000), 9, 7 * random.nextDouble() + 1, 1, 0.2);
      double score = 0.2 + 8.8 * random.nextDouble();
      assertThat(f.scoreAt(f.rankOf(score)))
          .as("%s at %s, seed %s", f, score, seed)
          .isCloseTo(score, within(1e-9 * score));
    }
  }

  @Test
  void tiesAreFoundThoughATableRoundsItsScores() {
    float[] scores = new float[100];
    java.util.Arrays.fill(scores, 2.7182817f);
    scores[0] = 9.869604f;
    RankTable table = OnHeapRankTable.builder(1).put(0, KnotSample.of(scores, 100)).build();
    assertThat(table.knotScore(0, 1)).isNotEqualTo(2.7182817f);
    assertThat(LogLogRankFunction.of(table, 0).rankOf(2.7182817f))
        .isCloseTo(Math.sqrt(200), within(1e-9));
  }

  @Test
  void knotScoresThatIncreaseAreRefusedWithTheirValues() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.of(1000, 3.1, 3.42, 2, 1))
        .withMessage(
            "knot scores must not increase: 3.1 is followed by 3.42 at rank 10.00; refit the"
                + " function");
  }

  @Test
  void scoresThatAreNoScoresAreRefused() {
    LogLogRankFunction f = LogLogRankFunction.of(10, 4, 3, 2, 1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> f.rankOf(-1))
        .withMessage("a score must be 0 or more and finite, was -1.0");
    assertThatIllegalArgumentException().isThrownBy(() -> f.rankOf(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> f.rankOf(INFINITY));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.of(10, INFINITY, 3, 2, 1))
        .withMessage("knot scores must be positive and finite, was Infinity at knot 0");
    assertThatIllegalArgumentException().isThrownBy(() -> f.scoreAt(Double.NaN));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.of(10, 4, 3, 2, 0))
        .withMessage("knot scores must be positive and finite, was 0.0 at knot 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.of(10, 4))
        .withMessage("a rank function needs at least 2 knot scores, got 1");
    assertThatIllegalArgumentException().isThrownBy(() -> LogLogRankFunction.of(-1, 4, 3, 2, 1));
  }

  @Test
  void knotsReachFromTheFirstRankToTheLast() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.through(9, new double[] {2, 9}, new double[] {4, 3}))
        .withMessage("the first knot must be at rank 1 and the last at 9, were at 2.0 and 9.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.through(9, new double[] {1, 8}, new double[] {4, 3}))
        .withMessageContaining("were at 1.0 and 8.0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                LogLogRankFunction.through(9, new double[] {1, 5, 3, 9}, new double[] {4, 3, 2, 1}))
        .withMessage("knot ranks must ascend from 1 to 9, was 3.0 at knot 2");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> LogLogRankFunction.through(9, new double[] {1, 10, 9}, new double[] {4, 3, 2}))
        .withMessage("knot ranks must ascend from 1 to 9, was 10.0 at knot 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LogLogRankFunction.through(9, new double[] {1, 9}, new double[] {4}))
        .withMessageEndingWith("got 2 and 1");
  }

  private static LogLogRankFunction randomFunction(Random random) {
    double[] score = new double[4];
    score[0] = 20 * random.nextDouble() + 1e-3;
    for (int knot = 1; knot < 4; knot++) {
      score[knot] =
          score[knot - 1] * (random.nextInt(3) == 0 ? 1 : 0.1 + 0.9 * random.nextDouble());
    }
    int results = (int) Math.exp(random.nextDouble() * 14);
    return LogLogRankFunction.of(results, score);
  }
}
