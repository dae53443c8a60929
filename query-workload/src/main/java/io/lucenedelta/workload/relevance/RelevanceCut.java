// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.relevance;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Which queries are relevant to a collection: those whose scores, summed over all pages, are not
 * under the knee of the distribution of these sums (2005 paper, section 6).
 *
 * <p>The paper chose its threshold by eye. Here the sums over 0 are sorted, falling; their
 * logarithm against their place is a curve that falls steadily for most queries and fast for the
 * few that hardly touch a page; the knee, found by Kneedle (Satopää and others 2011), is where that
 * begins. Logarithms, because sums span orders of magnitude: on a linear axis the knee follows the
 * one or two greatest sums and moves by a third from sample to sample. A sum of 0 means that no
 * page answers the query; such queries are never kept.
 *
 * @param threshold the least sum that is kept; infinite when no query is answered
 * @param kept how many sums are kept
 * @param answered how many sums are over 0
 * @param keptLow how many are kept when the threshold is that of a resample, 2.5 % quantile
 * @param keptHigh the same, 97.5 % quantile
 */
public record RelevanceCut(double threshold, int kept, int answered, int keptLow, int keptHigh) {
  private static final int RESAMPLES = 200;

  /**
   * Finds the cut.
   *
   * @param sums a query each, finite and not negative
   * @param seed of the resampling; the same seed gives the same interval
   * @throws IllegalArgumentException if a sum is negative or not finite
   */
  public static RelevanceCut of(double[] sums, long seed) {
    for (int query = 0; query < sums.length; query++) {
      if (!(sums[query] >= 0 && sums[query] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "summed scores must be finite and not negative, was "
                + sums[query]
                + " for query "
                + query);
      }
    }
    double[] falling = falling(Arrays.stream(sums).filter(sum -> sum > 0).toArray());
    double threshold = threshold(falling);
    int[] resampled = resampled(falling, new SplittableRandom(seed));
    return new RelevanceCut(
        threshold,
        kept(falling, threshold),
        falling.length,
        resampled[(int) (0.025 * RESAMPLES)],
        resampled[(int) (0.975 * RESAMPLES)]);
  }

  /** Whether a query with this sum is kept. */
  public boolean keeps(double sum) {
    return sum >= threshold;
  }

  private static double[] falling(double[] values) {
    double[] falling = new double[values.length];
    Arrays.sort(values);
    for (int i = 0; i < values.length; i++) {
      falling[i] = values[values.length - 1 - i];
    }
    return falling;
  }

  /** One sum or two have no shape: the knee is the last of them, and all are kept. */
  private static double threshold(double[] falling) {
    return falling.length == 0
        ? Double.POSITIVE_INFINITY
        : falling[Knee.of(Arrays.stream(falling).map(Math::log).toArray())];
  }

  private static int kept(double[] falling, double threshold) {
    int kept = 0;
    while (kept < falling.length && falling[kept] >= threshold) {
      kept++;
    }
    return kept;
  }

  /** What the thresholds of resamples would keep of the whole, sorted. */
  private static int[] resampled(double[] falling, SplittableRandom random) {
    int[] kept = new int[RESAMPLES];
    for (int i = 0; i < RESAMPLES; i++) {
      double[] resample = new double[falling.length];
      for (int j = 0; j < resample.length; j++) {
        resample[j] = falling[random.nextInt(falling.length)];
      }
      kept[i] = kept(falling, threshold(falling(resample)));
    }
    Arrays.sort(kept);
    return kept;
  }
}
