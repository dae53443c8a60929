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
          .isCloseTo(expected, within(1e-6 * Math.abs(expected) + 1e-15));
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
