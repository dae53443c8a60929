// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Rounds in each of which every page is fetched once, counted back from when pages were fetched.
 *
 * <p>Every fetch of a page is its turn in one round. A page's first fetch is its turn in the round
 * that the others were in, the earliest in which one of those fetched before still waited. When all
 * have had their turn in a round the next one begins, in the same period if budget is left; a page
 * that was fetched in this period waits for a later one, but keeps its turn.
 */
final class Rounds {
  private final Map<String, Integer> turns = new HashMap<>(); // rounds a page has behind it
  private final TreeMap<Integer, Integer> pages = new TreeMap<>(); // how many have so many

  private Rounds() {}

  /**
   * The rounds of some pages; none where it is not kept of one when it was fetched.
   *
   * @param takesTurns whether a page takes part
   */
  static Optional<Rounds> of(KnownPages known, Predicate<KnownPage> takesTurns) {
    TreeMap<Instant, List<String>> fetches = new TreeMap<>();
    boolean[] kept = {true};
    known.forEach(
        page -> {
          if (kept[0] && takesTurns.test(page)) {
            List<Instant> times = page.fetches();
            kept[0] = page.neverFetched() || !times.isEmpty();
            for (Instant time : times) {
              fetches.computeIfAbsent(time, t -> new ArrayList<>()).add(page.page());
            }
          }
        });
    if (!kept[0]) {
      return Optional.empty();
    }
    Rounds rounds = new Rounds();
    fetches.values().forEach(rounds::fetched);
    return Optional.of(rounds);
  }

  /** Counts fetches that took place at one time. */
  private void fetched(List<String> together) {
    int current = current();
    for (String page : together) {
      Integer before = turns.get(page);
      if (before != null) {
        pages.merge(before, -1, (a, b) -> a + b == 0 ? null : a + b);
      }
      int after = (before == null ? current : before) + 1;
      turns.put(page, after);
      pages.merge(after, 1, Integer::sum);
    }
  }

  /** The round that is going on, from 0. */
  private int current() {
    return pages.isEmpty() ? 0 : pages.firstKey();
  }

  /** The round in which a page has its next turn; one never fetched, in the one going on. */
  int next(String page) {
    return turns.getOrDefault(page, current());
  }
}
