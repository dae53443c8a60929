// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * A median with its quartiles.
 *
 * @param median half of the values are at most this
 * @param lower a quarter of the values are at most this
 * @param upper three quarters of the values are at most this
 */
record Spread(double median, double lower, double upper) {
  /** The spread of at least one value. */
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a spread needs at least one value");
    }
    Percentile percentile = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
    percentile.setData(values);
    return new Spread(percentile.evaluate(50), percentile.evaluate(25), percentile.evaluate(75));
  }
}
