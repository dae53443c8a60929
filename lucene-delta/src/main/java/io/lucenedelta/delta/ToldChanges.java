// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes that pages say they had and that were not fetched yet: by page, times increasing. Not
 * safe for use by several threads.
 */
final class ToldChanges {
  /** Times kept of a page; more say no more about how urgent it is. */
  private static final int KEPT = 16;

  /** The earliest and the latest time that a file of the queue can hold. */
  private static final Instant FIRST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final Map<String, List<Instant>> times = new HashMap<>();
  private final Set<String> unchecked = new HashSet<>(); // pages told since they were looked up
  private final Set<String> early = new HashSet<>(); // pages with changes still to come

  /**
   * A page says that it changed at a time, which can be any, also one after {@code now}; returns
   * whether that is news.
   */
  boolean add(String page, Instant told, Instant now) {
    Instant at = told.isBefore(FIRST) ? FIRST : told.isAfter(LAST) ? LAST : told;
    List<Instant> known = times.computeIfAbsent(page, p -> new ArrayList<>(1));
    int place = known.size();
    // a time still to come, perhaps of a wrong clock, is passed by: it says nothing of the past
    while (place > 0 && known.get(place - 1).isAfter(at) && known.get(place - 1).isAfter(now)) {
      place--;
    }
    if (place > 0 && !at.isAfter(known.get(place - 1))) {
      return false; // sitemaps say the same every day
    }
    known.add(place, at);
    unchecked.add(page);
    if (known.size() > KEPT) {
      known.remove(known.get(KEPT).isAfter(now) ? KEPT : 0);
    }
    return true;
  }

  /** Forgets what a page said. */
  void forget(String page) {
    times.remove(page);
    unchecked.remove(page);
    early.remove(page);
  }

  /** The same, independent of this one. */
  ToldChanges copy() {
    ToldChanges copy = new ToldChanges();
    times.forEach((page, changes) -> copy.times.put(page, new ArrayList<>(changes)));
    return copy;
  }

  /** Changes by page. */
  Map<String, List<Instant>> byPage() {
    return times;
  }

  /**
   * Forgets changes that were fetched since, and those of pages that are not in the index.
   *
   * @param written pages whose histories may have changed since the last time; of the others only
   *     what was told since is looked at; empty if it is not known which
   * @return pages of which a change is still to come, or was when they were looked at last
   */
  Set<String> forgetFetched(PageHistories histories, Optional<Set<String>> written, Instant now) {
    unchecked.addAll(written.orElse(times.keySet()));
    unchecked.retainAll(times.keySet());
    for (String key : unchecked) {
      PageHistory page = histories.of(key).orElse(null);
      List<Instant> changes = times.get(key);
      changes.removeIf(at -> page == null || !at.isAfter(page.lastRefresh()));
      if (changes.isEmpty()) {
        times.remove(key);
        early.remove(key);
      } else if (changes.get(changes.size() - 1).isAfter(now)) {
        early.add(key);
      }
    }
    unchecked.clear();
    return early;
  }

  /** The pages concerned alone, as their histories know them, with what they say. */
  KnownPages over(PageHistories histories, Instant now) {
    return new KnownPages() {
      @Override
      public long size() {
        return times.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        forEach(times.keySet(), reader);
      }

      @Override
      public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
        histories.forEach(
            pages,
            page -> {
              List<Instant> changes = times.get(page.page());
              if (changes != null) {
                reader.accept(told(page, changes, now));
              }
            });
      }
    };
  }

  /** A page with its changes but those still to come; strategies pass by those fetched since. */
  private static KnownPage told(PageHistory page, List<Instant> changes, Instant now) {
    int past = changes.size();
    while (past > 0 && changes.get(past - 1).isAfter(now)) {
      past--;
    }
    return new KnownPages.SummedPage(page, false, changes.subList(0, past), 1);
  }
}
