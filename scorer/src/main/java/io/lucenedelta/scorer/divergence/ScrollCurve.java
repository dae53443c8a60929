// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import org.apache.commons.math3.special.Gamma;

/**
 * The expected divergence of a page whose changing part holds the K latest items, one appended and
 * the oldest dropped at each event of a Poisson process (2008, section 3.3): D*(t) = share·E[min(N,
 * K)]/K, N events in t.
 *
 * <p>The paper gives the model and its lifetime distribution but no divergence curve; this one
 * takes divergence as proportional to the items replaced. The Jaccard formula is concave in them:
 * of a page that holds nothing else it makes 2u/(1 + u) of the share u that was replaced, up to .17
 * more. So λ of a curve fitted to such divergences is no rate to be read off (with K = 10, visited
 * every week for eleven weeks, .1 events a day are fitted as .174, .2 as .279, .4 as .527, with a
 * share below 1), but periods come out near: within 4 % at T = 2, 5 to 13 % too short at T = 8. K =
 * 1 is {@link ChurnCurve}.
 *
 * @param rate λ, events a day, 0 or more
 * @param items K, at least 1
 * @param share divergence once all items were replaced, in [0, 1]
 */
public record ScrollCurve(double rate, int items, double share) implements DivergenceCurve {
  /**
   * Where more events are expected every item was replaced, however many an int counts: the chance
   * of anything else is 0 long before, and the incomplete gamma function knows no infinite mean.
   */
  private static final double ALL_REPLACED = 1e100;

  /**
   * Up to so many items what is left is summed up, term by term. For the ten of a fit this is some
   * twelve times as fast as the incomplete gamma function, of which a fit asks hundreds of values.
   */
  private static final int FEW_ITEMS = 100;

  /** Where fewer events are expected an item, what is left is so near to K that digits get lost. */
  private static final double SHARE_SUMMED = 1e-3;

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public ScrollCurve {
    if (!(rate >= 0 && rate <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("rate must be 0 or more and finite, was " + rate);
    }
    requireItems(items);
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("share must lie in [0, 1], was " + share);
    }
  }

  private static void requireItems(int items) {
    if (items < 1) {
      throw new IllegalArgumentException("items must be at least 1, were " + items);
    }
  }

  @Override
  public double at(double days) {
    return share * expected(rate * days) / items;
  }

  /**
   * E[min(N, K)] for a mean m: K less what is left, or m·P(N at most K − 2) + K·P(N at least K),
   * which is the same.
   */
  private double expected(double mean) {
    if (mean > ALL_REPLACED) {
      return items;
    }
    return items <= FEW_ITEMS && mean >= SHARE_SUMMED * items
        ? items - left(mean)
        : mean * atMost(items - 2, mean) + items * atLeast(items, mean);
  }

  /** How many of the K items are left in the mean: Σ over i below K of (K − i)·m^i·e^(−m)/i!. */
  private double left(double mean) {
    double chance = Math.exp(-mean); // of i events
    double left = items * chance;
    for (int i = 1; i < items; i++) {
      chance *= mean / i;
      left += (items - i) * chance;
    }
    return left;
  }

  /**
   * {@inheritDoc} In closed form: the integral of P(N over i) up to t is t·P(N over i) − (i + 1)/λ
   * · P(N over i + 1). Over i below K the first sum is E[min(N, K)], the second that of pairs among
   * min(N, K + 1).
   */
  @Override
  public double integral(double days) {
    double mean = rate * days;
    if (mean == 0) {
      return 0;
    }
    double few = mean > ALL_REPLACED ? 0 : mean * mean / 2 * atMost(items - 2, mean);
    double pairs = few + items * (items + 1.0) / 2 * atLeast(items + 1.0, mean);
    return share * (days * expected(mean) - pairs / rate) / items;
  }

  /**
   * The chance that a fragment of a scroll region has gone after at most {@code days}: 1 − Σ over i
   * below K of (λt)^i·e^(−λt)/i!; for K = 1 that of a churn region, 1 − e^(−λt) (2008, section
   * 3.3).
   *
   * @throws IllegalArgumentException if {@code items} is below 1
   */
  public static double goneWithin(double days, double rate, int items) {
    requireItems(items);
    return atLeast(items, rate * days);
  }

  /** The chance of so many events or more, at least 1, of a Poisson variable. */
  private static double atLeast(double events, double mean) {
    return mean > ALL_REPLACED ? 1 : Gamma.regularizedGammaP(events, mean);
  }

  private static double atMost(int events, double mean) {
    return events < 0 ? 0 : Gamma.regularizedGammaQ(events + 1.0, mean);
  }
}
