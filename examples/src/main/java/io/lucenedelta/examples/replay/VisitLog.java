// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Which pages were visited in which weeks. While visits are added, safe for several threads only if
 * each has pages of its own.
 */
final class VisitLog {
  private static final short[] NONE = {};

  private final short[][] weeks;
  private final short[] count;

  VisitLog(int pages) {
    weeks = new short[pages][];
    Arrays.fill(weeks, NONE);
    count = new short[pages];
  }

  /**
   * A crawler that visits pages in each of these weeks, from the week they appear.
   *
   * @param unseen pages it never visits
   */
  static VisitLog everyWeek(ReplayCorpus corpus, int first, int last, BitSet unseen) {
    int pages = corpus.pageCount();
    VisitLog log = new VisitLog(pages);
    for (int page = unseen.nextClearBit(0); page < pages; page = unseen.nextClearBit(page + 1)) {
      for (int week = first; week <= last; week++) {
        if (corpus.liveVersion(page, week) != ReplayCorpus.ABSENT) {
          log.add(page, week);
        }
      }
    }
    return log;
  }

  void add(int page, int week) {
    int n = count[page]++;
    if (n == weeks[page].length) {
      weeks[page] = Arrays.copyOf(weeks[page], Math.max(4, 2 * n));
    }
    weeks[page][n] = (short) week;
  }

  int size(int page) {
    return count[page];
  }

  int week(int page, int visit) {
    if (visit < 0 || visit >= count[page]) {
      throw new IndexOutOfBoundsException(
          "visit " + visit + " of a page whose number of visits is " + count[page]);
    }
    return weeks[page][visit];
  }

  /** The week of the last visit, -1 when there was none. */
  int last(int page) {
    return count[page] == 0 ? -1 : weeks[page][count[page] - 1];
  }
}
