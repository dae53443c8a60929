// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.schedule.RefreshQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The order of the default strategy over live histories, learned once for every batch committed:
 * asking again in between costs look-ups of a short list instead of passes over all pages. The
 * answer is the same.
 */
final class LiveOrder {
  private static final Duration PERIOD = Duration.ofDays(1);

  private final RefreshQueue learned = new RefreshQueue(new UserUtility(0), PERIOD);
  private long learnedAt = -1;

  /**
   * The best pages.
   *
   * @param learnable changes whenever the histories do
   */
  List<PagePriority> next(long learnable, PageHistories histories, int count, Instant now) {
    if (learnable != learnedAt) {
      learned.replan();
      learnedAt = learnable;
    }
    RefreshBudget budget = new RefreshBudget(count, now, PERIOD, 1);
    List<RefreshCandidate> best = learned.peek(KnownPages.of(histories), budget, now);
    return Priorities.described(histories, best);
  }
}
