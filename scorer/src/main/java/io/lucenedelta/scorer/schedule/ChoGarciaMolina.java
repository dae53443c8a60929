// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.util.Arrays;

/**
 * Freshness-optimal frequencies for change rates estimated on the way (Olston and Pandey 2008,
 * section 5.3, after Cho and Garcia-Molina 2003, both papers): any change of the contents counts.
 *
 * <p>Formula: λ by {@link ChangeRate}, then f as for {@link Staleness} for every change.
 *
 * <p>Parameter: l. As in the 2008 comparison a page's first intervals grow linearly, by l days
 * each, so that rates can be learned; the source gives no l, here it is four weeks by default.
 *
 * <p>Choices: under a hard budget the page overdue by the largest multiple of its interval comes
 * first. The warm-up has no end, unlike the source's: l days times its visits bound every page's
 * interval for good, so nobody starves.
 */
public final class ChoGarciaMolina implements RefreshPolicy {
  private static final int CHANGES = 0; // the only column of a page's row, changes in a period

  private final double warmUpDays;
  private final long seed;

  /**
   * The policy.
   *
   * @param warmUpDays l, positive and finite
   * @throws IllegalArgumentException if it is not
   */
  public ChoGarciaMolina(double warmUpDays, long seed) {
    if (!(warmUpDays > 0 && warmUpDays <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "warmUpDays must be positive and finite, was " + warmUpDays);
    }
    this.warmUpDays = warmUpDays;
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double days = budget.periodDays();
    PageTable pages =
        PageTable.of(
            known, CHANGES + 1, page -> new double[] {ChangeRate.of(page.visits()) * days});
    double[] weights = new double[pages.size()];
    Arrays.fill(weights, 1);
    double[] frequencies =
        RefreshFrequencies.of(pages.column(CHANGES), weights, budget.perPeriod(), 1);
    double[] perDay = Arrays.stream(frequencies).map(f -> f / days).toArray();
    return FrequencyPlan.of(pages.byPage(perDay), warmUpDays, seed);
  }
}
