// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * Finds the churn or scroll curve nearest to measured divergences (2008, section 4.2, step 2).
 *
 * <p>Nearest by the sum of squares. The share follows from the rate in closed form, clamped to [0,
 * 1]; rates are searched on a grid with a fixed ratio and refined once around the best. The paper
 * gives neither a search nor K; scroll regions have 10 items here, as in its figure 4.
 *
 * <p>Ties are common: a curve of any rate goes through a single point. Sums of squares that differ
 * by less than 10^-9 of the sum of the squared divergences count as equal; of equally near rates
 * the first of the search is taken, on the grid the lowest, and of equally near curves churn.
 */
public final class CurveFit {
  private static final int SCROLL_ITEMS = 10;
  private static final double RATIO = 1.6;

  /** Share of the sum of squared divergences below which a difference is rounding. */
  private static final double SAME = 1e-9;

  private CurveFit() {}

  /**
   * The nearest curve to points (days, divergence); no divergence at all gives a curve of rate 0.
   *
   * @param days positive and finite
   * @param divergence in [0, 1], as many, at least one
   * @throws IllegalArgumentException if there is no point, the numbers of both differ, or one is
   *     out of range
   */
  public static DivergenceCurve of(double[] days, double[] divergence) {
    requirePoints(days, divergence);
    double most = 0;
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    for (int i = 0; i < days.length; i++) {
      most = Math.max(most, divergence[i]);
      shortest = Math.min(shortest, days[i]);
      longest = Math.max(longest, days[i]);
    }
    if (most == 0) {
      return new ChurnCurve(0, 0);
    }
    double same = SAME * squares(divergence);
    Candidate churn = best(days, divergence, 1, shortest, longest, same);
    Candidate scroll = best(days, divergence, SCROLL_ITEMS, shortest, longest, same);
    return isNearer(scroll, churn, same)
        ? new ScrollCurve(scroll.rate, SCROLL_ITEMS, scroll.share)
        : new ChurnCurve(churn.rate, churn.share);
  }

  private static void requirePoints(double[] days, double[] divergence) {
    if (days.length == 0 || days.length != divergence.length) {
      throw new IllegalArgumentException(
          "a curve is fitted to one or more points, got %d times and %d divergences"
              .formatted(days.length, divergence.length));
    }
    for (int i = 0; i < days.length; i++) {
      if (!(days[i] > 0
          && days[i] <= Double.MAX_VALUE
          && divergence[i] >= 0
          && divergence[i] <= 1)) {
        throw new IllegalArgumentException(
            "points need positive, finite days and a divergence in [0, 1], point %d has %s and %s"
                .formatted(i, days[i], divergence[i]));
      }
    }
  }

  /**
   * A curve that may be the nearest.
   *
   * @param error its sum of squares less that of the divergences, which is the same for all
   */
  private record Candidate(double rate, double share, double error) {}

  private static double squares(double[] divergence) {
    double sum = 0;
    for (double d : divergence) {
      sum += d * d;
    }
    return sum;
  }

  private static Candidate best(
      double[] days, double[] divergence, int items, double shortest, double longest, double same) {
    Candidate best = candidate(days, divergence, items, 0.05 * items / longest);
    double top = 5.0 * items / shortest;
    for (double rate = best.rate * RATIO; rate < top; rate *= RATIO) {
      best = nearer(best, candidate(days, divergence, items, rate), same);
    }
    double around = best.rate;
    for (double factor : new double[] {0.72, 0.85, 1.18, 1.39}) {
      best = nearer(best, candidate(days, divergence, items, around * factor), same);
    }
    return best;
  }

  private static Candidate nearer(Candidate first, Candidate second, double same) {
    return isNearer(second, first, same) ? second : first;
  }

  /** Whether one is nearer than another by more than rounding. */
  private static boolean isNearer(Candidate one, Candidate other, double same) {
    return one.error < other.error - same;
  }

  private static Candidate candidate(double[] days, double[] divergence, int items, double rate) {
    double xy = 0;
    double xx = 0;
    for (int i = 0; i < days.length; i++) {
      double x =
          items == 1 ? -Math.expm1(-rate * days[i]) : new ScrollCurve(rate, items, 1).at(days[i]);
      xy += x * divergence[i];
      xx += x * x;
    }
    double share = xx == 0 ? 0 : Math.clamp(xy / xx, 0.0, 1.0);
    return new Candidate(rate, share, share * (share * xx - 2 * xy));
  }
}
