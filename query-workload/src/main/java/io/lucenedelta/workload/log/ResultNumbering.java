// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.List;

/**
 * How a log numbers results, as far as its numbers tell: ranks are taken to count from 1, and from
 * the first result of all pages, offsets from 0. A log that numbers them otherwise loses clicks or
 * queries or shifts ranks, and nothing else shows why. Not safe for use by several threads.
 */
final class ResultNumbering {
  private static final int NOTHING_ASKED = Integer.MAX_VALUE;

  private long ranks; // lines with a rank from 1
  private long zeroRanks; // queries with a rank of 0
  private long zeroClicks; // clicks, lines of their own, at a rank of 0
  private long unranked; // others that do not say at which
  private long ranksByPage; // lines whose rank lies before the page they ask for
  private int leastOffset = NOTHING_ASKED;

  /**
   * A line that asks something.
   *
   * @param offset results before the page it asks for
   * @param rank what {@link LogEntry#clickedRank} says
   */
  void asks(int offset, int rank) {
    leastOffset = Math.min(leastOffset, offset);
    if (rank > 0) {
      ranks++;
      ranksByPage += rank <= offset ? 1 : 0;
    } else if (rank == LogEntry.RANK_ZERO) {
      zeroRanks++;
    }
  }

  /** A line that reports a click, with what {@link LogClick#rank} says. */
  void clicks(int rank) {
    if (rank > 0) {
      ranks++;
    } else if (rank == LogEntry.RANK_ZERO) {
      zeroClicks++;
    } else {
      unranked++;
    }
  }

  /** Adds what other lines of the log tell. */
  void add(ResultNumbering other) {
    ranks += other.ranks;
    zeroRanks += other.zeroRanks;
    zeroClicks += other.zeroClicks;
    unranked += other.unranked;
    ranksByPage += other.ranksByPage;
    leastOffset = Math.min(leastOffset, other.leastOffset);
  }

  /** Forgets the lines. */
  void clear() {
    ranks = 0;
    zeroRanks = 0;
    zeroClicks = 0;
    unranked = 0;
    ranksByPage = 0;
    leastOffset = NOTHING_ASKED;
  }

  /** Clicks, lines of their own, without a rank from 1. */
  long clicksWithoutRank() {
    return zeroClicks + unranked;
  }

  /**
   * What may be numbered otherwise, each with what to do then. A column of ranks that are all 0 is
   * one without clicks, and no reason to doubt; nor is a log of further pages alone where offsets
   * stand in no column: other formats count from 0, and a slow log may hold nothing else.
   *
   * @param format the name of the log's format
   */
  List<String> doubts(String format) {
    List<String> doubts = new ArrayList<>();
    if (zeroClicks > 0 || (zeroRanks > 0 && ranks > 0)) {
      doubts.add(
          "ranks count from 1, and "
              + lines(zeroRanks + zeroClicks)
              + " rank 0, which counts as no click; if the first result has that rank, add 1 to"
              + " every rank");
    }
    if (ranksByPage > 0) {
      doubts.add(
          "ranks count from the first result of all pages, and "
              + lines(ranksByPage)
              + " a rank that is not over the offset; if ranks count from the first result of each"
              + " page there, add the offset to every rank");
    }
    boolean column = TableLog.NAMES.contains(format) || format.equals(AltaVistaLog.NAME);
    if (column && leastOffset > 0 && leastOffset != NOTHING_ASKED) {
      doubts.add(
          "no line has offset 0, and all count as further pages, since offsets count from 0; if the"
              + " first is "
              + leastOffset
              + " there, subtract it from all, or use --columns with - in the place of the offset,"
              + " or in a program LogFormats.withColumns");
    }
    return doubts;
  }

  private static String lines(long number) {
    return number == 1 ? "1 line has" : number + " lines have";
  }
}
