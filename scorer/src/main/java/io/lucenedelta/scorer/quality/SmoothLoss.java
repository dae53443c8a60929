// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegrator;
import org.apache.commons.math3.analysis.integration.gauss.GaussIntegratorFactory;

/**
 * {@link ViewingLikelihood#lostViews} of a curve whose slope is known and smooth, by Gauss's rule
 * over stretches of ranks. Eight points a stretch, no stretch longer than a factor of e in rank, or
 * than leaves e^-4 of the score or of the views: right to a billionth part. It ends where e^-40 of
 * the first rank's is left.
 */
final class SmoothLoss {
  private static final GaussIntegrator RULE = new GaussIntegratorFactory().legendre(8);
  private static final int POINTS = RULE.getNumberOfPoints();
  private static final double[] AT = new double[POINTS];
  private static final double[] WEIGHT = new double[POINTS];
  private static final double LONGEST = 1; // of a stretch, in natural logarithms of the rank
  private static final double MOST_LOST = 4; // in one stretch, in natural logarithms
  private static final double NOTHING_LEFT = 40;

  static {
    for (int i = 0; i < POINTS; i++) {
      AT[i] = RULE.getPoint(i) / 2 + 0.5;
      WEIGHT[i] = RULE.getWeight(i) / 2;
    }
  }

  private SmoothLoss() {}

  /**
   * The integral.
   *
   * @param fall −I′(r), positive
   * @param decay by how much ln I falls from a rank to the next, at most; 0 if that is no more than
   *     ln r rises
   */
  static double lostViews(
      DoubleUnaryOperator fall,
      double decay,
      double from,
      double to,
      double scoreAtFrom,
      double scoreExponent) {
    double last = Math.log(to / from);
    double start = 0;
    double sum = 0;
    while (start < last
        && scoreExponent * start + decay * from * Math.expm1(start) < NOTHING_LEFT) {
      double steepness = scoreExponent + decay * from * Math.exp(start);
      double step = Math.min(last - start, Math.min(LONGEST, MOST_LOST / steepness));
      double stretch = 0;
      for (int i = 0; i < POINTS; i++) {
        double along = start + step * AT[i];
        double rank = from * Math.exp(along);
        stretch += WEIGHT[i] * fall.applyAsDouble(rank) * rank * Math.exp(-scoreExponent * along);
      }
      sum += stretch * step;
      start += step;
    }
    return sum * scoreAtFrom;
  }
}
