// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The pages that told of a change still to come, by the time of the next one: a page is found when
 * that has come, and not before, or sitemaps that name next year would have all their pages looked
 * at in every batch. Not safe for use by several threads.
 */
final class ChangesToCome {
  private final Map<String, Next> ofPage = new HashMap<>();
  private final TreeSet<Next> byTime =
      new TreeSet<>(Comparator.comparing(Next::at).thenComparing(Next::page));
  private Instant askedAt = Instant.MIN;

  /** The first change of a page that has not come yet. */
  private record Next(Instant at, String page) {}

  /**
   * What is known of a page from now on.
   *
   * @param changes times, increasing; those that have come do not matter
   */
  void put(String page, List<Instant> changes, Instant now) {
    remove(page);
    for (Instant at : changes) {
      if (at.isAfter(now)) {
        Next next = new Next(at, page);
        ofPage.put(page, next);
        byTime.add(next);
        return;
      }
    }
  }

  private void remove(String page) {
    Next before = ofPage.remove(page);
    if (before != null) {
      byTime.remove(before);
    }
  }

  /**
   * Hands over the pages whose next change has come, the earliest first; they wait for the one
   * after it.
   *
   * @param changes times by page, increasing
   */
  void forEachCome(Map<String, List<Instant>> changes, Instant now, Consumer<String> reader) {
    if (now.isBefore(askedAt)) { // some that had come are to come again
      changes.forEach((page, times) -> put(page, times, now));
    }
    askedAt = now;
    while (!byTime.isEmpty() && !byTime.first().at().isAfter(now)) {
      String page = byTime.first().page();
      reader.accept(page);
      put(page, changes.getOrDefault(page, List.of()), now);
    }
  }
}
