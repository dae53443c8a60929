// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.Arrays;
import org.apache.commons.math3.stat.descriptive.rank.Percentile;

/**
 * A median with its quartiles, or, of few values, with the least and the most.
 *
 * <p>Quartiles of two values lie halfway between their mean and each of them, and those of three or
 * four between values, too: they make few repeats seem closer together than they are.
 *
 * @param median half of the values are at most this
 * @param lower a quarter of the values are at most this; the least of fewer than {@link #FEW}
 * @param upper three quarters of the values are at most this; the most of fewer than {@link #FEW}
 */
record Spread(double median, double lower, double upper) {
  /** So many values have quartiles that are among them. */
  static final int FEW = 5;

  /** The spread of at least one value. */
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a spread needs at least one value");
    }
    Percentile percentile = new Percentile().withEstimationType(Percentile.EstimationType.R_7);
    percentile.setData(values);
    if (values.length < FEW) {
      double least = Arrays.stream(values).min().getAsDouble();
      double most = Arrays.stream(values).max().getAsDouble();
      return new Spread(percentile.evaluate(50), least, most);
    }
    return new Spread(percentile.evaluate(50), percentile.evaluate(25), percentile.evaluate(75));
  }
}
