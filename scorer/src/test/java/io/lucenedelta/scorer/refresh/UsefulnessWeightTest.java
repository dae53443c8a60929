// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class UsefulnessWeightTest {
  private static void add(
      UsefulnessWeight weight, double useful, int count, double gain, double rootGain) {
    weight.replace(FoundChanges.NONE, new FoundChanges(count, gain, rootGain, useful));
  }

  private static final long SEED = 7;

  /** Pages of log-normal usefulness whose changes gain in proportion to a power of it. */
  private static UsefulnessWeight learned(double power, double spread) {
    Random random = new Random(SEED);
    UsefulnessWeight weight = new UsefulnessWeight();
    for (int page = 0; page < 2_000; page++) {
      double useful = Math.exp(1.5 * random.nextGaussian());
      double gain = Math.pow(useful, power) * Math.exp(spread * random.nextGaussian());
      add(weight, useful, 1, gain, Math.sqrt(gain));
    }
    weight.learn();
    return weight;
  }

  private static double powerBetween(UsefulnessWeight weight, double low, double high) {
    return Math.log(weight.of(high) / weight.of(low)) / Math.log(high / low);
  }

  @Test
  void gainsInProportionToUsefulnessGiveAWeightInProportion() {
    assertThat(powerBetween(learned(1, 1), 0.1, 10)).isCloseTo(1, within(0.05));
  }

  @Test
  void gainsThatHardlyHangOnUsefulnessGiveTheFlattestWeight() {
    assertThat(powerBetween(learned(0, 1), 0.1, 10)).isCloseTo(0.5, within(0.05));
  }

  @Test
  void aPowerBetweenIsFound() {
    assertThat(powerBetween(learned(0.75, 1), 0.1, 10)).isCloseTo(0.75, within(0.05));
  }

  @Test
  void withNothingFoundThePowersCountAlike() {
    UsefulnessWeight weight = new UsefulnessWeight();
    weight.learn();
    assertThat(weight.of(16)).isCloseTo((4 + 8 + 16) / 3.0, within(1e-12));
  }

  @Test
  void changesThatGainedNothingTellNoPower() {
    UsefulnessWeight weight = new UsefulnessWeight();
    add(weight, 16, 3, 0, 0);
    weight.learn();
    assertThat(weight.of(16)).isCloseTo(1, within(1e-12));
    assertThat(weight.of(1)).isCloseTo((1 / 4.0 + 1 / 8.0 + 1 / 16.0) / 3, within(1e-12));
  }

  @Test
  void aWeightHasMovedWhenLearningAgainWouldChangeItByMoreThanAShare() {
    UsefulnessWeight weight = new UsefulnessWeight();
    assertThat(weight.of(16)).as("before learning").isCloseTo((4 + 8 + 16) / 3.0, within(1e-12));
    add(weight, 16, 3, 0, 0);
    weight.learn();
    assertThat(weight.moved(0)).isFalse();
    // of factors (1/4, 1/8, 1/16)/3, which add up to 0.1458, to (6/15, 6/27, 6/51)/3, to 0.2466
    add(weight, 1, 3, 0, 0);
    assertThat(weight.moved(0.69)).isTrue();
    assertThat(weight.moved(0.70)).isFalse();
  }

  @Test
  void theWeightIsOneInTheMeanOverTheChangesFound() {
    Random random = new Random(SEED);
    UsefulnessWeight weight = new UsefulnessWeight();
    double[] useful = new double[50];
    for (int page = 0; page < useful.length; page++) {
      useful[page] = Math.exp(2 * random.nextGaussian());
      add(weight, useful[page], 2, useful[page] * 3, Math.sqrt(useful[page]) * 2);
    }
    weight.learn();
    double sum = 0;
    for (double each : useful) {
      sum += weight.of(each);
    }
    assertThat(sum / useful.length).isCloseTo(1, within(1e-5));
  }

  @Test
  void theMoreTheGainsScatterTheLessTheyTellThePowersApart() {
    for (double spread : new double[] {0.5, 1.5, 3}) {
      double[] useful = new double[40];
      double[] gain = new double[useful.length];
      Random random = new Random(SEED);
      UsefulnessWeight weight = new UsefulnessWeight();
      for (int i = 0; i < useful.length; i++) {
        useful[i] = Math.exp(1.5 * random.nextGaussian());
        gain[i] = useful[i] * Math.exp(spread * random.nextGaussian());
        add(weight, useful[i], 1, gain[i], Math.sqrt(gain[i]));
      }
      weight.learn();
      for (double at : new double[] {0.01, 0.3, 1, 5, 200}) {
        assertThat(weight.of(at))
            .as("spread %s at %s", spread, at)
            .isCloseTo(averaged(useful, gain, at), within(1e-6 * averaged(useful, gain, at)));
      }
    }
  }

  /** Σ_p π_p·u^p/mean(u^p), π_p ∝ exp(ℓ_p/φ), all sums written out. */
  private static double averaged(double[] useful, double[] gain, double at) {
    double mean = Arrays.stream(gain).map(Math::sqrt).average().orElseThrow();
    double variance =
        Arrays.stream(gain).map(g -> Math.pow(Math.sqrt(g) - mean, 2)).average().orElseThrow();
    double dispersion = Math.max(1, variance / (mean * mean)); // at least that of Poisson counts
    double[] powers = {0.5, 0.75, 1};
    double sum = 0;
    double weighed = 0;
    for (double power : powers) {
      double share = Math.exp(likelihood(useful, gain, mean, power) / dispersion);
      double level = Arrays.stream(useful).map(u -> Math.pow(u, power)).average().orElseThrow();
      sum += share;
      weighed += share * Math.pow(at, power) / level;
    }
    return weighed / sum;
  }

  /**
   * The Poisson form Σ (y·ln μ − μ) of the roots in units of their mean, so that the unit of gains
   * does not matter, with μ = c·u^(p/2) and the level c at its likeliest: Σ μ = Σ y.
   */
  private static double likelihood(double[] useful, double[] gain, double mean, double power) {
    double level = 0;
    for (double u : useful) {
      level += Math.pow(u, power / 2);
    }
    double sum = 0;
    for (int i = 0; i < useful.length; i++) {
      double expected = useful.length * Math.pow(useful[i], power / 2) / level;
      sum += Math.sqrt(gain[i]) / mean * Math.log(expected) - expected;
    }
    return sum;
  }
}
