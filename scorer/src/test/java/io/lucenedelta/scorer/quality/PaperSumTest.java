// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PaperSumTest {
  @Test
  void manyPositionsAreWorthWhatAddingThemOneByOneGives() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PaperSum sum = new PaperSum(PowerLawViews.PAPER);
    for (int round = 0; round < 60; round++) {
      LogLogRankFunction f =
          LogLogRankFunction.of(
              5_000 + random.nextInt(60_000), 12, 9 - 5 * random.nextDouble(), 3, 1);
      double before = round % 3 == 0 ? 0 : 1 + 11 * random.nextDouble();
      double after = round % 3 == 1 ? 0 : 1 + 11 * random.nextDouble();
      double expected = oneByOne(f, before, after);
      assertThat(sum.effect(f, before, after).others())
          .as("%s from %s to %s, seed %s", f, before, after, seed)
          .isCloseTo(expected, within(1e-8 * Math.abs(expected) + 1e-15));
    }
  }

  @Test
  void aMoveWithinOnePositionFarDownChangesNothing() {
    PaperSum sum = new PaperSum(PowerLawViews.PAPER);
    LogLogRankFunction f = LogLogRankFunction.of(20_000, 12, 8, 3, 1);
    ShiftEffect effect = sum.effect(f, f.scoreAt(3_000.1), f.scoreAt(3_000.2));
    assertThat(effect.rankAfter()).isGreaterThan(effect.rankBefore());
    assertThat(effect.own()).isZero();
    assertThat(effect.others()).isZero();
  }

  @Test
  void whereNobodyLooksAnyMoreNothingIsLostOrGained() {
    PaperSum sum = new PaperSum(rank -> rank <= 2_500 ? 1 : 0);
    LogLogRankFunction f = LogLogRankFunction.of(20_000, 12, 8, 3, 1);
    assertThat(sum.effect(f, f.scoreAt(3_000), f.scoreAt(15_000)).total()).isZero();
    assertThat(sum.effect(f, f.scoreAt(15_000), f.scoreAt(3_000)).total()).isZero();
    // the page falls out of sight, and the one behind the last that is seen comes into it
    double passed = f.scoreAt(2_501);
    assertThat(sum.effect(f, f.scoreAt(2_000), f.scoreAt(15_000)).others())
        .isCloseTo(passed, within(5e-3 * passed)); // of a step of 1 % the mean score
  }

  @Test
  void soAreThoseOfAResultWhoseScoresFallSteeply() {
    PaperSum sum = new PaperSum(PowerLawViews.PAPER);
    double[] ranks = {1, 2_000, 20_000};
    for (double exponent : new double[] {2, 8, 20}) {
      LogLogRankFunction f =
          LogLogRankFunction.through(20_000, ranks, new double[] {3, 1, Math.pow(10, -exponent)});
      for (double[] moves : new double[][] {{2_500, 2_800}, {2_800, 2_500}, {2_010, 15_000}}) {
        double before = f.scoreAt(moves[0]);
        double after = f.scoreAt(moves[1]);
        double expected = oneByOne(f, before, after);
        assertThat(sum.effect(f, before, after).others())
            .as("falling by the power of %s, from %s to %s", exponent, moves[0], moves[1])
            .isCloseTo(expected, within(2e-8 * Math.abs(expected)));
      }
    }
  }

  /** Knots at ranks that are no positions, beyond those that are added one by one. */
  @Test
  void soAreThoseOnSeveralPiecesFarDown() {
    PaperSum sum = new PaperSum(PowerLawViews.PAPER);
    LogLogRankFunction f =
        LogLogRankFunction.through(
            20_000,
            new double[] {1, 2_100.3, 2_150.5, 2_400.8, 20_000},
            new double[] {90, 60, 30, 5, 1});
    for (double[] moves : new double[][] {{2_050, 15_000}, {15_000, 2_050}, {2_120, 2_390}}) {
      double before = f.scoreAt(moves[0]);
      double after = f.scoreAt(moves[1]);
      double expected = oneByOne(f, before, after);
      ShiftEffect effect = sum.effect(f, before, after);
      assertThat(effect.others())
          .as("from rank %s to %s", moves[0], moves[1])
          .isCloseTo(expected, within(2e-8 * Math.abs(expected)));
      assertThat(effect.own())
          .isCloseTo((Math.pow(moves[1], -1.5) - Math.pow(moves[0], -1.5)) * after, within(1e-12));
    }
  }

  /** Near the top, far down, past the end of what is added up, and out of results of any length. */
  @Test
  void measuringManyShiftsGivesWhatMeasuringEachGives() {
    Random random = new Random(11);
    PaperSum sum = new PaperSum(PowerLawViews.PAPER);
    int[] results = {0, 1, 2, 7, 1_999, 2_000, 2_001, 30_000};
    LogLogRankFunction[] functions = new LogLogRankFunction[results.length];
    for (int query = 0; query < results.length; query++) {
      functions[query] = LogLogRankFunction.of(results[query], 12, 8, 3, 1);
    }
    ShiftMeter meter = sum.over(functions);
    for (int round = 0; round < 4_000; round++) {
      int query = random.nextInt(results.length);
      double before = round % 5 == 0 ? 0 : 0.9 + 11.5 * Math.pow(random.nextDouble(), 3);
      double after = round % 7 == 0 ? 0 : 0.9 + 11.5 * Math.pow(random.nextDouble(), 3);
      ShiftEffect expected = sum.effect(functions[query], before, after);
      ShiftEffect effect = meter.effect(query, before, after);
      assertThat(effect.rankBefore()).isEqualTo(expected.rankBefore());
      assertThat(effect.rankAfter()).isEqualTo(expected.rankAfter());
      assertThat(effect.own()).isEqualTo(expected.own());
      assertThat(effect.others())
          .as("of %d results from %s to %s", results[query], before, after)
          .isCloseTo(expected.others(), within(1e-11 * Math.abs(expected.others())));
    }
  }

  private static double oneByOne(LogLogRankFunction f, double before, double after) {
    double from = Math.floor(f.rankOf(before) + 0.5);
    double to = Math.floor(f.rankOf(after) + 0.5);
    double sum = 0;
    for (double r = from + 1; r <= Math.min(to, f.results()); r++) {
      sum += (Math.pow(r - 1, -1.5) - Math.pow(r, -1.5)) * f.scoreAt(r);
    }
    for (double r = to; r <= Math.min(from - 1, f.results()); r++) {
      sum += (Math.pow(r + 1, -1.5) - Math.pow(r, -1.5)) * f.scoreAt(r);
    }
    return sum;
  }
}
