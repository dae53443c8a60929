// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class StableSumTest {
  @Test
  void sumsOfAnyMagnitudeHaveSevenDigits() {
    for (int order = -300; order <= 300; order += 10) {
      StableSum sum = new StableSum();
      double addend = Math.pow(10, order) / 3;
      for (int i = 0; i < 5; i++) {
        sum.add(addend);
      }
      assertThat(sum.value() / (5 * addend)).as("order %s", order).isCloseTo(1, within(1e-7));
      assertThat(sum.mean() / addend).as("order %s", order).isCloseTo(1, within(1e-7));
    }
  }

  @Test
  void smallAddendsAreNotLostBesideLargeOnesThatCancel() {
    StableSum sum = new StableSum();
    for (double addend : new double[] {1, 1e100, 1, -1e100}) {
      sum.add(addend);
    }
    assertThat(sum.value()).isEqualTo(2);
    assertThat(sum.mean()).isEqualTo(0.5);
  }

  @Test
  void ofNothingSumAndMeanAreZero() {
    assertThat(new StableSum().value()).isZero();
    assertThat(new StableSum().mean()).isZero();
  }

  @Test
  void inTheRangeOfFloatsASumIsTheNearestFloat() {
    for (double value : new double[] {0, 1 / 3.0, -1e30 / 7, 1e-37 / 9, Float.MAX_VALUE}) {
      StableSum sum = new StableSum();
      sum.add(value);
      assertThat(sum.value()).isEqualTo((float) value);
    }
  }
}
