// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * Finds the churn or scroll curve nearest to measured divergences (2008, section 4.2, step 2).
 *
 * <p>Nearest by the sum of squares. The share follows from the rate in closed form, clamped to [0,
 * 1]; rates are searched on a grid with a fixed ratio and refined once around the best. The paper
 * gives neither a search nor K; scroll regions have 10 items here, as in its figure 4, and of two
 * equally near curves churn is taken.
 */
public final class CurveFit {
  private static final int SCROLL_ITEMS = 10;
  private static final double RATIO = 1.6;

  private CurveFit() {}

  /**
   * The nearest curve to points (days, divergence); no divergence at all gives a curve of rate 0.
   *
   * @param days positive
   * @param divergence in [0, 1], as many, at least one
   */
  public static DivergenceCurve of(double[] days, double[] divergence) {
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
    Candidate churn = best(days, divergence, 1, shortest, longest);
    Candidate scroll = best(days, divergence, SCROLL_ITEMS, shortest, longest);
    return churn.error <= scroll.error
        ? new ChurnCurve(churn.rate, churn.share)
        : new ScrollCurve(scroll.rate, SCROLL_ITEMS, scroll.share);
  }

  private record Candidate(double rate, double share, double error) {}

  private static Candidate best(
      double[] days, double[] divergence, int items, double shortest, double longest) {
    Candidate best = candidate(days, divergence, items, 0.05 * items / longest);
    double top = 5.0 * items / shortest;
    for (double rate = best.rate * RATIO; rate < top; rate *= RATIO) {
      best = nearer(best, candidate(days, divergence, items, rate));
    }
    double around = best.rate;
    for (double factor : new double[] {0.72, 0.85, 1.18, 1.39}) {
      best = nearer(best, candidate(days, divergence, items, around * factor));
    }
    return best;
  }

  private static Candidate nearer(Candidate a, Candidate b) {
    return b.error < a.error ? b : a;
  }

  private static Candidate candidate(double[] days, double[] divergence, int items, double rate) {
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (int i = 0; i < days.length; i++) {
      double x =
          items == 1 ? -Math.expm1(-rate * days[i]) : new ScrollCurve(rate, items, 1).at(days[i]);
      xy += x * divergence[i];
      xx += x * x;
      yy += divergence[i] * divergence[i];
    }
    double share = xx == 0 ? 0 : Math.clamp(xy / xx, 0.0, 1.0);
    return new Candidate(rate, share, yy - 2 * share * xy + share * share * xx);
  }
}
