// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/**
 * Where the documents of a segment stand in the order of keys, which decides among equal scores, as
 * seen from a few pages: one pass over the keys of the segment.
 */
final class TieOrder {
  private final int[] place; // by document
  private final int[] keysBefore; // by page asked about

  /**
   * Reads the order.
   *
   * @param pages keys of the pages asked about, ascending
   */
  TieOrder(PageKeys keys, int documents, List<BytesRef> pages, TimeBudget budget)
      throws IOException {
    this.place = new int[documents];
    this.keysBefore = new int[pages.size()];
    int[] read = new int[2]; // keys, pages that are behind
    keys.forEach(
        (key, doc) -> {
          budget.spend();
          while (read[1] < pages.size() && pages.get(read[1]).compareTo(key) <= 0) {
            keysBefore[read[1]++] = read[0];
          }
          place[doc] = read[0]++;
        });
    while (read[1] < pages.size()) {
      keysBefore[read[1]++] = read[0];
    }
  }

  /** Whether a document's page comes before a page asked about. */
  boolean isBefore(int doc, int page) {
    return place[doc] < keysBefore[page];
  }
}
