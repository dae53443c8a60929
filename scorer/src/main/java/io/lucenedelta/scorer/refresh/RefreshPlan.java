// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;

/** What a strategy has worked out for many periods; immutable. */
@FunctionalInterface
public interface RefreshPlan {
  /**
   * The pages to fetch now, the most urgent first, at most {@code budget} of them.
   *
   * <p>A period is spent in rounds: the caller fetches what it gets and asks again with what is
   * left of the budget, until it is spent or the answer is empty. So a strategy that samples can
   * look at its samples before it goes on. Pages fetched at {@code now} already, in an earlier
   * round, are never returned.
   *
   * @param known the pages; their {@code lastRefresh} is at {@code now} when they were fetched in
   *     an earlier round of this period
   * @param budget refreshes left in this period, 0 or more
   */
  List<RefreshCandidate> next(KnownPages known, Instant now, int budget);

  /**
   * Whether priorities only grow: the priority computed now for a later time t bounds the page's
   * priority until t, unless something new becomes known of it, and pages are chosen by priority
   * alone. Then the best pages until t are among those on a short list made for t or those that
   * gained on them.
   */
  default boolean ripens() {
    return false;
  }
}
