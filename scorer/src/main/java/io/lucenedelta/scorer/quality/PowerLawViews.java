// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * I(r) = scale·r^-exponent; the 2005 paper's curve has the exponent 3/2 (equation 2, from AltaVista
 * usage logs).
 *
 * @param scale c, positive and finite; it scales every quality change alike and cancels in
 *     normalised quality (equation 5)
 * @param exponent how fast attention falls with the rank, positive and at most {@value #STEEPEST}:
 *     beyond, what deep ranks are worth is less than numbers can tell
 */
public record PowerLawViews(double scale, double exponent) implements ViewingLikelihood {
  /** The largest exponent. */
  public static final double STEEPEST = 20;

  /** The paper's curve with c = 1: r^-3/2. */
  public static final PowerLawViews PAPER = new PowerLawViews(1, 1.5);

  /** What hears who gives no curve to something that measures with one. */
  static final String NONE_GIVEN =
      "a curve of views is needed, was null; PowerLawViews.PAPER is the paper's";

  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public PowerLawViews {
    if (!(scale > 0 && scale <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("scale must be positive and finite, was " + scale);
    }
    if (!(exponent > 0 && exponent <= STEEPEST)) {
      throw new IllegalArgumentException(
          "exponent must be positive and at most %s, was %s".formatted(STEEPEST, exponent));
    }
  }

  @Override
  public double at(double rank) {
    if (!(rank >= 1)) {
      throw new IllegalArgumentException("a rank must be at least 1, was " + rank);
    }
    return scale * Math.pow(rank, -exponent);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Closed form: I′ and s are powers of r, so their product has the antiderivative
   * exponent/(exponent + β)·I·s up to sign, β being the score's exponent.
   */
  @Override
  public double lostViews(double from, double to, double scoreAtFrom, double scoreExponent) {
    return lost(at(from) * scoreAtFrom, exponent, scoreExponent, to / from);
  }

  /**
   * The integral over ranks up to {@code ratio} times the first, on which I falls as a power.
   *
   * @param first I·s at the first rank
   */
  static double lost(double first, double exponent, double scoreExponent, double ratio) {
    double sum = exponent + scoreExponent;
    return exponent == 0 ? 0 : first * exponent / sum * -Math.expm1(-sum * Math.log(ratio));
  }
}
