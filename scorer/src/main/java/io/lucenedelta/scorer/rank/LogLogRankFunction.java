// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Arrays;

/**
 * F_q as a curve of three straight pieces in (ln rank, ln score), equally long in ln rank (2005,
 * section 5.1.2): knots at ranks 1, N^(1/3), N^(2/3) and N.
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
public final class LogLogRankFunction implements ScoreRankFunction {
  private final int results;
  private final double[] score;
  private final double[] lnScore;
  private final double pieceLength; // in ln rank

  private LogLogRankFunction(int results, double[] score) {
    this.results = results;
    this.score = score;
    this.lnScore = Arrays.stream(score).map(Math::log).toArray();
    this.pieceLength = lnRankOfKnot(results, 1);
  }

  /**
   * The curve through the scores at ranks 1, N^(1/3), N^(2/3) and N.
   *
   * @param results N, 0 or more
   * @param knotScores {@link RankTable#KNOTS} scores, positive, finite and never increasing;
   *     ignored when there are no results
   * @throws IllegalArgumentException if an argument is not as described
   */
  public static LogLogRankFunction of(int results, double... knotScores) {
    if (results < 0) {
      throw new IllegalArgumentException("number of results must not be negative, was " + results);
    }
    if (knotScores.length != RankTable.KNOTS) {
      throw new IllegalArgumentException(
          "a rank function needs " + RankTable.KNOTS + " knot scores, got " + knotScores.length);
    }
    double[] score = results == 0 ? new double[RankTable.KNOTS] : knotScores.clone();
    if (results > 0) {
      requireNeverIncreasing(results, score);
    }
    return new LogLogRankFunction(results, score);
  }

  /** The rank function of one query of a table. */
  public static LogLogRankFunction of(RankTable table, int query) {
    double[] score = new double[RankTable.KNOTS];
    for (int knot = 0; knot < score.length; knot++) {
      score[knot] = table.knotScore(query, knot);
    }
    return of(table.results(query), score);
  }

  private static void requireNeverIncreasing(int results, double[] score) {
    double before = Double.MAX_VALUE;
    for (int knot = 0; knot < score.length; knot++) {
      if (!(score[knot] > 0 && score[knot] <= Double.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "knot scores must be positive and finite, was " + score[knot] + " at knot " + knot);
      }
      if (score[knot] > before) {
        throw new IllegalArgumentException(
            "knot scores must not increase: %s is followed by %s at rank %.2f; refit the function"
                .formatted(before, score[knot], Math.exp(lnRankOfKnot(results, knot))));
      }
      before = score[knot];
    }
  }

  /** The natural logarithm of a knot's rank: knot/3 of ln N; 0 when there are no results. */
  static double lnRankOfKnot(int results, int knot) {
    return results <= 1 ? 0 : Math.log(results) * knot / (RankTable.KNOTS - 1);
  }

  @Override
  public int results() {
    return results;
  }

  @Override
  public double rankOf(double s) {
    if (!(s >= 0 && s <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("a score must be 0 or more and finite, was " + s);
    }
    if (s == 0) {
      return Double.POSITIVE_INFINITY;
    }
    if (results <= 1 || s > score[0]) {
      return 1;
    }
    int last = score.length - 1;
    if (s < score[last]) {
      return results;
    }
    int below = 0; // first knot that does not exceed s
    while (score[below] > s) {
      below++;
    }
    double position = score[below] == s ? middleOfTie(below) : between(below, s);
    return Math.min(results, Math.exp(pieceLength * position));
  }

  /** Position, in pieces, of the middle of the stretch of equal scores that starts at a knot. */
  private double middleOfTie(int first) {
    int last = first;
    while (last + 1 < score.length && score[last + 1] == score[first]) {
      last++;
    }
    return (first + last) / 2.0;
  }

  /** Position, in pieces, of a score between knot {@code below - 1} and knot {@code below}. */
  private double between(int below, double s) {
    double fall = lnScore[below - 1] - lnScore[below];
    return below - 1 + (lnScore[below - 1] - Math.log(s)) / fall;
  }

  @Override
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
    double position = Math.log(rank) / pieceLength;
    int piece = Math.min((int) position, score.length - 2);
    double fall = lnScore[piece] - lnScore[piece + 1];
    return Math.exp(lnScore[piece] - fall * (position - piece));
  }

  /** The rank of a knot: 1, N^(1/3), N^(2/3), N; 1 for every knot when N is 0 or 1. */
  public double rankOfKnot(int knot) {
    return knot == score.length - 1 ? Math.max(1, results) : Math.exp(pieceLength * knot);
  }

  /** The score at a knot, 0 when there are no results. */
  public double scoreOfKnot(int knot) {
    return score[knot];
  }

  /**
   * How fast the score falls on a piece: there it is proportional to rank^-exponent.
   *
   * @param piece from 0 to KNOTS - 2
   * @return 0 or more; 0 on a flat piece and on every piece when N is 0 or 1
   */
  public double exponent(int piece) {
    return results <= 1 ? 0 : (lnScore[piece] - lnScore[piece + 1]) / pieceLength;
  }

  @Override
  public String toString() {
    return "F of " + results + " results through " + Arrays.toString(score);
  }
}
