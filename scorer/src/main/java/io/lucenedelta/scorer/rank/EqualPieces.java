// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * F_q as the 2005 paper makes it (section 5.1.2): three pieces of equal length in ln rank, through
 * the scores at ranks 1, N^(1/3), N^(2/3) and N.
 *
 * <p>The form that comparisons with the paper use; a table of many queries keeps {@link
 * KnotSample}s. At a rank that is not whole the score is interpolated as the curve itself is,
 * linear in (ln rank, ln score). The paper does not say how its pieces are fitted.
 */
public final class EqualPieces {
  /** "In our experiments ... we used three pieces per function." */
  private static final int PIECES = 3;

  private EqualPieces() {}

  /**
   * The rank function of one query.
   *
   * @param scores those of the complete result in any order; what is not positive does not count,
   *     not even −∞
   * @param length how many of the elements count, from the first
   * @throws IllegalArgumentException if a score is +∞ or not a number
   */
  public static LogLogRankFunction of(float[] scores, int length) {
    float[] ascending = Arrays.copyOf(scores, length);
    Arrays.sort(ascending);
    if (length > 0 && !(ascending[length - 1] <= Float.MAX_VALUE)) {
      throw new IllegalArgumentException("scores must be finite, was " + ascending[length - 1]);
    }
    int first = 0;
    while (first < length && ascending[first] <= 0) {
      first++;
    }
    int results = length - first;
    double[] knots = new double[PIECES + 1];
    for (int knot = 0; knot <= PIECES && results > 0; knot++) {
      double power = Math.pow(results, (double) knot / PIECES); // 64^(1/3) is just short of 4
      double rank = knot == PIECES ? results : KnotRanks.wholeWhereNear(power);
      double score = KnotSample.scoreAt(rank, ascending, ascending.length);
      knots[knot] = knot == 0 ? score : Math.min(score, knots[knot - 1]);
    }
    return LogLogRankFunction.of(results, knots);
  }
}
