// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.relevance;

/**
 * Where a falling curve bends: Kneedle (Satopää, Albrecht, Irwin and Raghavan, "Finding a 'Kneedle'
 * in a haystack: detecting knee points in system behavior", ICDCSW 2011) for a whole curve of the
 * shape that first falls slowly and then fast. The curve is scaled to the unit square; the knee is
 * the point that lies highest above the straight line between its ends.
 *
 * <p>Departures: no smoothing spline, since a sorted curve of many values is smooth; and the
 * highest local maximum is the knee, without the sensitivity parameter that chooses between
 * several.
 */
final class Knee {
  private Knee() {}

  /**
   * The index of the knee of values at equal distances, never increasing; the last one of the
   * points that lie equally high. A curve that lies nowhere above the line has its knee at the end.
   */
  static int of(double[] values) {
    int last = values.length - 1;
    double fall = values[0] - values[last];
    int knee = last;
    double highest = 0;
    for (int i = 0; i <= last && fall > 0; i++) {
      double height = (values[i] - values[last]) / fall;
      double line = 1 - (double) i / last;
      if (height - line >= highest) {
        highest = height - line;
        knee = i;
      }
    }
    return knee;
  }
}
