// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.List;

/**
 * How a log numbers results, as far as its numbers tell: ranks are taken to count from 1, and from
 * the first result of all pages. A log that numbers them otherwise loses clicks or shifts them, and
 * nothing else shows it. Not safe for use by several threads.
 */
final class ResultNumbering {
  private long ranks; // lines with a rank from 1
  private long zeroRanks; // queries with a rank of 0
  private long zeroClicks; // clicks, lines of their own, at a rank of 0
  private long unranked; // others that do not say at which
  private long ranksByPage; // lines whose rank lies before the page they ask for

  /**
   * A line that asks something.
   *
   * @param offset results before the page it asks for
   * @param rank what {@link LogEntry#clickedRank} says
   */
  void asks(int offset, int rank) {
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
  }

  /** Forgets the lines. */
  void clear() {
    ranks = 0;
    zeroRanks = 0;
    zeroClicks = 0;
    unranked = 0;
    ranksByPage = 0;
  }

  /** Clicks, lines of their own, without a rank from 1. */
  long clicksWithoutRank() {
    return zeroClicks + unranked;
  }

  /**
   * What may be numbered otherwise, each with what to do then. A column of ranks that are all 0 is
   * one without clicks, and no reason to doubt.
   */
  List<String> doubts() {
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
    return doubts;
  }

  private static String lines(long number) {
    return number == 1 ? "1 line has" : number + " lines have";
  }
}
