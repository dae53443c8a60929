// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * The expected divergence of a page whose changing part is overwritten as a whole, at the events of
 * a Poisson process (2008, section 3.3): D*(t) = share·(1 − e^(−rate·t)).
 *
 * <p>With share = 1 this is holistic staleness, and {@link #utility} its closed form of appendix A:
 * U(t) = 1/λ − (t + 1/λ)·e^(−λt).
 *
 * @param rate λ, changes a day, 0 or more
 * @param share divergence once the changing part was replaced, in [0, 1]
 */
public record ChurnCurve(double rate, double share) implements DivergenceCurve {
  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public ChurnCurve {
    if (!(rate >= 0 && rate <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("rate must be 0 or more and finite, was " + rate);
    }
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must lie in [0, 1], was " + share);
    }
  }

  /** Holistic staleness of a page that changes at a rate: every change makes it stale at once. */
  public static ChurnCurve holistic(double rate) {
    return new ChurnCurve(rate, 1);
  }

  @Override
  public double at(double days) {
    return -share * Math.expm1(-rate * days);
  }

  @Override
  public double integral(double days) {
    return rate == 0 ? 0 : share * (days + Math.expm1(-rate * days) / rate);
  }

  /** {@inheritDoc} In closed form; 0 at rate 0. */
  @Override
  public double utility(double days) {
    if (rate == 0) {
      return 0;
    }
    return share * (-Math.expm1(-rate * days) / rate - days * Math.exp(-rate * days));
  }
}
