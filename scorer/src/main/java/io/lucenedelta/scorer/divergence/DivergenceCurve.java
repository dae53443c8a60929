// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * D*(t): how far a page has drifted from its copy, t days after the copy was taken, and the utility
 * of refreshing it then (2008, section 2.2).
 *
 * <p>Laws: D*(0) = 0, D* never decreases, values in [0, 1]. Measured curves may dip when fragments
 * return; they are taken as they are. Implementations are immutable.
 */
public interface DivergenceCurve {
  /** D*(days), {@code days >= 0}. */
  double at(double days);

  /** The integral of D* from 0 to {@code days}. */
  double integral(double days);

  /**
   * U(t) = t·D*(t) − ∫ D* from 0 to t (equation 4), in divergence × days: how much less the next t
   * days cost if the page is refreshed at t, and drifts from there as it did before, than if it
   * stays at D*(t).
   */
  default double utility(double days) {
    return days * at(days) - integral(days);
  }

  /**
   * The first time at which the utility reaches a threshold: the refresh period φ (2008, section
   * 4.2). Times are searched from 0 to {@code longest} by bisection, exact to a millionth of {@code
   * longest} for curves whose utility never falls.
   *
   * @return {@code longest} when the threshold is not reached before
   */
  default double period(double threshold, double longest) {
    if (!(utility(longest) >= threshold)) {
      return longest;
    }
    double low = 0;
    double high = longest;
    while (high - low > longest * 1e-6) {
      double middle = (low + high) / 2;
      if (utility(middle) >= threshold) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high;
  }
}
