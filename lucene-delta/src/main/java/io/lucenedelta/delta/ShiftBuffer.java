// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;

/**
 * The score shifts of one page while it is measured: a query, the page's score for it before (s1)
 * and after (s2). Filled and emptied page by page, so it stays as small as the page with the most
 * shifts needs; those of a whole batch are in {@link BatchShifts}. For one thread.
 */
final class ShiftBuffer {
  private int[] query = new int[256];
  private double[] before = new double[query.length];
  private double[] after = new double[query.length];
  private int size;

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  void add(int queryNumber, double scoreBefore, double scoreAfter) {
    int at = size;
    if (at == query.length) {
      grow();
    }
    query[at] = queryNumber;
    before[at] = scoreBefore;
    after[at] = scoreAfter;
    size = at + 1;
  }

  private void grow() {
    int longer = Math.multiplyExact(2, query.length);
    query = Arrays.copyOf(query, longer);
    before = Arrays.copyOf(before, longer);
    after = Arrays.copyOf(after, longer);
  }

  int query(int shift) {
    return query[shift];
  }

  double before(int shift) {
    return before[shift];
  }

  double after(int shift) {
    return after[shift];
  }

  /** The queries of all shifts; only the first {@link #size} mean something. */
  int[] queries() {
    return query;
  }
}
