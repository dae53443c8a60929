// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ExactShiftTest {
  private static final long SEED = 7;

  @Test
  void equalsTheChangeOverCompleteRankings() {
    Random random = new Random(SEED);
    ExactQuality exact = new ExactQuality(PowerLawViews.PAPER);
    ExactShift shift = new ExactShift(PowerLawViews.PAPER);
    for (int round = 0; round < 5000; round++) {
      double[] before = new double[1 + random.nextInt(200)];
      for (int page = 0; page < before.length; page++) {
        before[page] = random.nextInt(12) / 2.0; // many ties, some not in the result
      }
      int moving = random.nextInt(before.length);
      double[] after = before.clone();
      after[moving] = random.nextInt(12) / 2.0;
      shift.begin(before[moving], after[moving]);
      for (int page = 0; page < before.length; page++) {
        if (page != moving && before[page] > 0) {
          shift.other(before[page], page < moving);
        }
      }
      assertThat(shift.change())
          .as("seed %d, round %d", SEED, round)
          .isCloseTo(exact.change(before, after, after), within(1e-12))
          .isGreaterThan(-1e-12);
    }
  }

  @Test
  void tellsWhichScoresTheOrderOfPagesDecides() {
    ExactShift shift = new ExactShift(PowerLawViews.PAPER);
    shift.begin(2, 5);
    assertThat(shift.ties(2)).isTrue();
    assertThat(shift.ties(5)).isTrue();
    assertThat(shift.ties(3)).isFalse();
  }

  /** Their sum is more than a number holds. */
  @Test
  void measuresTheLargestScores() {
    ExactShift shift = new ExactShift(PowerLawViews.PAPER);
    shift.begin(1e308, Double.MAX_VALUE);
    shift.other(1.25e308, false);
    double expected = (1 - Math.pow(2, -1.5)) * (Double.MAX_VALUE - 1.25e308);
    assertThat(shift.change()).isCloseTo(expected, within(1e-12 * expected));
  }

  @Test
  void refusesScoresThatAreNone() {
    ExactShift shift = new ExactShift(PowerLawViews.PAPER);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> shift.begin(-1, 2))
        .withMessage("scores must be 0 or more and finite, were -1.0 and 2.0");
    assertThatIllegalArgumentException().isThrownBy(() -> shift.begin(1, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> shift.begin(1, Double.POSITIVE_INFINITY));
  }
}
