// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

/**
 * What it is worth that a page which moves pushes those it passes up or down by one rank: the sum
 * over them in equation 7 (2005), live scores times the change of the viewing likelihood.
 *
 * <p>Ranks are added up one by one. Where a query has been asked for as many of them as it has
 * results, and none of these changed meanwhile, what lies behind each rank is added up once, and a
 * sum is a difference of two. So asking for many pages in one state costs the same however long
 * results are, and asking once, between two changes, costs nothing more. Sums run from behind,
 * where views are few, so that a difference errs by some 1e-14 of what lies behind its first rank.
 * 16 bytes a slot once some query needs them. Not safe for use by several threads.
 */
final class PassedSums {
  private static final int SUMMED = -1;

  private final Matches matches;
  private final Rankings rankings;
  private final double[] views;
  private final float[] liveScore; // by slot
  private final int[] asked; // by query: ranks added up since its last change, or SUMMED
  private double[] up; // by slot position: this rank and those behind it, each moving up by one
  private double[] down;

  PassedSums(Matches matches, Rankings rankings, double[] views, float[] liveScore) {
    this.matches = matches;
    this.rankings = rankings;
    this.views = views;
    this.liveScore = liveScore;
    this.asked = new int[matches.workload().queryCount()];
  }

  /** A live score or a rank of a query is another one now. */
  void changed(int query) {
    asked[query] = 0;
  }

  /**
   * Gain of the pages at some ranks, the last one excluded, if each moves by one.
   *
   * @param step -1 if they move up, which is worth something; 1 if down, which is a loss
   */
  double worth(int query, int first, int end, int step) {
    if (isSummed(query, end - first)) {
      double[] sums = step < 0 ? up : down;
      return behind(sums, query, first) - behind(sums, query, end);
    }
    double sum = 0;
    for (int rank = first; rank < end; rank++) {
      sum += worth(query, rank, step);
    }
    return sum;
  }

  private double worth(int query, int rank, int step) {
    return (views[rank + step] - views[rank]) * liveScore[rankings.slotAt(query, rank)];
  }

  private double behind(double[] sums, int query, int rank) {
    return rank < rankings.size(query) ? sums[matches.firstSlot(query) + rank] : 0;
  }

  private boolean isSummed(int query, int ranks) {
    if (asked[query] == SUMMED) {
      return true;
    }
    asked[query] += ranks;
    if (asked[query] <= rankings.size(query)) {
      return false;
    }
    sum(query);
    asked[query] = SUMMED;
    return true;
  }

  private void sum(int query) {
    if (up == null) {
      up = new double[matches.slotCount()];
      down = new double[matches.slotCount()];
    }
    int base = matches.firstSlot(query);
    double moreUp = 0;
    double moreDown = 0;
    for (int rank = rankings.size(query) - 1; rank >= 0; rank--) {
      moreUp += rank == 0 ? 0 : worth(query, rank, -1); // nothing is before the first
      moreDown += worth(query, rank, 1);
      up[base + rank] = moreUp;
      down[base + rank] = moreDown;
    }
  }
}
