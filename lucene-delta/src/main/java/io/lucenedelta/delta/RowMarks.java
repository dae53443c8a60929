// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.util.ArrayUtil;

/**
 * What pages have published, by row of {@link PageColumns}: 2 bytes a row on the heap, in no file.
 * Rows beyond those that were marked publish nothing.
 */
final class RowMarks {
  private static final int MISSED = 1 << 15; // the other bits: 1 more than were fetched

  private char[] marks;

  RowMarks(int rows) {
    marks = new char[rows];
  }

  /** Marks a row; a negative one is no page's. See {@link PageColumns#mark}. */
  void mark(int row, int publishedAndFetched, boolean missed) {
    if (row >= marks.length && publishedAndFetched >= 0) {
      marks = ArrayUtil.grow(marks, row + 1);
    }
    if (row >= 0 && row < marks.length) {
      int most = Math.min(publishedAndFetched, MISSED - 2);
      marks[row] = (char) (most < 0 ? 0 : (most + 1) | (missed ? MISSED : 0));
    }
  }

  /** See {@link MarkedHistory#publishedAndFetched}. */
  int publishedAndFetched(int row) {
    return (of(row) & ~MISSED) - 1;
  }

  /** See {@link MarkedHistory#missed}. */
  boolean missed(int row) {
    return (of(row) & MISSED) != 0;
  }

  private int of(int row) {
    return row < marks.length ? marks[row] : 0;
  }
}
