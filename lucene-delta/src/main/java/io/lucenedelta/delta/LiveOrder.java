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
 * The order of the default strategy over live histories.
 *
 * <p>What holds for all pages is learned once a day, and whenever more than a hundredth of the
 * pages were refreshed since; what holds for one page is always as of the last commit. So the first
 * question after a commit is usually one pass over all pages, later ones look-ups of a short list.
 */
final class LiveOrder {
  private static final Duration PERIOD = Duration.ofDays(1);

  private static final int LEARNED_AGAIN = 100; // after refreshes of one page in so many

  private final RefreshQueue learned = new RefreshQueue(new UserUtility(0), PERIOD);
  private long learnedAt = Long.MIN_VALUE / 2;
  private long askedAt = Long.MIN_VALUE / 2;

  /**
   * The best pages.
   *
   * @param changes counts the histories that changed: those of single pages by one each, all of
   *     them by more than their number
   * @param told changes that pages say they had
   */
  List<PagePriority> next(
      long changes, PageHistories histories, ToldChanges told, int count, Instant now) {
    if (changes - learnedAt > histories.size() / LEARNED_AGAIN) {
      learned.replan();
      learnedAt = changes;
    } else if (changes != askedAt) {
      learned.reconsider();
    }
    askedAt = changes;
    RefreshBudget budget = new RefreshBudget(count, now, PERIOD, 1);
    List<RefreshCandidate> best =
        learned.peek(KnownPages.of(histories), told.over(histories, now), budget, now);
    return Priorities.described(histories, best);
  }
}
