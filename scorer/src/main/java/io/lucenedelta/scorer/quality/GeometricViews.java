// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * I(r) = scale · persistence^(r−1): a user who looks at the next result with the same probability
 * each time (Moffat and Zobel, "Rank-biased precision for measurement of retrieval effectiveness",
 * ACM TOIS 27(1), 2008, where scale = 1 − persistence).
 *
 * <p>Departure: far down, where the power is smaller than the smallest number, I is that number, so
 * that it stays positive at finite ranks.
 *
 * @param scale I(1), positive and finite
 * @param persistence probability of going on, over 0 and under 1
 */
public record GeometricViews(double scale, double persistence) implements ViewingLikelihood {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if one is out of its range
   */
  public GeometricViews {
    if (!(scale > 0 && scale <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("scale must be positive and finite, was " + scale);
    }
    if (!(persistence > 0 && persistence < 1)) {
      throw new IllegalArgumentException("persistence must be in (0, 1), was " + persistence);
    }
  }

  @Override
  public double at(double rank) {
    if (!(rank >= 1)) {
      throw new IllegalArgumentException("a rank must be at least 1, was " + rank);
    }
    return rank == Double.POSITIVE_INFINITY
        ? 0
        : Math.max(Double.MIN_VALUE, scale * Math.pow(persistence, rank - 1));
  }

  /** {@inheritDoc} Here by Gauss's rule, right to a billionth part. */
  @Override
  public double lostViews(double from, double to, double scoreAtFrom, double scoreExponent) {
    double decay = -Math.log(persistence);
    return SmoothLoss.lostViews(
        rank -> decay * at(rank), decay, from, to, scoreAtFrom, scoreExponent);
  }
}
