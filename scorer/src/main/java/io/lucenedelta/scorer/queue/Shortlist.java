// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The pages that can be among the best until a time, so that picking need not look at all pages.
 *
 * <p>The M pages of highest priority at that later time. Where {@linkplain RefreshPlan#ripens
 * priorities only grow}, every other page stays below the least of these until then, the {@link
 * #floor}: pages picked from the list are the best of all as long as their priority is not below
 * it. A page that is {@linkplain #fetched fetched} meanwhile falls, and one that becomes known by
 * such a fetch has hardly any age, but what the fetch found may have it rise above the floor before
 * the list ends: it is looked at once. One that becomes known and was fetched before, or free or
 * more urgent otherwise than by time, is to be {@linkplain #add added}.
 */
final class Shortlist {
  private final Set<String> pages = new HashSet<>();
  private final Set<String> fetched = new HashSet<>(); // pages that were not looked at since
  private final PriorityQueue<RefreshQueue.Hold> later; // those that end first are first
  private final double floor;
  private final Instant until;

  private Shortlist(
      List<RefreshCandidate> best,
      int size,
      Instant until,
      PriorityQueue<RefreshQueue.Hold> later) {
    this.later = later;
    best.forEach(candidate -> pages.add(candidate.page()));
    this.floor =
        best.size() < size ? Double.NEGATIVE_INFINITY : best.get(best.size() - 1).priority();
    this.until = until;
  }

  /**
   * The list of {@code size} pages, found in one pass over all.
   *
   * @param known pages that nobody holds now
   * @param held pages held back: each of them joins the list {@linkplain #addFreeAt when its hold
   *     has run out}, since to look up all that are held takes longer than all the rest of a batch
   */
  static Shortlist of(
      RefreshPlan plan,
      KnownPages known,
      Instant now,
      Instant until,
      int size,
      Collection<RefreshQueue.Hold> held) {
    PriorityQueue<RefreshQueue.Hold> later =
        new PriorityQueue<>(Comparator.comparing(RefreshQueue.Hold::until));
    for (RefreshQueue.Hold hold : held) {
      if (hold.until().isAfter(now) && !hold.until().isAfter(until)) {
        later.add(hold);
      }
    }
    return new Shortlist(plan.next(known, until, size), size, until, later);
  }

  /** Adds the pages whose holds, as they were when the list was made, have run out. */
  void addFreeAt(Instant now) {
    while (!later.isEmpty() && !later.peek().until().isAfter(now)) {
      pages.add(later.poll().page());
    }
  }

  /** Adds a page that may be among the best now and was not when the list was made. */
  void add(String page) {
    pages.add(page);
  }

  /** A page was fetched, which may be no longer too low. */
  void fetched(String page) {
    fetched.add(page);
  }

  /** Adds those of the pages fetched that will not be below the floor when the list ends. */
  void addRisen(RefreshPlan plan, KnownPages known) {
    if (!fetched.isEmpty()) {
      Set<String> free = Set.copyOf(fetched);
      for (RefreshCandidate page : plan.next(new SomePages(known, free), until, free.size())) {
        fetched.remove(page.page());
        if (page.priority() >= floor) {
          pages.add(page.page());
        }
      }
    }
  }

  /** Whether there was no other page when the list was made, so that none was ever too low. */
  boolean holdsAll() {
    return floor == Double.NEGATIVE_INFINITY;
  }

  /** The pages listed. */
  Set<String> pages() {
    return pages;
  }

  /** Whether its time is over. */
  boolean endsBefore(Instant now) {
    return now.isAfter(until);
  }

  /** Whether a batch picked from the list at a time is the best there is. */
  boolean vouchesFor(List<RefreshCandidate> batch, int asked, Instant now) {
    return !endsBefore(now)
        && (holdsAll() || (batch.size() == asked && batch.get(asked - 1).priority() >= floor));
  }
}
