// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.Foresight;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.util.Objects;

/**
 * Refreshes a page when the utility of its true divergence since the last refresh reaches T (Olston
 * and Pandey 2008, section 3.4: FS-D, {@code fragment-dynamic}, and HS-D, {@code
 * holistic-dynamic}).
 *
 * <p>Formula: U(t) = t·D(t) − ∫D as for {@link StaticUtility}, with the divergence curve D that
 * occurred between the last refresh and now. Parameters: T in divergence × days, 0 or more, a lower
 * bound where the budget decides; the {@link UtilityForm}: of the naive one, D(t) in place of U(t),
 * T is a divergence, and all pages that are stale are equal where staleness is holistic.
 *
 * <p>Departure: between snapshots D is linear, not weighted by the page's eagerness (appendix B),
 * by which a page that changed once, when it was first seen, would have no utility for good.
 * Choice: it sees the live page even while that is not fetched, so it is a reference line for
 * staleness, as the clairvoyant one is for quality. Pages whose copy is up to date are left alone.
 */
public final class DynamicUtility implements RefreshPolicy {
  private final Foresight foresight;
  private final Divergence divergence;
  private final UtilityForm form;
  private final double threshold;
  private final long seed;

  /**
   * The policy of the source, by {@link UtilityForm#OPTIMAL}.
   *
   * @param divergence how a copy's distance from the live page counts
   * @param threshold T in divergence × days, 0 or more
   * @throws IllegalArgumentException if the threshold is negative or not a number
   * @throws NullPointerException if {@code foresight} or {@code divergence} is null
   */
  public DynamicUtility(Foresight foresight, Divergence divergence, double threshold, long seed) {
    this(foresight, divergence, UtilityForm.OPTIMAL, threshold, seed);
  }

  /**
   * The policy by one form of utility.
   *
   * @param divergence how a copy's distance from the live page counts
   * @param threshold T in the unit of the form, 0 or more
   * @throws IllegalArgumentException if the threshold is negative or not a number
   * @throws NullPointerException if {@code foresight}, {@code divergence} or {@code form} is null
   */
  public DynamicUtility(
      Foresight foresight, Divergence divergence, UtilityForm form, double threshold, long seed) {
    this.foresight =
        Objects.requireNonNull(foresight, "utility of live pages needs foresight, was null");
    this.divergence = Objects.requireNonNull(divergence, Divergence.NONE_NAMED);
    this.form = Objects.requireNonNull(form, UtilityForm.NONE_NAMED);
    this.threshold = UtilityPlan.threshold(threshold);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    return UtilityPlan.of(
        (page, now) ->
            form.of(
                divergence == Divergence.HOLISTIC
                    ? foresight.holisticDrift(page.page(), page.lastRefresh())
                    : foresight.drift(page.page(), page.lastRefresh()),
                page.age(now)),
        threshold,
        seed);
  }
}
