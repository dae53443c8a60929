// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * The expected divergence of a page whose changing part holds the K latest items, one appended and
 * the oldest dropped at each event of a Poisson process (2008, section 3.3): D*(t) = share·E[min(N,
 * K)]/K, N events in t.
 *
 * <p>The paper gives the model and its lifetime distribution but no divergence curve; this one
 * takes divergence as proportional to the items replaced, where the Jaccard formula is slightly
 * concave in them. K = 1 is {@link ChurnCurve}.
 *
 * @param rate λ, events a day, 0 or more
 * @param items K, at least 1
 * @param share divergence once all items were replaced, in [0, 1]
 */
public record ScrollCurve(double rate, int items, double share) implements DivergenceCurve {
  /** Checks the ranges. */
  public ScrollCurve {
    if (!(rate >= 0 && rate <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("rate must be 0 or more and finite, was " + rate);
    }
    if (items < 1) {
      throw new IllegalArgumentException("items must be at least 1, were " + items);
    }
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must lie in [0, 1], was " + share);
    }
  }

  /** E[min(N, K)] is the sum over i below K of P(N over i). */
  @Override
  public double at(double days) {
    double mean = rate * days;
    double term = Math.exp(-mean); // P(N = i)
    double below = 0; // P(N at most i)
    double sum = 0;
    for (int i = 0; i < items; i++) {
      below += term;
      sum += Math.max(0, 1 - below);
      term *= mean / (i + 1);
    }
    return share * sum / items;
  }

  /**
   * {@inheritDoc} In closed form: the integral of P(N over i) up to t is t·P(N over i) − (i + 1)/λ
   * · P(N over i + 1).
   */
  @Override
  public double integral(double days) {
    double mean = rate * days;
    if (mean == 0) {
      return 0;
    }
    double term = Math.exp(-mean);
    double below = 0;
    double sum = 0;
    for (int i = 0; i < items; i++) {
      below += term;
      term *= mean / (i + 1);
      double over = Math.max(0, 1 - below);
      double overNext = Math.max(0, over - term);
      sum += days * over - (i + 1) / rate * overNext;
    }
    return share * sum / items;
  }

  /**
   * The chance that a fragment of a scroll region has gone after at most {@code days}: 1 − Σ over i
   * below K of (λt)^i·e^(−λt)/i!; for K = 1 that of a churn region, 1 − e^(−λt) (2008, section
   * 3.3).
   */
  public static double goneWithin(double days, double rate, int items) {
    double mean = rate * days;
    double term = Math.exp(-mean);
    double stays = 0;
    for (int i = 0; i < items; i++) {
      stays += term;
      term *= mean / (i + 1);
    }
    return Math.max(0, 1 - stays);
  }
}
