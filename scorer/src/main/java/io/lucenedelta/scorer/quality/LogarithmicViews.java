// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * I(r) = scale / log₂(1 + r): the discount of discounted cumulative gain (Järvelin and Kekäläinen,
 * "Cumulated gain-based evaluation of IR techniques", ACM TOIS 20(4), 2002), in the usual form that
 * discounts from the second rank on. Attention that hardly falls: its sum over all ranks diverges.
 *
 * @param scale I(1), positive and finite
 */
public record LogarithmicViews(double scale) implements ViewingLikelihood {
  /**
   * Checks the argument.
   *
   * @throws IllegalArgumentException if the scale is not positive and finite
   */
  public LogarithmicViews {
    if (!(scale > 0 && scale <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("scale must be positive and finite, was " + scale);
    }
  }

  @Override
  public double at(double rank) {
    if (!(rank >= 1)) {
      throw new IllegalArgumentException("a rank must be at least 1, was " + rank);
    }
    return scale * Math.log(2) / Math.log1p(rank);
  }

  /** {@inheritDoc} Here by Gauss's rule, right to a billionth part. */
  @Override
  public double lostViews(double from, double to, double scoreAtFrom, double scoreExponent) {
    return SmoothLoss.lostViews(this::fall, 0, from, to, scoreAtFrom, scoreExponent);
  }

  /** −I′(rank). */
  private double fall(double rank) {
    return at(rank) / ((1 + rank) * Math.log1p(rank));
  }
}
