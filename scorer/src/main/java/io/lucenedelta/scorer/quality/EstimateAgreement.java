// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.stream.IntStream;
import org.apache.commons.math3.stat.correlation.SpearmansCorrelation;

/**
 * How well estimated quality changes agree with exact ones.
 *
 * @param refreshes refreshes of which the estimate or the exact change is not zero, that is beyond
 *     1e-12, which frequencies far below 1 may stay under; only these count, or the many that
 *     change nothing would flatter the estimate
 * @param spearman rank correlation over these; NaN when there are fewer than two, or all of one
 *     side are equal
 * @param negative estimates below zero
 * @param bias sum of the estimates divided by the sum of the exact changes; NaN when that is zero
 */
public record EstimateAgreement(int refreshes, double spearman, int negative, double bias) {
  /** A change below this is rounding. */
  private static final double ZERO = 1e-12;

  /** Whether a refresh counts: its estimate or its exact change is not zero. */
  public static boolean counts(double estimate, double exact) {
    return Math.abs(estimate) > ZERO || Math.abs(exact) > ZERO;
  }

  /**
   * Compares; the elements at one index belong to one refresh.
   *
   * @throws IllegalArgumentException if the arrays differ in length, or a number in one is none
   */
  public static EstimateAgreement of(double[] estimates, double[] exact) {
    if (estimates.length != exact.length) {
      throw new IllegalArgumentException(
          "every estimate needs an exact change, got %d and %d"
              .formatted(estimates.length, exact.length));
    }
    for (int i = 0; i < exact.length; i++) {
      if (Double.isNaN(estimates[i]) || Double.isNaN(exact[i])) {
        throw new IllegalArgumentException(
            "estimates and exact changes must be numbers, were %s and %s at refresh %d of %d"
                .formatted(estimates[i], exact[i], i, exact.length));
      }
    }
    int[] moved =
        IntStream.range(0, exact.length).filter(i -> counts(estimates[i], exact[i])).toArray();
    double[] x = IntStream.of(moved).mapToDouble(i -> estimates[i]).toArray();
    double[] y = IntStream.of(moved).mapToDouble(i -> exact[i]).toArray();
    double spearman = moved.length < 2 ? Double.NaN : new SpearmansCorrelation().correlation(x, y);
    int negative = (int) IntStream.of(moved).filter(i -> estimates[i] < -ZERO).count();
    double estimated = IntStream.of(moved).mapToDouble(i -> estimates[i]).sum();
    double gained = IntStream.of(moved).mapToDouble(i -> exact[i]).sum();
    double bias = gained == 0 ? Double.NaN : estimated / gained;
    return new EstimateAgreement(moved.length, spearman, negative, bias);
  }
}
