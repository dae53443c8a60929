// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;

/**
 * F_q: where a page with a given score stands in the result of one query, and the score that stands
 * at a given rank, as a curve of straight pieces in (ln rank, ln score) between knots (2005,
 * section 5.1.2).
 *
 * <p>Laws: {@link #rankOf} never increases with the score; {@link #scoreAt} never increases with
 * the rank; ranks lie in [1, {@link #results}], except that a score of 0, which means not in the
 * result, has rank {@link Double#POSITIVE_INFINITY}.
 *
 * <p>Between two knots a score maps to one rank and back. Degenerate cases:
 *
 * <ul>
 *   <li>a score above the first knot has rank 1, one below the last has rank N, 0 has rank ∞;
 *   <li>neighbouring knots of equal score make a flat piece: pages there are tied, and the rank of
 *       the score they share is the middle in ln rank of the whole flat stretch, which may span
 *       several pieces;
 *   <li>N = 0: every positive score has rank 1, every rank the score 0; N = 1: every positive score
 *       has rank 1, every rank the score of the first knot.
 * </ul>
 *
 * <p>Cost: one logarithm and one exponential a call at most. Immutable, safe for several threads.
 */
public final class LogLogRankFunction {
  private final int results;
  private final double[] score;
  private final double[] lnScore;
  private final double[] lnRank;
  private final boolean coded; // knot scores were rounded by KnotCode

  private LogLogRankFunction(
      int results, double[] score, IntToDoubleFunction lnRank, boolean coded) {
    this.results = results;
    this.score = score;
    this.lnScore = Arrays.stream(score).map(Math::log).toArray();
    this.lnRank = new double[score.length];
    Arrays.setAll(this.lnRank, lnRank);
    this.coded = coded;
  }

  /**
   * The curve of pieces of equal length in ln rank, as in the paper: with four scores, those at
   * ranks 1, N^(1/3), N^(2/3) and N.
   *
   * @param results N, 0 or more
   * @param knotScores two scores or more, positive, finite and never increasing; ignored when there
   *     are no results
   * @throws IllegalArgumentException if an argument is not as described
   */
  public static LogLogRankFunction of(int results, double... knotScores) {
    if (results < 0) {
      throw new IllegalArgumentException("number of results must not be negative, was " + results);
    }
    if (knotScores.length < 2) {
      throw new IllegalArgumentException(
          "a rank function needs at least 2 knot scores, got " + knotScores.length);
    }
    double pieces = knotScores.length - 1;
    double length = Math.log(Math.max(1, results));
    double[] score = results == 0 ? new double[knotScores.length] : knotScores.clone();
    return checked(new LogLogRankFunction(results, score, knot -> length * knot / pieces, false));
  }

  /**
   * The curve through any knots.
   *
   * @param knotRanks two ranks or more, ascending, the first 1 and the last {@code results}
   * @param knotScores as many scores, positive, finite and never increasing
   * @throws IllegalArgumentException if an argument is not as described
   */
  public static LogLogRankFunction through(int results, double[] knotRanks, double[] knotScores) {
    if (knotRanks.length < 2 || knotRanks.length != knotScores.length) {
      throw new IllegalArgumentException(
          "a rank function needs at least 2 knots with a rank and a score each, got %d and %d"
              .formatted(knotRanks.length, knotScores.length));
    }
    for (int knot = 0; knot < knotRanks.length; knot++) {
      double least = knot == 0 ? 1 : knotRanks[knot - 1];
      if (!(knotRanks[knot] >= least && knotRanks[knot] <= results)) {
        throw new IllegalArgumentException(
            "knot ranks must ascend from 1 to %d, was %s at knot %d"
                .formatted(results, knotRanks[knot], knot));
      }
    }
    if (knotRanks[0] != 1 || knotRanks[knotRanks.length - 1] != results) {
      throw new IllegalArgumentException(
          "the first knot must be at rank 1 and the last at %d, were at %s and %s"
              .formatted(results, knotRanks[0], knotRanks[knotRanks.length - 1]));
    }
    double[] ranks = knotRanks.clone();
    return checked(
        new LogLogRankFunction(results, knotScores.clone(), knot -> Math.log(ranks[knot]), false));
  }

  /** The rank function of one query of a table. */
  public static LogLogRankFunction of(RankTable table, int query) {
    int results = table.results(query);
    double[] score = new double[RankTable.KNOTS];
    Arrays.setAll(score, knot -> table.knotScore(query, knot));
    return checked(
        new LogLogRankFunction(results, score, knot -> KnotRanks.lnRank(results, knot), true));
  }

  private static LogLogRankFunction checked(LogLogRankFunction function) {
    double before = Double.MAX_VALUE;
    for (int knot = 0; knot < function.score.length && function.results > 0; knot++) {
      double score = function.score[knot];
      if (!(score > 0 && score <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "knot scores must be positive and finite, was " + score + " at knot " + knot);
      }
      if (score > before) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "knot scores must not increase: %s is followed by %s at rank %.2f; refit the function",
                before,
                score,
                function.rankOfKnot(knot)));
      }
      before = score;
    }
    return function;
  }

  /** N, the number of results, 0 or more. */
  public int results() {
    return results;
  }

  /**
   * F_q(score), real-valued.
   *
   * @throws IllegalArgumentException if the score is negative or not finite
   */
  public double rankOf(double s) {
    if (!(s >= 0 && s <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("a score must be 0 or more and finite, was " + s);
    }
    if (s == 0) {
      return Double.POSITIVE_INFINITY;
    }
    if (results <= 1) {
      return 1;
    }
    double position = lnRankOf(s);
    return position == lnRank[lnRank.length - 1] ? results : Math.exp(position);
  }

  private double lnRankOf(double uncoded) {
    double s = coded ? KnotCode.round((float) uncoded) : uncoded;
    int tied = firstKnotAt(s);
    if (tied >= 0) {
      return middleOfTie(tied);
    }
    if (s >= score[0]) {
      return 0;
    }
    int last = score.length - 1;
    if (s <= score[last]) {
      return lnRank[last];
    }
    int below = 1;
    while (score[below] > s) {
      below++;
    }
    double fall = lnScore[below - 1] - lnScore[below];
    double share = (lnScore[below - 1] - Math.log(s)) / fall;
    return lnRank[below - 1] + share * (lnRank[below] - lnRank[below - 1]);
  }

  private int firstKnotAt(double s) {
    for (int knot = 0; knot < score.length; knot++) {
      if (score[knot] == s) {
        return knot;
      }
    }
    return -1;
  }

  /** The middle of the stretch of equal scores that starts at a knot. */
  private double middleOfTie(int first) {
    int last = first;
    while (last + 1 < score.length && score[last + 1] == score[first]) {
      last++;
    }
    return (lnRank[first] + lnRank[last]) / 2;
  }

  /**
   * F_q⁻¹(rank); ranks outside [1, {@link #results}] get the score at the nearer end, 0 if there
   * are no results.
   *
   * @throws IllegalArgumentException if the rank is not a number
   */
  public double scoreAt(double rank) {
    if (Double.isNaN(rank)) {
      throw new IllegalArgumentException("a rank must be a number, was " + rank);
    }
    if (results <= 1 || rank <= 1) {
      return score[0];
    }
    if (rank >= results) {
      return score[score.length - 1];
    }
    double position = Math.log(rank);
    int piece = 0;
    while (piece < score.length - 2 && lnRank[piece + 1] <= position) {
      piece++;
    }
    return Math.exp(lnScore[piece] - exponent(piece) * (position - lnRank[piece]));
  }

  /** Number of pieces, one less than knots. */
  public int pieces() {
    return score.length - 1;
  }

  /** The rank of a knot, from 1 to N; 1 when N is 0. */
  public double rankOfKnot(int knot) {
    return knot == score.length - 1 ? Math.max(1, results) : Math.exp(lnRank[knot]);
  }

  /** The score at a knot, 0 when there are no results. */
  public double scoreOfKnot(int knot) {
    return score[knot];
  }

  /**
   * How fast the score falls on a piece: there it is proportional to rank^-exponent.
   *
   * @param piece from 0 to pieces() - 1
   * @return 0 or more; 0 on a flat piece and on a piece of no length
   */
  public double exponent(int piece) {
    double length = lnRank[piece + 1] - lnRank[piece];
    return length > 0 ? (lnScore[piece] - lnScore[piece + 1]) / length : 0;
  }

  @Override
  public String toString() {
    return "F of " + results + " results through " + Arrays.toString(score);
  }
}
