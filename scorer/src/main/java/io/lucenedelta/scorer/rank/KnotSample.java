// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * What F_q keeps of a query's complete result: the number of results and the scores at six knot
 * ranks, 1, 2, 3 and N and two between 3 and N that divide that stretch into equal parts in ln
 * rank.
 *
 * <p>A knot rank is seldom whole. The score there is interpolated, linear in (ln rank, ln score),
 * between the two whole ranks around it, as the curve itself is, and then rounded as {@link
 * KnotCode} does. Scores that are not positive stand for pages outside the result and do not count.
 * Immutable.
 */
public final class KnotSample {
  /** The sample of a query without results. */
  public static final KnotSample NONE = new KnotSample(0, new float[RankTable.KNOTS]);

  /** Results of at most this length are sorted. */
  private static final int SORTED = 128;

  private final int results;
  private final float[] scores;

  private KnotSample(int results, float[] scores) {
    this.results = results;
    this.scores = scores;
  }

  /**
   * The sample of the result whose scores are the first {@code length} elements of {@code scores},
   * in any order. <strong>The elements are reordered</strong>, not copied: the caller owns the
   * buffer and fills it again for the next query.
   *
   * <p>Cost: linear in {@code length} on average: scores are selected, not sorted, but for short
   * results. The result does not depend on the order of the elements.
   *
   * @throws IllegalArgumentException if a score is not finite
   */
  public static KnotSample of(float[] scores, int length) {
    int results = positiveFirst(scores, length);
    if (results == 0) {
      return NONE;
    }
    placeKnots(scores, results);
    float[] knots = new float[RankTable.KNOTS];
    for (int knot = 0; knot < knots.length; knot++) {
      double rank = KnotRanks.rank(results, knot);
      float score = KnotCode.round((float) scoreAt(rank, scores));
      knots[knot] = knot == 0 ? score : Math.min(score, knots[knot - 1]);
    }
    return new KnotSample(results, knots);
  }

  /**
   * Puts the scores that stand just above and below every knot rank into their places: the last
   * first, so that each selection leaves few scores to the next. Short results are sorted.
   */
  private static void placeKnots(float[] scores, int results) {
    if (results <= SORTED) {
      sortDescending(scores, results);
      return;
    }
    smallestLast(scores, results);
    int end = results - 1;
    for (int knot = RankTable.KNOTS - 2; knot >= 0; knot--) {
      double rank = KnotRanks.rank(results, knot);
      for (int index = (int) Math.ceil(rank) - 1; index >= (int) rank - 1; index--) {
        if (index < end) {
          Selection.descending(scores, 0, end, index);
          end = index;
        }
      }
    }
  }

  private static void sortDescending(float[] scores, int results) {
    Arrays.sort(scores, 0, results);
    for (int i = 0, j = results - 1; i < j; i++, j--) {
      swap(scores, i, j);
    }
  }

  private static void smallestLast(float[] scores, int results) {
    int smallest = 0;
    for (int i = 1; i < results; i++) {
      smallest = scores[i] < scores[smallest] ? i : smallest;
    }
    swap(scores, smallest, results - 1);
  }

  private static void swap(float[] scores, int i, int j) {
    float swapped = scores[i];
    scores[i] = scores[j];
    scores[j] = swapped;
  }

  /** Moves the positive scores to the front, keeps the rest behind, returns their number. */
  private static int positiveFirst(float[] scores, int length) {
    int results = 0;
    for (int i = 0; i < length; i++) {
      float score = scores[i];
      if (!(score <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "scores must be finite, was " + score + " at result " + i + " of " + length);
      }
      if (score > 0) {
        scores[i] = scores[results];
        scores[results++] = score;
      }
    }
    return results;
  }

  /** Interpolates between the whole ranks around a rank, whose scores are in place. */
  private static double scoreAt(double rank, float[] scores) {
    int whole = (int) rank;
    double above = scores[whole - 1];
    if (whole == rank) {
      return above;
    }
    double below = scores[whole];
    double share = Math.log(rank / whole) / Math.log((whole + 1.0) / whole);
    return above == below ? above : above * Math.pow(below / above, share);
  }

  /** N, the number of results. */
  public int results() {
    return results;
  }

  /** The score at a knot, {@code 0 <= knot < RankTable.KNOTS}; 0 without results. */
  public float score(int knot) {
    return scores[knot];
  }
}
