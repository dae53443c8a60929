// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.util.Arrays;

/**
 * Keeps as many pages fresh as possible (SBR of the 2005 paper, section 6.1.1, after Cho and
 * Garcia-Molina): optimal frequencies for Poisson changes, scheduled under the hard budget by the
 * transportation problem.
 *
 * <p>Formula: Σ F(f, λ) over pages, F = (f/λ)(1 − e^(−λ/f)), largest under Σ f = B: by one Lagrange
 * multiplier, the value that ∂F/∂f has for all pages fetched. The rate λ of a page counts changes
 * whose divergence from the visit before exceeds τ.
 *
 * <p>Parameter: τ. The source has no default and reports the best of 0.1, 0.2 … 1 for each budget;
 * τ = 0 counts every change of the words.
 *
 * <p>Choices: with hindsight, pages that change too often to be kept fresh are abandoned, and so
 * are pages not seen to change: both starve. Where knowledge grows from period to period, a
 * schedule for all periods makes no sense: the most overdue page comes first instead, and a page's
 * first intervals grow by four weeks each, as for {@link ChoGarciaMolina}, since no page would ever
 * be seen to change otherwise; so nobody starves then. In the source a page is stale when the copy
 * held differs from the live page by more than τ, whatever happened between; here each change must
 * exceed τ against the visit before, so a page that drifts by less than τ from visit to visit, and
 * by more in the long run, has rate 0 although a copy of it goes stale. Needs visits to estimate
 * rates from.
 */
public final class Staleness implements RefreshPolicy {
  private static final int CHANGES = 0; // the only column of a page's row, changes in a period

  private final double threshold;
  private final Knowledge knowledge;
  private final long seed;

  /**
   * The policy.
   *
   * @param threshold τ in [0, 1]
   * @param knowledge where it is hindsight all is known, so that all periods are scheduled at once
   * @throws IllegalArgumentException if the threshold lies outside
   * @throws NullPointerException if no knowledge is named
   */
  public Staleness(double threshold, Knowledge knowledge, long seed) {
    this.threshold = FreshestPlan.threshold(threshold);
    this.knowledge = FreshestPlan.named(knowledge);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    PageTable pages =
        PageTable.of(
            known,
            CHANGES + 1,
            page -> {
              double perDay = ChangeRate.of(page.visits(), threshold);
              return new double[] {perDay * budget.periodDays()};
            });
    double[] weights = new double[pages.size()];
    Arrays.fill(weights, 1);
    return FreshestPlan.of(pages, pages.column(CHANGES), weights, budget, knowledge, seed);
  }
}
