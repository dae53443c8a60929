// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.SimpleBounds;
import org.apache.commons.math3.optim.SimpleValueChecker;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.CMAESOptimizer;
import org.apache.commons.math3.random.MersenneTwister;
import org.junit.jupiter.api.Test;

class RefreshFrequenciesTest {
  @Test
  void noGeneralSolverFindsBetterFrequencies() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    double sumOfOurs = 0;
    double sumOfGeneral = 0;
    for (int round = 0; round < 20; round++) {
      int n = 3 + random.nextInt(3);
      double[] rates = random.doubles(n, 0.05, 4).toArray();
      double[] weights = random.doubles(n, 0.1, 3).toArray();
      double budget = 0.2 + random.nextDouble() * (n - 1) * 0.8;
      double ours = freshness(rates, weights, RefreshFrequencies.of(rates, weights, budget, 1));
      double general = 0;
      for (int start = 0; start < 2; start++) {
        double[] guess = random.doubles(n - 1, 0.01, Math.min(0.9, 2 * budget / n)).toArray();
        general = Math.max(general, bySolver(rates, weights, budget, guess));
      }
      assertThat(ours).as("seed %s, round %s", seed, round).isGreaterThan(general - 1e-6);
      sumOfOurs += ours;
      sumOfGeneral += general;
    }
    assertThat(sumOfGeneral)
        .as("the solver came near, seed %s", seed)
        .isGreaterThan(0.995 * sumOfOurs);
  }

  /** Optimises all frequencies but the last, which takes what is left, by CMA-ES. */
  private static double bySolver(double[] rates, double[] weights, double budget, double[] guess) {
    int n = rates.length;
    double[] low = new double[n - 1];
    double[] high = new double[n - 1];
    Arrays.fill(high, 1);
    double[] sigma = new double[n - 1];
    Arrays.fill(sigma, 0.2);
    return new CMAESOptimizer(
            5000, 1e-12, true, 0, 0, new MersenneTwister(9), false, new SimpleValueChecker(-1, -1))
        .optimize(
            new CMAESOptimizer.Sigma(sigma),
            new CMAESOptimizer.PopulationSize(12),
            new MaxEval(20_000),
            GoalType.MAXIMIZE,
            new InitialGuess(guess),
            new SimpleBounds(low, high),
            new ObjectiveFunction(f -> penalised(rates, weights, f, budget)))
        .getValue();
  }

  private static double penalised(double[] rates, double[] weights, double[] free, double budget) {
    double[] all = Arrays.copyOf(free, free.length + 1);
    double left = budget - Arrays.stream(free).sum();
    all[free.length] = Math.clamp(left, 0.0, 1.0);
    double overspent = Math.max(0, -left);
    return freshness(rates, weights, all) - 100 * overspent;
  }

  private static double freshness(double[] rates, double[] weights, double[] frequencies) {
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += weights[i] * RefreshFrequencies.freshness(rates[i], frequencies[i]);
    }
    return sum;
  }

  @Test
  void theBudgetIsSpentAndTheLimitKept() {
    double[] rates = {0.1, 0.5, 1, 2, 5};
    double[] ones = {1, 1, 1, 1, 1};
    double[] frequencies = RefreshFrequencies.of(rates, ones, 1.5, 1);
    assertThat(Arrays.stream(frequencies).sum()).isCloseTo(1.5, within(1e-6));
    assertThat(frequencies)
        .satisfies(f -> assertThat(Arrays.stream(f).max().orElse(0)).isLessThanOrEqualTo(1));
  }

  @Test
  void pagesThatChangeTooOftenAreAbandoned() {
    // Cho and Garcia-Molina 2003: with pages changing 1 to 5 times a day and 5 visits, the fastest
    // gets none; their published optimum is 1.15, 1.36, 1.35, 1.14 and 0.00
    double[] frequencies =
        RefreshFrequencies.of(new double[] {1, 2, 3, 4, 5}, new double[] {1, 1, 1, 1, 1}, 5, 100);
    assertThat(frequencies[0]).isCloseTo(1.15, within(0.005));
    assertThat(frequencies[1]).isCloseTo(1.36, within(0.005));
    assertThat(frequencies[2]).isCloseTo(1.35, within(0.005));
    assertThat(frequencies[3]).isCloseTo(1.14, within(0.005));
    assertThat(frequencies[4]).isZero();
  }

  @Test
  void pagesThatNeverChangeOrWeighNothingGetNothing() {
    assertThat(RefreshFrequencies.of(new double[] {0, 1, 1}, new double[] {1, 0, 1}, 0.5, 1))
        .satisfies(
            f -> {
              assertThat(f[0]).isZero();
              assertThat(f[1]).isZero();
              assertThat(f[2]).isCloseTo(0.5, within(1e-6));
            });
    assertThat(RefreshFrequencies.of(new double[] {1}, new double[] {1}, 0, 1)).containsOnly(0);
    assertThat(RefreshFrequencies.of(new double[] {1}, new double[] {1}, 9, 1)).containsOnly(1);
  }

  @Test
  void theInverseUndoesTheGain() {
    for (double r : new double[] {1e-5, 0.01, 0.3, 1, 2.5, 8, 20}) {
      assertThat(RefreshFrequencies.inverseGain(RefreshFrequencies.gain(r)))
          .isCloseTo(r, within(1e-6 * Math.max(1, r * r)));
    }
  }

  @Test
  void proportionalSharesStopAtOneRefreshAPeriod() {
    double[] shares = Polling.proportional(new double[] {8, 1, 1}, 2);
    assertThat(shares[0]).isEqualTo(1);
    assertThat(shares[1]).isCloseTo(0.5, within(1e-12));
    assertThat(shares[2]).isCloseTo(0.5, within(1e-12));
  }
}
