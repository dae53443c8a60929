// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class LogarithmsTest {
  @Test
  void logarithmsAndExponentialsAgreeWithTheLibrary() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      double x = random.nextDouble(-100, 100);
      double power = Math.exp(x);
      assertThat(Logarithms.exp(x))
          .as("e^%s, seed %s", x, seed)
          .isCloseTo(power, within(1e-14 * power));
      assertThat(Logarithms.ln(power))
          .as("ln %s, seed %s", power, seed)
          .isCloseTo(Math.log(power), within(1e-15 * (1 + Math.abs(x))));
    }
  }

  @Test
  void theEdgesOfTheTablesAreExactEnough() {
    for (int k = 1; k < 2000; k++) {
      double x = k / 512.0;
      assertThat(Logarithms.ln(x)).isCloseTo(Math.log(x), within(1e-14));
      double step = k * Math.log(2) / 1024;
      assertThat(Logarithms.exp(-step)).isCloseTo(Math.exp(-step), within(1e-14));
    }
    assertThat(Logarithms.exp(0)).isEqualTo(1);
    assertThat(Logarithms.ln(1)).isCloseTo(0, within(1e-15));
  }
}
