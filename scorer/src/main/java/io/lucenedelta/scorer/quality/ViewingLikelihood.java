// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * I(r): how likely a user views the result at rank r, up to a constant factor (2005, section 3,
 * equation 2).
 *
 * <p>Positive for finite ranks, never increasing, I(∞) = 0. Immutable.
 */
public interface ViewingLikelihood {
  /** I(rank) for a real rank of at least 1, or infinity. */
  double at(double rank);

  /**
   * The views lost between two ranks, each weighted with the score found there: the integral from
   * {@code from} to {@code to} of |I′(r)|·s(r) dr, where s(r) =
   * scoreAtFrom·(r/from)^-scoreExponent.
   *
   * <p>This form works for any curve, steps included: it adds up the falls of I over steps of 1 %
   * in rank, each weighted with the mean score of its step, and lies therefore between the lowest
   * and the highest score of the stretch times I(from) − I(to). A curve with a closed form
   * overrides it: this one asks {@link #at} about a hundred times for every factor of e in rank.
   *
   * @param from first rank, at least 1 and finite
   * @param to last rank, finite, not before {@code from}
   * @param scoreAtFrom score at the first rank, positive
   * @param scoreExponent how fast the score falls with the rank, 0 or more
   */
  default double lostViews(double from, double to, double scoreAtFrom, double scoreExponent) {
    int steps = (int) Math.ceil(Math.log(to / from) / 0.01);
    double step = Math.log(to / from) / steps;
    double rankStep = Math.exp(step);
    double scoreStep = Math.exp(-scoreExponent * step);
    double sum = 0;
    double rank = from;
    double views = at(from);
    double score = scoreAtFrom;
    for (int i = 1; i <= steps; i++) {
      rank = i < steps ? Math.min(rank * rankStep, to) : to;
      double nextViews = at(rank);
      double nextScore = score * scoreStep;
      sum += (views - nextViews) * (score + nextScore) / 2;
      views = nextViews;
      score = nextScore;
    }
    return sum;
  }
}
