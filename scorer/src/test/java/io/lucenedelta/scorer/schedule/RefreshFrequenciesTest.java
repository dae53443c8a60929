// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;
import org.junit.jupiter.api.Test;

class RefreshFrequenciesTest {
  private static final int GRID = 41;

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
      double general = bySolver(rates, weights, budget);
      assertThat(ours).as("seed %s, round %s", seed, round).isGreaterThan(general - 1e-6);
      sumOfOurs += ours;
      sumOfGeneral += general;
    }
    assertThat(sumOfGeneral)
        .as("the solver came near, seed %s", seed)
        .isGreaterThan(0.9999 * sumOfOurs);
  }

  /**
   * Starts from equal frequencies and moves budget between two pages at a time, as much as Brent's
   * line search finds best, until a round of all pairs gains nothing.
   */
  private static double bySolver(double[] rates, double[] weights, double budget) {
    double[] f = new double[rates.length];
    Arrays.fill(f, Math.min(1, budget / f.length));
    double before = -1;
    while (freshness(rates, weights, f) > before + 1e-10) {
      before = freshness(rates, weights, f);
      for (int i = 0; i < f.length; i++) {
        for (int j = 0; j < i; j++) {
          move(rates, weights, f, i, j);
        }
      }
    }
    return before;
  }

  private static void move(double[] rates, double[] weights, double[] f, int i, int j) {
    double fi = f[i];
    double fj = f[j];
    double low = Math.max(-fi, fj - 1);
    double high = Math.min(fj, 1 - fi);
    if (high - low < 1e-12) {
      return;
    }
    double moved =
        new BrentOptimizer(1e-10, 1e-12)
            .optimize(
                new MaxEval(1000),
                GoalType.MAXIMIZE,
                new SearchInterval(low, high),
                new UnivariateObjectiveFunction(
                    x ->
                        weights[i] * freshness(rates[i], Math.max(0, fi + x))
                            + weights[j] * freshness(rates[j], Math.max(0, fj - x))))
            .getPoint();
    f[i] = Math.max(0, fi + moved);
    f[j] = Math.max(0, fj - moved);
  }

  /**
   * The same optimum by the simplex method: freshness is concave in the frequency, so the chords
   * between points of a grid make a linear program whose optimum lies a little below.
   */
  @Test
  void theSimplexMethodFindsTheSameOptimum() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 5; round++) {
      double[] rates = random.doubles(4, 0.05, 4).toArray();
      double[] weights = random.doubles(4, 0.1, 3).toArray();
      double budget = 0.3 + 3 * random.nextDouble();
      double[] frequencies = RefreshFrequencies.of(rates, weights, budget, 1);
      double ours = freshness(rates, weights, frequencies);
      double below = bySimplex(rates, weights, budget);
      double chords =
          ours - onChords(rates, weights, frequencies); // the program may lie so far below
      assertThat(ours)
          .as("seed %s, round %s", seed, round)
          .isBetween(below - 1e-9, below + chords + 1e-5); // the solver's own tolerance is 1e-6
    }
  }

  /** Freshness where each page's curve is replaced by its chords. */
  private static double onChords(double[] rates, double[] weights, double[] frequencies) {
    double sum = 0;
    for (int page = 0; page < rates.length; page++) {
      double at = frequencies[page] * (GRID - 1);
      int point = (int) Math.min(at, GRID - 2);
      double low = freshness(rates[page], point / (GRID - 1.0));
      double high = freshness(rates[page], (point + 1) / (GRID - 1.0));
      sum += weights[page] * (low + (at - point) * (high - low));
    }
    return sum;
  }

  /** Each frequency is a mix of 41 grid points; value and budget are the mixes of theirs. */
  private static double bySimplex(double[] rates, double[] weights, double budget) {
    double[] value = new double[rates.length * GRID];
    double[] spent = new double[value.length];
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int page = 0; page < rates.length; page++) {
      double[] ofPage = new double[value.length];
      for (int point = 0; point < GRID; point++) {
        double frequency = point / (GRID - 1.0);
        value[page * GRID + point] = weights[page] * freshness(rates[page], frequency);
        spent[page * GRID + point] = frequency;
        ofPage[page * GRID + point] = 1;
      }
      constraints.add(new LinearConstraint(ofPage, Relationship.EQ, 1));
    }
    constraints.add(new LinearConstraint(spent, Relationship.LEQ, budget));
    return new SimplexSolver()
        .optimize(
            new LinearObjectiveFunction(value, 0),
            new LinearConstraintSet(constraints),
            GoalType.MAXIMIZE,
            new NonNegativeConstraint(true))
        .getValue();
  }

  @Test
  void withWeightsInProportionToRatesTheOptimumIsInProportionToo() {
    // what Coffman, Liu and Weber's polling rests on
    double[] rates = {0.2, 0.7, 1.1, 2};
    double[] frequencies = RefreshFrequencies.of(rates, rates, 1.5, 100);
    double[] polled = Polling.proportional(rates, 1.5);
    for (int page = 0; page < rates.length; page++) {
      assertThat(polled[page]).isCloseTo(1.5 * rates[page] / 4, within(1e-12));
      assertThat(frequencies[page]).isCloseTo(polled[page], within(1e-4));
    }
  }

  private static double freshness(double[] rates, double[] weights, double[] frequencies) {
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += weights[i] * freshness(rates[i], frequencies[i]);
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

  /** The first refresh of a page brings w/λ, here 2 and 10; the second page stays over 2 so far. */
  @Test
  void fewRefreshesAllGoToThePageThatTheyBringMost() {
    double[] frequencies =
        RefreshFrequencies.of(new double[] {0.5, 0.1}, new double[] {1, 1}, 0.1, 1);
    assertThat(frequencies[0]).isZero();
    assertThat(frequencies[1]).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void whateverTheRatesAndWeightsTheBudgetIsSpentAndTheLimitKept() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int n = 1 + random.nextInt(60);
      int kinds = 1 + random.nextInt(4); // mostly fewer than pages: many are alike
      double orders = random.nextInt(4) == 0 ? 20 : 2;
      double[] kindRates = randomOrders(random, kinds, orders);
      double[] kindWeights = random.nextBoolean() ? kindRates : randomOrders(random, kinds, orders);
      double[] rates = new double[n];
      double[] weights = new double[n];
      double[] counts = new double[n];
      double limit = Math.pow(10, random.nextGaussian());
      double most = 0;
      for (int i = 0; i < n; i++) {
        int kind = random.nextInt(kinds);
        rates[i] = random.nextInt(20) == 0 ? 0 : kindRates[kind];
        weights[i] = random.nextInt(20) == 0 ? 0 : kindWeights[kind];
        counts[i] = 1 + random.nextInt(3);
        most += rates[i] > 0 && weights[i] > 0 ? counts[i] * limit : 0;
      }
      double budget = random.nextDouble() * 1.1 * n * limit;
      double[] frequencies = RefreshFrequencies.of(rates, weights, counts, budget, limit);
      double spent = 0;
      for (int i = 0; i < n; i++) {
        assertThat(frequencies[i])
            .as("seed %s, round %s", seed, round)
            .isBetween(0.0, limit * (1 + 1e-12));
        spent += counts[i] * frequencies[i];
      }
      double expected = Math.min(budget, most);
      assertThat(spent)
          .as("seed %s, round %s", seed, round)
          .isCloseTo(expected, within(1e-9 * expected));
    }
  }

  private static double[] randomOrders(Random random, int n, double orders) {
    double[] values = new double[n];
    Arrays.setAll(values, i -> Math.pow(10, orders * random.nextGaussian()));
    return values;
  }

  @Test
  void pagesAlikeShareTheBudgetEqually() {
    double[] ones = new double[1000];
    Arrays.fill(ones, 1);
    for (double rate : new double[] {1e-20, 0.01, 0.3, 1, 3, 50, 1e20}) {
      double[] rates = new double[1000];
      Arrays.fill(rates, rate);
      for (double frequency : RefreshFrequencies.of(rates, ones, 10, 1)) {
        assertThat(frequency).as("rate %s", rate).isCloseTo(0.01, within(1e-9));
      }
    }
  }

  @Test
  void pagesThatHardlyEverChangeLeaveTheOthersTheirFrequencies() {
    double[] plain = RefreshFrequencies.of(new double[] {1, 2, 3}, new double[] {1, 2, 1}, 1.5, 1);
    double[] beside =
        RefreshFrequencies.of(new double[] {1, 2, 3, 1e-30}, new double[] {1, 2, 1, 1}, 1.5, 1);
    double[] heavy =
        RefreshFrequencies.of(new double[] {1, 2, 3}, new double[] {1e305, 2e305, 1e305}, 1.5, 1);
    for (int page = 0; page < plain.length; page++) {
      assertThat(beside[page]).isCloseTo(plain[page], within(1e-9));
      assertThat(heavy[page]).isCloseTo(plain[page], within(1e-9));
    }
    assertThat(plain[0]).isNotCloseTo(plain[2], within(0.1));
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

  /** g(r) is the integral of r·e^(−r): Simpson's rule, of which no digits cancel. */
  @Test
  void theGainHasAllItsDigitsForSmallArgumentsToo() {
    for (double r : new double[] {1e-6, 3e-4, 9.99e-4, 1.01e-3, 0.02, 1, 6}) {
      int steps = 2_000;
      double sum = 0;
      for (int i = 0; i <= steps; i++) {
        double at = r * i / steps;
        int weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * at * Math.exp(-at);
      }
      double gain = sum * r / steps / 3;
      assertThat(RefreshFrequencies.gain(r))
          .as("r = %s", r)
          .isCloseTo(gain, within((r < 1e-3 ? 1e-13 : 1e-9) * gain));
    }
  }

  @Test
  void theInverseOfASmallGainHasNineDigits() {
    for (double r : new double[] {1e-6, 1e-5, 3e-4, 0.02, 0.5, 3}) {
      assertThat(RefreshFrequencies.inverseGain(RefreshFrequencies.gain(r)))
          .isCloseTo(r, within(1e-9 * r));
    }
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

  @Test
  void whatIsCutOffMayBringOthersToTheLimit() {
    // 2.25 of 2.5 is cut to 1, then 1.36 of the 1.5 left; what is left then is for the third
    assertThat(Polling.proportional(new double[] {100, 10, 1}, 2.5)).containsExactly(1, 1, 0.5);
    assertThat(Polling.proportional(new double[] {8, 1, 1}, 5))
        .as("enough for all")
        .containsExactly(1, 1, 1);
  }

  /** F, the share of the time a page is fresh; 0 when never refreshed, 1 when it never changes. */
  private static double freshness(double rate, double frequency) {
    if (rate == 0) {
      return 1;
    }
    return frequency == 0 ? 0 : -frequency / rate * Math.expm1(-rate / frequency);
  }
}
