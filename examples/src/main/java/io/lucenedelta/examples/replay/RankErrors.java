// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.ArrayList;
import java.util.List;

/**
 * How far F(s) is from the true rank: by band of the true rank, of pages that share their score,
 * and by length of the result. For one thread.
 */
final class RankErrors {
  /** The last ranks of the bands; the last band has no end. */
  private static final int[] BANDS = {1, 3, 10, 100, Integer.MAX_VALUE};

  private static final int TIED = BANDS.length;

  /** The longest results of the groups by length, which follow that of tied pages. */
  private static final int[] LENGTHS = {3, 12, 100, Integer.MAX_VALUE};

  private final double[] sums = new double[TIED + 1 + LENGTHS.length];
  private final long[] counts = new long[sums.length];

  /** Adds a result, whose scores descend; pages of equal score share the middle of their ranks. */
  void add(LogLogRankFunction function, float[] scores, int n) {
    int length = TIED + 1 + group(LENGTHS, n);
    int first = 0;
    while (first < n) {
      int last = first;
      while (last + 1 < n && scores[last + 1] == scores[first]) {
        last++;
      }
      double rank = 1 + (first + last) / 2.0;
      int tied = last - first + 1;
      double error = tied * Math.abs(Math.log(function.rankOf(scores[first]) / rank));
      add(group(BANDS, rank), error, tied);
      add(length, error, tied);
      if (tied > 1) {
        add(TIED, error, tied);
      }
      first = last + 1;
    }
  }

  private static int group(int[] ends, double value) {
    int group = 0;
    while (value > ends[group]) {
      group++;
    }
    return group;
  }

  private void add(int group, double error, int pages) {
    sums[group] += error;
    counts[group] += pages;
  }

  /**
   * The mean error of every band, of tied pages and of results of up to 3, 12, 100 and more pages;
   * NaN where there was none.
   */
  List<Double> means() {
    List<Double> means = new ArrayList<>();
    for (int group = 0; group < sums.length; group++) {
      means.add(counts[group] == 0 ? Double.NaN : sums[group] / counts[group]);
    }
    return means;
  }
}
