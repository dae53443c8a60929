// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * I(r): how likely a user views the result at rank r, up to a constant factor (2005, section 3,
 * equation 2).
 *
 * <p>Positive for finite ranks, never increasing, I(∞) = 0. Immutable.
 */
public interface ViewProbability {
  /** I(rank) for a real rank of at least 1, or infinity. */
  double at(double rank);
}
