// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.Arrays;

/**
 * I(r) as measured: one value a rank. Between ranks it is linear in (ln rank, ln I); beyond the
 * last rank of the table it falls on as the paper's curve does, with r^-3/2.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class TabulatedViews implements ViewingLikelihood {
  private static final double EXPONENT_BEYOND = 1.5;

  private final double[] values;
  private final double[] exponents; // of the power by which I falls from a rank to the next

  private TabulatedViews(double[] values) {
    this.values = values;
    this.exponents = new double[values.length];
    for (int i = 0; i + 1 < values.length; i++) {
      // a quotient of the values may be beyond all numbers
      double fall = Math.log(values[i]) - Math.log(values[i + 1]);
      exponents[i] = fall / Math.log((i + 2.0) / (i + 1));
    }
    exponents[values.length - 1] = EXPONENT_BEYOND;
  }

  /**
   * The curve through values at ranks 1, 2, 3 …
   *
   * @throws IllegalArgumentException if there are none, or one is not positive and finite, or one
   *     is greater than the one before
   */
  public static TabulatedViews of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a table of views needs a value for rank 1 at least");
    }
    for (int i = 0; i < values.length; i++) {
      if (!(values[i] > 0 && values[i] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "views must be positive and finite, were " + values[i] + " at rank " + (i + 1));
      }
      if (i > 0 && values[i] > values[i - 1]) {
        throw new IllegalArgumentException(
            String.format(
                "views must not increase: %s at rank %d is followed by %s at rank %d;"
                    + " pool the two ranks",
                values[i - 1], i, values[i], i + 1));
      }
    }
    return new TabulatedViews(values.clone());
  }

  @Override
  public double at(double rank) {
    if (!(rank >= 1)) {
      throw new IllegalArgumentException("a rank must be at least 1, was " + rank);
    }
    int cell = Math.min((int) rank, values.length) - 1;
    return values[cell] * Math.pow(rank / (cell + 1), -exponents[cell]);
  }

  /**
   * {@inheritDoc}
   *
   * <p>Between two ranks of the table, and beyond its last, I is a power: closed form on each.
   */
  @Override
  public double lostViews(double from, double to, double scoreAtFrom, double scoreExponent) {
    double sum = 0;
    double low = from;
    while (low < to) {
      int cell = Math.min((int) low, values.length) - 1;
      double high = cell + 1 < values.length ? Math.min(to, cell + 2.0) : to;
      double first = at(low) * scoreAtFrom * Math.pow(low / from, -scoreExponent);
      sum += PowerLawViews.lost(first, exponents[cell], scoreExponent, high / low);
      low = high;
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TabulatedViews table && Arrays.equals(values, table.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return "TabulatedViews" + Arrays.toString(values);
  }
}
