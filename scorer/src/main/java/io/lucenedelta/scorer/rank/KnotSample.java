// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * What F_q keeps of a query's complete result: the number of results and the scores at its knots,
 * the first {@value RankTable#KNOWN} ranks, N, and two between that divide that stretch into equal
 * parts in ln rank.
 *
 * <p>A knot rank is seldom whole. The score there is interpolated, linear in (ln rank, ln score),
 * between the two whole ranks around it, as the curve itself is, and then rounded as {@link
 * KnotCode} does. Scores that are not positive, negative infinity among them, stand for pages
 * outside the result and do not count. Immutable.
 */
public final class KnotSample {
  /** How many of the best scores a sample tells at most. */
  public static final int BEST = 24;

  /** The sample of a query without results. */
  private static final KnotSample NONE =
      new KnotSample(0, new float[RankTable.KNOTS], new float[0], 0);

  private static final int INFINITE = Float.floatToRawIntBits(Float.POSITIVE_INFINITY);

  private final int results;
  private final float[] scores;
  private final float[] best;
  private final int tied;

  private KnotSample(int results, float[] scores, float[] best, int tied) {
    this.results = results;
    this.scores = scores;
    this.best = best;
    this.tied = tied;
  }

  /**
   * The sample of the result whose scores are the first {@code length} elements of {@code scores},
   * in any order. <strong>The elements are reordered</strong>, not copied: the caller owns the
   * buffer and fills it again for the next query.
   *
   * <p>Cost: linear in {@code length} on average: only scores down to the last knot but one are
   * sorted. The result does not depend on the order of the elements.
   *
   * @throws IllegalArgumentException if a score is positive infinity or not a number
   */
  public static KnotSample of(float[] scores, int length) {
    int results = positiveFirst(scores, length);
    if (results == 0) {
      return NONE;
    }
    float least = least(scores, results);
    double[] ranks = new double[RankTable.KNOTS];
    Arrays.setAll(ranks, knot -> KnotRanks.rank(results, knot));
    float[] best = new float[Math.min(BEST, results)];
    int wanted = Math.max(best.length, (int) Math.ceil(ranks[RankTable.KNOTS - 2]));
    int sorted = Selection.largestFirst(scores, results, wanted);
    for (int i = 0; i < best.length; i++) {
      best[i] = KnotCode.round(scores[sorted - 1 - i]);
    }
    float[] knots = new float[RankTable.KNOTS];
    for (int knot = 0; knot < knots.length; knot++) {
      boolean last = knot == knots.length - 1;
      float score = KnotCode.round(last ? least : (float) scoreAt(ranks[knot], scores, sorted));
      knots[knot] = knot == 0 ? score : Math.min(score, knots[knot - 1]);
    }
    return new KnotSample(results, knots, best, tied(scores, sorted, best));
  }

  /** How many more of the {@code sorted} best are rounded to the last score told. */
  private static int tied(float[] scores, int sorted, float[] best) {
    float last = best[best.length - 1];
    int at = sorted - 1 - best.length;
    while (at >= 0 && KnotCode.round(scores[at]) == last) {
      at--;
    }
    return sorted - 1 - best.length - at;
  }

  /** The least of positive scores, whose bits are in the same order. */
  private static float least(float[] scores, int results) {
    int least = Integer.MAX_VALUE;
    for (int i = 0; i < results; i++) {
      least = Math.min(least, Float.floatToRawIntBits(scores[i]));
    }
    return Float.intBitsToFloat(least);
  }

  /** Moves the positive scores to the front, keeps the rest behind, returns their number. */
  private static int positiveFirst(float[] scores, int length) {
    if (allPositive(scores, length)) {
      return length;
    }
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

  /** Whether all scores are positive and finite, as they nearly always are. */
  private static boolean allPositive(float[] scores, int length) {
    int least = Integer.MAX_VALUE;
    int most = 0;
    for (int i = 0; i < length; i++) {
      int bits = Float.floatToRawIntBits(scores[i]);
      least = Math.min(least, bits);
      most = Math.max(most, bits);
    }
    return least > 0 && most < INFINITE;
  }

  /** Interpolates between the whole ranks around a rank, both among the {@code sorted} best. */
  static double scoreAt(double rank, float[] scores, int sorted) {
    int whole = (int) rank;
    double above = scores[sorted - whole];
    if (whole == rank) {
      return above;
    }
    double below = scores[sorted - whole - 1];
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

  /** Scores told of the best results, one after the other: all, or {@value #BEST}. */
  public int bestCount() {
    return best.length;
  }

  /** The score of one of the best results, {@code 0 <= place < bestCount()}, rounded as knots. */
  public float best(int place) {
    return best[place];
  }

  /** How many results beyond the best have the score of the last of these; not all of very many. */
  public int tied() {
    return tied;
  }
}
