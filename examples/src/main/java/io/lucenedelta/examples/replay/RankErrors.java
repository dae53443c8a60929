// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.ArrayList;
import java.util.List;

/** How far F(s) is from the true rank, by band of the true rank; for one thread. */
final class RankErrors {
  /** The last ranks of the bands; the last band has no end. */
  static final int[] BANDS = {1, 3, 10, 100, Integer.MAX_VALUE};

  private final double[] sums = new double[BANDS.length];
  private final long[] counts = new long[BANDS.length];

  /** Adds a result, whose scores descend; pages of equal score share the middle of their ranks. */
  void add(LogLogRankFunction function, float[] scores, int n) {
    int first = 0;
    while (first < n) {
      int last = first;
      while (last + 1 < n && scores[last + 1] == scores[first]) {
        last++;
      }
      double rank = 1 + (first + last) / 2.0;
      int band = 0;
      while (rank > BANDS[band]) {
        band++;
      }
      int tied = last - first + 1;
      sums[band] += tied * Math.abs(Math.log(function.rankOf(scores[first]) / rank));
      counts[band] += tied;
      first = last + 1;
    }
  }

  /** The mean error of every band; NaN where there was no result. */
  List<Double> means() {
    List<Double> means = new ArrayList<>();
    for (int band = 0; band < BANDS.length; band++) {
      means.add(counts[band] == 0 ? Double.NaN : sums[band] / counts[band]);
    }
    return means;
  }
}
