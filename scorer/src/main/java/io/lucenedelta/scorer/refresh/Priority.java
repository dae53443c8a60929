// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/** P(p, t): how urgent it is to fetch a page now (2005, section 4). */
@FunctionalInterface
public interface Priority {
  /** The priority of a page that must not be fetched now, whatever the budget. */
  double NEVER = Double.NEGATIVE_INFINITY;

  /** The priority of a page at a time; larger is more urgent, {@link #NEVER} excludes it. */
  double of(KnownPage page, Instant now);

  /** The plan that fetches the pages of highest priority, ties by {@code seed}. */
  default RefreshPlan highestFirst(long seed) {
    return (known, now, budget) -> {
      TopPages top = new TopPages(budget, seed);
      known.forEach(
          page -> {
            if (page.neverFetched() || page.lastRefresh().isBefore(now)) {
              double priority = of(page, now);
              if (priority != NEVER) {
                top.offer(page.page(), priority);
              }
            }
          });
      return top.bestFirst();
    };
  }
}
