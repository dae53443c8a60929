// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import java.util.Random;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;
import org.junit.jupiter.api.Test;

/** Estimates against the yardstick: one page's score moves in a complete result. */
class QualityChangeAgainstExactTest {
  private static final int MOVES = 3000;
  private static final long SEED = 2005; // fixed: the bounds below are statistical
  private static final ExactQuality EXACT = new ExactQuality(PowerLawViews.PAPER);

  private final double[] exact = new double[MOVES];
  private final double[] passed = new double[MOVES];
  private final double[] integral = new double[MOVES];

  QualityChangeAgainstExactTest() {
    Random random = new Random(SEED);
    for (int move = 0; move < MOVES; move++) {
      double[] before = randomResult(random);
      double[] after = before.clone();
      int page = random.nextInt(before.length);
      before[page] = random.nextInt(6) == 0 ? 0 : before[page];
      after[page] = random.nextInt(6) == 0 ? 0 : 1 + 9 * Math.pow(random.nextDouble(), 2);
      exact[move] = EXACT.change(before, after, after);
      passed[move] = estimate(new PassedPages(PowerLawViews.PAPER), before, after, page);
      integral[move] = estimate(new IntegralSum(PowerLawViews.PAPER), before, after, page);
    }
  }

  @Test
  void theEstimateOrdersMovesAsTheExactChangeDoes() {
    assertThat(new SpearmansCorrelation().correlation(passed, exact))
        .as("seed %s", SEED)
        .isGreaterThan(0.95);
  }

  @Test
  void theEstimateIsRightInTheMean() {
    assertThat(sum(passed) / sum(exact)).as("seed %s", SEED).isCloseTo(1, within(0.12));
  }

  @Test
  void takingOffTheOwnPositionBringsTheEstimateNearer() {
    assertThat(distance(passed)).as("seed %s", SEED).isLessThan(0.96 * distance(integral));
  }

  @Test
  void movesThatPassNobodyAreMostlyEstimatedAsNothing() {
    int still = 0;
    int seen = 0;
    for (int move = 0; move < MOVES; move++) {
      still += exact[move] == 0 ? 1 : 0;
      seen += exact[move] == 0 && passed[move] == 0 ? 1 : 0;
    }
    assertThat(still).as("seed %s", SEED).isGreaterThan(30);
    assertThat(seen).as("of %s, seed %s", still, SEED).isGreaterThan(still / 2);
  }

  private static double estimate(
      QualityChange estimate, double[] before, double[] after, int page) {
    float[] scores = new float[before.length];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) before[i];
    }
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
    table.put(0, KnotSample.of(scores, scores.length));
    return estimate.over(table.build()).change(0, before[page], after[page]);
  }

  /** Between 3 and 60 pages, all in the result. */
  private static double[] randomResult(Random random) {
    double[] scores = new double[3 + random.nextInt(58)];
    for (int page = 0; page < scores.length; page++) {
      scores[page] = 1 + 9 * Math.pow(random.nextDouble(), 2);
    }
    return scores;
  }

  private double distance(double[] estimates) {
    double sum = 0;
    for (int move = 0; move < MOVES; move++) {
      sum += Math.abs(estimates[move] - exact[move]);
    }
    return sum;
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }
}
