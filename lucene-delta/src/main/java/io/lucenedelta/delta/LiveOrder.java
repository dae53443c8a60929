// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The order of the default strategy over live histories.
 *
 * <p>What holds for all pages is kept up to date by every commit ({@link
 * io.lucenedelta.scorer.refresh.LearnedGains}), what holds for one page is as of the last commit.
 * So the first question after a commit is one pass over all pages, later ones are look-ups of a
 * short list.
 */
final class LiveOrder {
  private static final Duration LEASE = Duration.ofDays(1); // of which there is none

  /**
   * The best pages.
   *
   * @param indexed pages told as discovered that are in the index
   */
  record Ordered(List<PagePriority> pages, Set<String> indexed) {}

  private final RefreshQueue queue;
  private long askedAt = -1; // changes count from 0

  /**
   * Nothing was learned yet.
   *
   * @param seed of the order among ties, that of the manifest: or a site could choose addresses
   *     that come before all others of the same priority
   */
  LiveOrder(long seed) {
    queue = queue(LEASE, List.of(), seed);
  }

  /**
   * A queue by utility alone: what has waited longest is set aside where pages are handed out.
   *
   * @param seed of the order among ties
   */
  static RefreshQueue queue(Duration lease, List<RefreshQueue.Hold> holds, long seed) {
    return new RefreshQueue(strategy(seed), lease, holds, seed);
  }

  private static RefreshPolicy strategy(long seed) {
    return new UserUtility(GainParameters.LEARNING.withWaitingShare(0), seed);
  }

  /** More is told of pages than before, in other ways than by {@code changes}. */
  void planAnew() {
    askedAt = -1;
  }

  /** Keeps nothing of what was learned. */
  void release() {
    queue.replan();
  }

  /**
   * The best pages.
   *
   * @param changes a larger number whenever a history changed, 0 or more
   * @param sources of pages, beside their histories
   */
  Ordered next(
      long changes, PageHistories histories, OrderSources sources, int count, Instant time) {
    Priorities.requireCount(count);
    Instant now = Priorities.plannable(time);
    long known = changes + sources.changes().publishers().doubts();
    if (known != askedAt) {
      queue.replan();
      askedAt = known;
    }
    RefreshBudget budget = RefreshBudget.atAnyTime(count, now);
    KnownPages changed = sources.changes().pagesWithChanges(histories, now);
    OrderSources.Known all = sources.known(histories, now);
    List<RefreshCandidate> best = queue.peek(all.pages(), changed, budget, now);
    return new Ordered(Priorities.described(histories, best), all.indexed());
  }
}
