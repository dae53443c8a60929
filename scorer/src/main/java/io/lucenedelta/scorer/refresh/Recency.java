// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * How much past refreshes of a page count for δQ_A: all alike, the last few alone, or less the
 * longer ago they were (Pandey and Olston 2005, footnote 4: a sliding window of recent refreshes is
 * what the authors have in mind for use, exponentially decayed averages what they leave to others).
 *
 * <p>Ages are taken from the page's last refresh, which weighs 1: what all weights have in common
 * cancels in a mean.
 *
 * @param refreshes how many of the last ones count, at least 1
 * @param days after how many days a refresh counts e times less, positive, perhaps infinite
 */
public record Recency(int refreshes, double days) {
  /** All refreshes count alike. */
  public static final Recency ALL = new Recency(Integer.MAX_VALUE, Double.POSITIVE_INFINITY);

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public Recency {
    if (refreshes < 1) {
      throw new IllegalArgumentException("refreshes must be at least 1, was " + refreshes);
    }
    if (!(days > 0)) {
      throw new IllegalArgumentException("days must be positive, was " + days);
    }
  }

  /** The last {@code refreshes} alone count. */
  public static Recency window(int refreshes) {
    return new Recency(refreshes, Double.POSITIVE_INFINITY);
  }

  /** A refresh that is {@code days} older counts e times less. */
  public static Recency decay(double days) {
    return new Recency(Integer.MAX_VALUE, days);
  }

  /** The mean rate of a page's refreshes, per day; of one refresh or more. */
  double mean(MeasuredRefreshes measured) {
    int last = measured.size() - 1;
    double weights = 0;
    double rates = 0;
    for (int refresh = last; refresh > last - refreshes && refresh >= 0; refresh--) {
      double age = Days.between(measured.time(refresh), measured.time(last));
      double weight = Math.exp(-age / days);
      weights += weight;
      rates += weight * measured.rate(refresh);
    }
    return rates / weights;
  }
}
