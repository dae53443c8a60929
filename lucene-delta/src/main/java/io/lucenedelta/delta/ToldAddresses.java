// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.PageHistory;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Finds out which addresses told are those of pages in the index, and forgets these, but not before
 * a commit holds the page that began after the address was told: who deletes a document may tell
 * its address before that is committed. Until then the address is hidden.
 *
 * <p>Not safe for use by several threads.
 */
final class ToldAddresses {
  private static final long LONG_AGO = -1;

  private final QueueFile file;

  /** Those to look up, each with the last batch begun when it was told. */
  private final Map<String, Long> notLookedUp = new HashMap<>();

  private final Map<String, Long> hidden = new HashMap<>(); // the same
  private long settledThen; // the batch settled last when they were looked up

  ToldAddresses(QueueFile file) {
    this.file = file;
  }

  /**
   * An address was told.
   *
   * @param begun see {@link BatchNames#begun}
   */
  void told(String page, long begun) {
    notLookedUp.put(page, begun);
  }

  /**
   * Looks up what was told or written since the last time.
   *
   * @param written pages whose histories may have changed since then; empty if it is not known
   *     which
   * @param settled the batch of the latest commit that the histories know
   * @param found gets each page of the index the first time that it is found, and what was told
   * @param missed gets each address that is that of no page of the index any more
   */
  void catchUp(
      StoredHistories histories,
      Optional<Set<String>> written,
      long settled,
      BiConsumer<Discovery, PageHistory> found,
      BiConsumer<String, Discovery> missed) {
    Map<String, Discovery> known = file.discovered();
    for (String page : written.orElse(known.keySet())) {
      if (known.containsKey(page)) {
        notLookedUp.putIfAbsent(page, LONG_AGO);
      }
    }
    notLookedUp.keySet().retainAll(known.keySet());
    if (settled != settledThen || written.isEmpty()) {
      lookAgain(histories, settled, missed);
      settledThen = settled;
    }
    for (Map.Entry<String, Long> told : notLookedUp.entrySet()) {
      String page = told.getKey();
      PageHistory history = histories.of(page).orElse(null);
      if (history == null) {
        continue;
      }
      if (settled > told.getValue()) {
        found.accept(file.forget(page), history);
      } else {
        found.accept(file.hide(page), history);
        hidden.put(page, told.getValue());
      }
    }
    notLookedUp.clear();
  }

  private void lookAgain(
      StoredHistories histories, long settled, BiConsumer<String, Discovery> missed) {
    hidden.keySet().retainAll(file.hidden().keySet()); // others were forgotten, or told again
    Iterator<Map.Entry<String, Long>> each = hidden.entrySet().iterator();
    while (each.hasNext()) {
      Map.Entry<String, Long> told = each.next();
      String page = told.getKey();
      boolean present = histories.of(page).isPresent();
      if (!present) {
        missed.accept(page, file.show(page));
      } else if (settled > told.getValue()) {
        file.forget(page);
      } else {
        continue;
      }
      each.remove();
    }
  }
}
