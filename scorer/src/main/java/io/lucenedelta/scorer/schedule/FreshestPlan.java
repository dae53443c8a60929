// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.util.Arrays;
import java.util.Objects;

/**
 * Keeps as much weight fresh as a budget allows: what {@link Staleness} and {@link Embarrassment}
 * share, which weigh pages differently (2005, section 6.1).
 */
final class FreshestPlan {
  /** Days by which the first intervals of a page grow where its rate must be learned. */
  static final double WARM_UP_DAYS = 28;

  private FreshestPlan() {}

  /**
   * τ, checked.
   *
   * @throws IllegalArgumentException if it lies outside [0, 1]
   */
  static double threshold(double threshold) {
    if (!(threshold >= 0 && threshold <= 1)) {
      throw new IllegalArgumentException("threshold must lie in [0, 1], was " + threshold);
    }
    return threshold;
  }

  /**
   * Knowledge, checked.
   *
   * @throws NullPointerException if it is null
   */
  static Knowledge named(Knowledge knowledge) {
    return Objects.requireNonNull(
        knowledge, "what is known, hindsight or online, must be named, was null");
  }

  /**
   * The plan of largest weighted freshness.
   *
   * @param rates changes per period by page
   * @param weights by page
   * @param knowledge in hindsight all is known, so that all periods are scheduled at once; online
   *     the most overdue page comes first
   */
  static RefreshPlan of(
      PageTable pages,
      double[] rates,
      double[] weights,
      RefreshBudget budget,
      Knowledge knowledge,
      long seed) {
    double[] frequencies = RefreshFrequencies.of(rates, weights, budget.perPeriod(), 1);
    if (knowledge == Knowledge.HINDSIGHT) {
      return new HardSchedule(pages, rates, weights, budget, seed).plan(frequencies);
    }
    double[] perDay = Arrays.stream(frequencies).map(f -> f / budget.periodDays()).toArray();
    return FrequencyPlan.of(pages.byPage(perDay), WARM_UP_DAYS, seed);
  }
}
