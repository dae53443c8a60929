// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotCode;
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

  @Test
  void logarithmsOfCodedScoresAgreeWithTheLibrary() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      float x = KnotCode.round((float) Math.exp(random.nextDouble(-80, 80)));
      assertThat(Logarithms.ofCoded(x))
          .as("ln %s, seed %s", x, seed)
          .isCloseTo(Math.log(x), within(1e-15 * (1 + Math.abs(Math.log(x)))));
    }
  }

  @Test
  void powersOfTwoAgreeWithTheLibrary() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      double x = random.nextDouble(-900, 900);
      double power = Math.pow(2, x);
      assertThat(Logarithms.powerOf2(x))
          .as("2^%s, seed %s", x, seed)
          .isCloseTo(power, within(1e-14 * power));
      int whole = (int) x;
      assertThat(Logarithms.powerOf2(whole))
          .as("2^%s, seed %s", whole, seed)
          .isEqualTo(Math.pow(2, whole));
    }
  }

  @Test
  void powersNearOneAgreeWithTheLibrary() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      double x = random.nextDouble(-1.0 / 26, 1.0 / 26);
      double p = random.nextDouble(-1, 1) * Logarithms.SMALL / Math.abs(x);
      comparePower(x, p, seed);
      comparePower(x, random.nextDouble(-2.6, 2.6), seed);
    }
    for (double x : new double[] {-1.0 / 26, 1.0 / 26}) {
      comparePower(x, 26 * Logarithms.SMALL, seed);
      comparePower(x, -26 * Logarithms.SMALL, seed);
      comparePower(x, -0.5, seed);
    }
  }

  @Test
  void roughLogarithmsAndPowersAreAsRoughAsTheySay() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      float x = random.nextFloat(-126, 127);
      float power = (float) Math.pow(2, x);
      assertThat(Logarithms.roughPowerOf2(x))
          .as("2^%s, seed %s", x, seed)
          .isCloseTo(power, within(2e-3f * power));
      assertThat(Logarithms.roughLog2(power))
          .as("log2 %s, seed %s", power, seed)
          .isCloseTo(x, within(2e-5f));
    }
  }

  private static void comparePower(double x, double p, long seed) {
    double power = Math.exp(p * Math.log1p(x));
    assertThat(Logarithms.powerNearOne(x, p))
        .as("(1 + %s)^%s, seed %s", x, p, seed)
        .isCloseTo(power, within(4e-12 * power));
  }
}
