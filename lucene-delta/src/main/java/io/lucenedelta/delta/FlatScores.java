// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * Whether a word scores the same in every page that has it in a field. So it is with a similarity
 * that looks at neither frequencies nor lengths, and in fields that have neither: pages then differ
 * only by which words they have in which fields, and most results of a query tie. For one thread.
 */
final class FlatScores {
  private final TermScores scores;
  private final int[] frequency; // by field: of the first word seen there, 0 before
  private final long[] norm; // likewise
  private long pages;

  FlatScores(TermScores scores, int fields) {
    this.scores = scores;
    this.frequency = new int[fields];
    this.norm = new long[fields];
  }

  /** Whether each word of a page scores what it would where the first one of its field stood. */
  boolean holdFor(VectorBuffer page) {
    boolean any = false;
    page.rewind();
    while (page.next()) {
      int field = page.field();
      if (frequency[field] == 0) {
        frequency[field] = page.frequency();
        norm[field] = page.norm();
      }
      float here = scores.score(field, page.term(), page.frequency(), page.norm());
      if (here != scores.score(field, page.term(), frequency[field], norm[field])) {
        return false;
      }
      any = true;
    }
    pages += any ? 1 : 0;
    return true;
  }

  /** Pages for which they hold and that have a word of the workload: others say nothing. */
  long pages() {
    return pages;
  }
}
