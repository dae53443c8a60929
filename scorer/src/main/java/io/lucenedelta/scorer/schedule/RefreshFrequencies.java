// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import java.util.Arrays;

/**
 * How often to refresh each page so that the expected weighted freshness is largest (Cho and
 * Garcia-Molina 2003, Effective page refresh policies; Wolf and others 2002 with weights).
 *
 * <p>A page that changes at rate λ and is refreshed f times a period at equal distances is fresh a
 * share F = (f/λ)(1 − e^(−λ/f)) of the time. Σ w·F subject to Σ f = B and 0 ≤ f ≤ limit is largest
 * where w·∂F/∂f = w·g(λ/f)/λ has one value μ for all pages, g(r) = 1 − (1 + r)e^(−r); pages that
 * cannot reach μ are abandoned (f = 0), pages above it at the limit are held there. μ is found by
 * bisection, f by inverting g; both to about ten digits.
 *
 * <p>Rates and frequencies are per period. Pages with rate or weight 0 get 0. When the budget
 * covers the limit for every page that changes, each gets the limit.
 */
final class RefreshFrequencies {
  private RefreshFrequencies() {}

  /**
   * The optimal frequencies.
   *
   * @param rates λ by page, 0 or more
   * @param weights w by page, 0 or more
   * @param counts how many pages each element stands for, 0 or more; Σ counts·f is the budget
   * @param budget B, 0 or more
   * @param limit the most one page is refreshed a period, positive
   * @return f by page, between 0 and the limit; spends B within rounding when there is enough to
   *     spend it on
   */
  static double[] of(
      double[] rates, double[] weights, double[] counts, double budget, double limit) {
    double[] frequencies = new double[rates.length];
    double low = Double.POSITIVE_INFINITY; // μ at which everything is at the limit
    double high = 0; // μ at which nothing is worth a refresh
    double most = 0;
    for (int i = 0; i < rates.length; i++) {
      if (rates[i] > 0 && weights[i] > 0) {
        low = Math.min(low, weights[i] * gain(rates[i] / limit) / rates[i]);
        high = Math.max(high, weights[i] / rates[i]);
        most += counts[i] * limit;
      }
    }
    if (budget <= 0) {
      return frequencies;
    }
    if (budget >= most) {
      fill(frequencies, rates, weights, 0, limit);
      return frequencies;
    }
    // At both ends of the bracket stand the exact frequencies, all 0 and all at the limit, not
    // those computed from μ: rounding of μ alone can give a page λ/41 where it must have 0.
    double[] more = new double[frequencies.length];
    fill(more, rates, weights, 0, limit);
    double[] tried = new double[frequencies.length];
    double lnLow = Math.log(Math.max(low, Double.MIN_VALUE));
    double lnHigh = Math.log(Math.min(high, Double.MAX_VALUE));
    for (int step = 0; step < 60 && lnHigh - lnLow > 1e-13 * Math.abs(lnHigh); step++) {
      double middle = (lnLow + lnHigh) / 2;
      fill(tried, rates, weights, Math.exp(middle), limit);
      double[] filled = tried;
      if (spent(filled, counts) > budget) {
        lnLow = middle;
        tried = more;
        more = filled;
      } else {
        lnHigh = middle;
        tried = frequencies;
        frequencies = filled;
      }
    }
    spendRest(frequencies, more, counts, budget);
    return frequencies;
  }

  /**
   * Moves frequencies toward larger ones, those of a μ hardly lower, until the budget is spent. F
   * is straight within rounding up to f = λ/37, so one μ can stand for that whole stretch.
   */
  private static void spendRest(
      double[] frequencies, double[] more, double[] counts, double budget) {
    double least = spent(frequencies, counts);
    double most = spent(more, counts);
    double part = most > least ? Math.clamp((budget - least) / (most - least), 0.0, 1.0) : 0;
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] = part * more[i] + (1 - part) * frequencies[i];
    }
  }

  /** The optimal frequencies of single pages. */
  static double[] of(double[] rates, double[] weights, double budget, double limit) {
    double[] ones = new double[rates.length];
    Arrays.fill(ones, 1);
    return of(rates, weights, ones, budget, limit);
  }

  private static void fill(
      double[] frequencies, double[] rates, double[] weights, double mu, double limit) {
    for (int i = 0; i < rates.length; i++) {
      if (rates[i] <= 0 || weights[i] <= 0) {
        frequencies[i] = 0;
        continue;
      }
      double needed = mu * rates[i] / weights[i];
      frequencies[i] =
          needed >= 1 ? 0 : needed <= 0 ? limit : Math.min(limit, rates[i] / inverseGain(needed));
    }
  }

  private static double spent(double[] frequencies, double[] counts) {
    double sum = 0;
    for (int i = 0; i < frequencies.length; i++) {
      sum += counts[i] * frequencies[i];
    }
    return sum;
  }

  /** g(r) = 1 − (1 + r)·e^(−r), from 0 at 0 to 1. */
  static double gain(double r) {
    if (r < 1e-3) { // where the digits below cancel; the next term of the series is r⁶/144
      return r * r * (0.5 - r * (1.0 / 3 - r * (0.125 - r / 30)));
    }
    return -Math.expm1(-r) - r * Math.exp(-r);
  }

  /**
   * The r with g(r) = y, for y between 0 and 1: Newton's method in r from √(2y), kept in a bracket.
   */
  static double inverseGain(double y) {
    double low = Math.sqrt(2 * y); // g(r) stays under r²/2
    double high = low + 1;
    while (gain(high) < y) {
      high *= 2;
    }
    double r = Math.min(high, y < 0.5 ? low * (1 + low / 3) : -Math.log1p(-y) * 1.2 + 1);
    for (int step = 0; step < 100; step++) {
      double excess = gain(r) - y;
      if (excess > 0) {
        high = r;
      } else {
        low = r;
      }
      double next = r - excess / (r * Math.exp(-r)); // g′(r) = r·e^(−r)
      if (!(next > low && next < high)) {
        next = (low + high) / 2;
      }
      if (Math.abs(next - r) <= 1e-12 * r) {
        return next;
      }
      r = next;
    }
    return r;
  }
}
