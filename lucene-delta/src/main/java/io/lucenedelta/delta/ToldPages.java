// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the order of pages takes from elsewhere than their histories.
 *
 * @param changes that pages say they had
 * @param discovered pages of which only the address is known, and some that are in the index by now
 * @param words what is made of the words told of them
 * @param indexed gets those of {@code discovered} that are in the histories asked for last: an
 *     answer may have been thrown away that came from others
 */
record ToldPages(
    ToldChanges changes,
    Map<String, Discovery> discovered,
    PromisingWords words,
    Set<String> indexed) {

  /** For an order of pages of the index alone. */
  static ToldPages of(ToldChanges changes) {
    return new ToldPages(changes, Map.of(), null, Set.of());
  }

  /** The pages of the index, and those that were never fetched. */
  KnownPages known(PageHistories histories, Instant now) {
    KnownPages ofIndex = changes.known(histories, now);
    if (discovered.isEmpty()) {
      return ofIndex;
    }
    indexed.clear();
    histories.forEach(discovered.keySet(), page -> indexed.add(page.page()));
    Map<String, Discovery> unseen = new HashMap<>(discovered);
    unseen.keySet().removeAll(indexed);
    return new DiscoveredPages(ofIndex, unseen, words);
  }
}
