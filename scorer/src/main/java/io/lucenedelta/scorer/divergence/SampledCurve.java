// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

/**
 * A measured divergence curve: linear between measured points, level after the last one.
 *
 * <p>The curve starts at (0, 0). Immutable.
 */
public final class SampledCurve implements DivergenceCurve {
  private final double[] days; // ascending, days[0] = 0
  private final double[] divergence;
  private final double[] area; // integral up to the point

  private SampledCurve(double[] days, double[] divergence, double[] area) {
    this.days = days;
    this.divergence = divergence;
    this.area = area;
  }

  /**
   * The curve through (0, 0) and the given points.
   *
   * @param days strictly ascending and positive
   * @param divergence in [0, 1], as many
   * @throws IllegalArgumentException if there are not as many, or the days do not ascend from above
   *     0
   */
  public static SampledCurve of(double[] days, double[] divergence) {
    if (days.length != divergence.length) {
      throw new IllegalArgumentException(
          "each time needs one divergence, got %d times and %d divergences"
              .formatted(days.length, divergence.length));
    }
    int n = days.length + 1;
    double[] x = new double[n];
    double[] y = new double[n];
    double[] area = new double[n];
    for (int i = 1; i < n; i++) {
      x[i] = days[i - 1];
      y[i] = divergence[i - 1];
      if (!(x[i] > x[i - 1])) {
        throw new IllegalArgumentException(
            "times must ascend from above 0: " + x[i] + " follows " + x[i - 1]);
      }
      area[i] = area[i - 1] + (x[i] - x[i - 1]) * (y[i] + y[i - 1]) / 2;
    }
    return new SampledCurve(x, y, area);
  }

  @Override
  public double at(double at) {
    int i = segment(at);
    if (i == days.length - 1) {
      return divergence[i];
    }
    double part = (at - days[i]) / (days[i + 1] - days[i]);
    return divergence[i] + part * (divergence[i + 1] - divergence[i]);
  }

  @Override
  public double integral(double upTo) {
    int i = segment(upTo);
    return area[i] + (upTo - days[i]) * (divergence[i] + at(upTo)) / 2;
  }

  private int segment(double at) {
    int low = 0;
    int high = days.length - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (days[middle] <= at) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }
}
