// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The optimality conditions of the paper, and that they are conditions of an optimum. */
class LambdaCrawlTest {
  private final Random random = new Random(17);
  private final double[] change = random.doubles(12, 0.02, 3).toArray();
  private final double[] importance = random.doubles(12, 0.1, 5).toArray();
  private final boolean[] announced = new boolean[12];

  @Test
  void allMarginalPenaltiesAreTheMultiplierAndTheBudgetIsSpent() {
    announced[3] = true;
    announced[7] = true;
    double lambda = LambdaCrawl.multiplier(change, importance, announced, 4);
    double spent = 0;
    for (int i = 0; i < change.length; i++) {
      if (announced[i]) {
        double p = LambdaCrawl.chance(change[i], importance[i], lambda);
        spent += p * change[i];
        // −∂/∂p of −μ ln p, per crawl: μ/(pΔ); held at p = 1 it is worth more
        assertThat(importance[i] / (p * change[i])).isGreaterThanOrEqualTo(lambda * (1 - 1e-9));
        assertThat(p == 1 || Math.abs(importance[i] / (p * change[i]) - lambda) < 1e-9).isTrue();
      } else {
        double rho = LambdaCrawl.rate(change[i], importance[i], lambda);
        spent += rho;
        // −∂/∂ρ of μ ln((Δ + ρ)/ρ)
        double marginal = importance[i] * change[i] / (rho * (rho + change[i]));
        assertThat(marginal).isCloseTo(lambda, within(1e-9 * lambda));
      }
    }
    assertThat(spent).isCloseTo(4, within(1e-6));
  }

  @Test
  void movingBudgetBetweenPagesOnlyAddsPenalty() {
    double lambda = LambdaCrawl.multiplier(change, importance, announced, 4);
    double[] rates = new double[change.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = LambdaCrawl.rate(change[i], importance[i], lambda);
    }
    double best = penalty(rates);
    for (int round = 0; round < 200; round++) {
      int from = random.nextInt(rates.length);
      int to = random.nextInt(rates.length);
      double moved = rates[from] * random.nextDouble();
      rates[from] -= moved;
      rates[to] += moved;
      assertThat(penalty(rates)).isGreaterThanOrEqualTo(best - 1e-12);
      rates[from] += moved;
      rates[to] -= moved;
    }
  }

  private double penalty(double[] rates) {
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += importance[i] * Math.log((change[i] + rates[i]) / rates[i]);
    }
    return sum;
  }

  @Test
  void noPageThatChangesIsAbandoned() {
    double lambda = LambdaCrawl.multiplier(change, importance, announced, 0.01);
    for (int i = 0; i < change.length; i++) {
      assertThat(LambdaCrawl.rate(change[i], importance[i], lambda)).isPositive();
    }
  }
}
