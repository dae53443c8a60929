// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What the order of pages takes from elsewhere than their histories.
 *
 * @param changes that pages say they had
 * @param discovered pages of which only the address is known, and some that are in the index by now
 * @param words what is made of the words told of them
 */
record OrderSources(ToldChanges changes, Map<String, Discovery> discovered, PromisingWords words) {
  /**
   * Pages to put in an order.
   *
   * @param indexed those of {@code discovered} that are in the index
   */
  record Known(KnownPages pages, Set<String> indexed) {}

  /** For an order of pages of the index alone. */
  static OrderSources of(ToldChanges changes) {
    return new OrderSources(changes, Map.of(), null);
  }

  /** The pages of the index, and those that were never fetched. */
  Known known(PageHistories histories, Instant now) {
    KnownPages ofIndex = changes.known(histories, now);
    if (discovered.isEmpty()) {
      return new Known(ofIndex, Set.of());
    }
    Set<String> indexed = new HashSet<>();
    histories.forEach(discovered.keySet(), page -> indexed.add(page.page()));
    Map<String, Discovery> unseen = new HashMap<>(discovered);
    unseen.keySet().removeAll(indexed);
    return new Known(new DiscoveredPages(ofIndex, unseen, words), indexed);
  }
}
