// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static io.lucenedelta.scorer.quality.CloseNumbers.assertClose;
import static io.lucenedelta.scorer.quality.CloseNumbers.assertSame;
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
      assertClose(Logarithms.exp(x), power, 1e-14 * power, "e^%s, seed %s", x, seed);
      double tolerance = 1e-15 * (1 + Math.abs(x));
      assertClose(Logarithms.ln(power), Math.log(power), tolerance, "ln %s, seed %s", power, seed);
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
      double tolerance = 1e-15 * (1 + Math.abs(Math.log(x)));
      assertClose(Logarithms.ofCoded(x), Math.log(x), tolerance, "ln %s, seed %s", x, seed);
    }
  }

  @Test
  void powersOfTwoAgreeWithTheLibrary() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 200_000; round++) {
      double x = random.nextDouble(-900, 900);
      double power = Math.pow(2, x);
      assertClose(Logarithms.powerOf2(x), power, 1e-14 * power, "2^%s, seed %s", x, seed);
      int whole = (int) x;
      assertSame(Logarithms.powerOf2(whole), Math.pow(2, whole), "2^%s, seed %s", whole, seed);
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
      assertClose(Logarithms.roughPowerOf2(x), power, 2e-3f * power, "2^%s, seed %s", x, seed);
      assertClose(Logarithms.roughLog2(power), x, 2e-5f, "log2 %s, seed %s", power, seed);
    }
  }

  private static void comparePower(double x, double p, long seed) {
    double power = Math.exp(p * Math.log1p(x));
    double near = Logarithms.powerNearOne(x, p);
    assertClose(near, power, 4e-12 * power, "(1 + %s)^%s, seed %s", x, p, seed);
  }
}
