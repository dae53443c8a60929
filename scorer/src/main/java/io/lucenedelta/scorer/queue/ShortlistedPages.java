// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * The best pages of a moment, by look-ups of a {@link Shortlist} as long as it serves, else in a
 * pass over all pages.
 *
 * <p>A list is made for the end of a time. Where priorities grow much in that time, as those of
 * pages that were all fetched yesterday do, it holds pages that will be among the best and cannot
 * tell who is now: then the next is made for a shorter time, and for a longer one again when it has
 * lasted. Not safe for use by several threads.
 */
final class ShortlistedPages {
  /** Pages on a list for each page asked for, and the fewest. */
  private static final int LISTED = 8;

  private static final int FEWEST_LISTED = 1_000;

  /** How much shorter the time is when a list says nothing, and longer when it has lasted. */
  private static final int STEP = 4;

  /** Pages age by the second; a time of nothing would never grow again. */
  private static final Duration SHORTEST = Duration.ofSeconds(1);

  /** To look up one page takes as long as to pass so many, or longer. */
  private static final int PAGES_A_LOOK_UP = 16;

  private Shortlist list;
  private int listed; // pages on it when it was made
  private int asked; // pages then asked for
  private Duration ahead; // how long lists are to last; null for all the time there is

  /** The next question looks at all pages. */
  void forget() {
    list = null;
  }

  /** A page became known, free or more urgent otherwise than by time. */
  void consider(String page) {
    if (list != null) {
      list.add(page);
    }
  }

  /**
   * A page was fetched just now, or came by a fetch: it is low, unless it is found to change often.
   */
  void fetched(String page) {
    if (list != null) {
      list.fetched(page);
    }
  }

  /**
   * The best pages.
   *
   * @param end when the plan ends
   * @param held pages held back, some of which are free before a list ends
   */
  List<RefreshCandidate> best(
      RefreshPlan plan,
      KnownPages pages,
      Instant now,
      int count,
      Instant end,
      Collection<RefreshQueue.Hold> held) {
    if (count == 0) {
      return List.of();
    }
    if (!plan.ripens()) {
      return plan.next(pages, now, count);
    }
    if (list != null) {
      list.addRisen(plan, pages);
    }
    if (list != null && !isShort(pages, count)) {
      list = null;
    }
    if (list != null) {
      list.addFreeAt(now);
      List<RefreshCandidate> batch = listed(plan, pages, now, count);
      if (list.vouchesFor(batch, count, now)) {
        return batch;
      }
      if (list.endsBefore(now) && ahead != null) {
        ahead = ahead.multipliedBy(STEP);
      }
    }
    Duration left = Duration.between(now, end);
    if (ahead != null && ahead.compareTo(left) >= 0) {
      ahead = null;
    }
    Duration lasting = ahead == null ? left : ahead;
    int size = (int) Math.min(Integer.MAX_VALUE / 2, wanted(count));
    list = Shortlist.of(plan, pages, now, now.plus(lasting), size, held);
    listed = list.pages().size();
    asked = count;
    List<RefreshCandidate> batch = listed(plan, pages, now, count);
    if (list.vouchesFor(batch, count, now)) {
      return batch;
    }
    Duration shorter = lasting.dividedBy(STEP);
    ahead = shorter.compareTo(SHORTEST) < 0 ? SHORTEST : shorter;
    list = null;
    return plan.next(pages, now, count);
  }

  /**
   * Whether a new list would not be so much shorter that it takes less time. It would if the list
   * was made for a much larger batch, or has grown since: who reads a sitemap, or follows the links
   * of pages, tells of most pages of the index.
   */
  private boolean isShort(KnownPages pages, int count) {
    long more = Math.max(FEWEST_LISTED, pages.size() / PAGES_A_LOOK_UP);
    int all = list.pages().size();
    return all - listed <= more && (count >= asked || all <= wanted(count) + more);
  }

  private static long wanted(int count) {
    return Math.max(FEWEST_LISTED, (long) LISTED * count);
  }

  private List<RefreshCandidate> listed(
      RefreshPlan plan, KnownPages pages, Instant now, int count) {
    return plan.next(new SomePages(pages, list.pages()), now, count);
  }
}
