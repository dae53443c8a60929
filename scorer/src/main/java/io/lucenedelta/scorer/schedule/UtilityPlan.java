// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.time.Instant;

/**
 * Refreshes the pages whose utility has reached a threshold, largest utility first (2008, section
 * 2.2).
 *
 * <p>The paper lets the threshold T decide how much is refreshed. Under a hard budget a T that is
 * too low only means that the budget decides; T = 0 spends it on whatever has any utility. Pages
 * never fetched come first: their copy is wholly divergent.
 */
final class UtilityPlan {
  private UtilityPlan() {}

  /** U of a page that was refreshed {@code page.age(now)} days ago, in the unit of its form. */
  interface Utility {
    double of(KnownPage page, Instant now);
  }

  /** T as it is, if it is one. */
  static double threshold(double threshold) {
    if (!(threshold >= 0)) {
      throw new IllegalArgumentException(
          "the utility threshold must be 0 or more, was " + threshold);
    }
    return threshold;
  }

  static RefreshPlan of(Utility utility, double threshold, long seed) {
    Priority priority =
        (page, now) -> {
          if (page.neverFetched()) {
            return Double.MAX_VALUE;
          }
          double gained = utility.of(page, now);
          return gained > 0 && gained >= threshold ? gained : Priority.NEVER;
        };
    return priority.highestFirst(seed);
  }
}
