// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Arrays;

/**
 * What measuring shifts under a power law needs of the rank functions of a workload: {@value
 * #RECORD} doubles a query, where a page stands and what those it passes are worth.
 *
 * <pre>
 * record: N | score at the last of the first ranks, at N | T from N to N + 1 | ln N
 *         | scores by which the second and third piece of the curve begin
 *         | by piece: ln score, log2 1/rank where it begins | log2 1/rank by ln score
 *                   | 1/rank where it begins, ends | slope | share | D
 *         | score at the first ranks | falling: T at these | rising: T at these and one more
 * </pre>
 *
 * <p>T(r) is the integral of |I′|·s from r to the end of the result, s being the score of the page
 * passed. The end is N when a page falls and N + 1 when it rises. On a piece where F⁻¹ falls as
 * r^-β, T is a/(a + β)·I·F⁻¹ − D, a being the exponent of I, a/(a + β) the share, β the slope, and
 * D a constant that makes T continuous: no loop over pieces. Among the first positions pages stand
 * at whole and half ranks, where T and I are looked up.
 *
 * <p>A record is named by its place in {@link #values}, {@link #of} a query. Safe for several
 * threads, but for {@link #renew}.
 */
final class RankRecords {
  private static final int KNOWN = RankTable.KNOWN;
  private static final int PIECES = RankTable.KNOTS - KNOWN;

  private static final int KNOWN_SCORE = 1; // 0 where there is no curve
  private static final int LAST_SCORE = KNOWN_SCORE + 1;
  private static final int BEYOND_LAST = LAST_SCORE + 1;
  private static final int LN_RESULTS = BEYOND_LAST + 1;
  private static final int PIECE_BEGINS = LN_RESULTS; // + 1 the second piece, and so on
  private static final int LN_TOP = PIECE_BEGINS + PIECES;
  private static final int LOG_INVERSE = LN_TOP + 1;
  private static final int LOG_INVERSE_BY_LN = LOG_INVERSE + 1;
  private static final int INVERSE_TOP = LOG_INVERSE_BY_LN + 1;
  private static final int INVERSE_BOTTOM = INVERSE_TOP + 1;
  private static final int SLOPE = INVERSE_BOTTOM + 1;
  private static final int SHARE = SLOPE + 1;
  private static final int CONSTANT = SHARE + 1;
  private static final int PIECE = CONSTANT + 1 - LN_TOP;

  // Ranks are counted from 1: SCORE + 1 is the best, and so on.
  private static final int SCORE = LN_TOP + PIECES * PIECE - 1;
  private static final int FALLING = SCORE + KNOWN;
  private static final int RISING = FALLING + KNOWN;
  private static final int RECORD = RISING + KNOWN + 2;

  private static final double LN_KNOWN = Math.log(KNOWN);
  private static final double LOG2_E = 1 / Math.log(2);

  /** Where a knot lies between the last of the first ranks, 0, and N, 1, in logarithm. */
  private static final double[] SHARE_OF_KNOT = new double[PIECES + 1];

  /** The geometric mean of the first and the last rank of a tie, by their product. */
  private static final double[] MIDDLE_OF_TIE = new double[KNOWN * KNOWN + 1];

  static {
    for (int knot = 0; knot <= PIECES; knot++) {
      SHARE_OF_KNOT[knot] = (double) knot / PIECES;
    }
    for (int product = 0; product < MIDDLE_OF_TIE.length; product++) {
      MIDDLE_OF_TIE[product] = PassedPages.start(Math.sqrt(product), KNOWN);
    }
  }

  private final RankTable table;
  private final double scale;
  private final double exponent;
  private final boolean threeHalves;
  private final double[] halfRanks; // I by twice the rank
  private final double[] values;

  RankRecords(RankTable table, PowerLawViews views) {
    this.table = table;
    this.scale = views.scale();
    this.exponent = views.exponent();
    this.threeHalves = exponent == 1.5;
    this.halfRanks = new double[2 * KNOWN + 3];
    for (int twice = 2; twice < halfRanks.length; twice++) {
      halfRanks[twice] = views.at(twice / 2.0);
    }
    this.values = new double[Math.multiplyExact(table.size(), RECORD)];
    for (int query = 0; query < table.size(); query++) {
      renew(query);
    }
  }

  /** Where a query's record begins. */
  int of(int query) {
    return query * RECORD;
  }

  /** Reads one value of each cache line that most shifts need; returns some number made of them. */
  double prefetch(int record) {
    return values[record]
        + values[record + LN_TOP]
        + values[record + LN_TOP + PIECE]
        + values[record + LN_TOP + (PIECES - 1) * PIECE];
  }

  /** Makes a query's record anew from the table. */
  void renew(int query) {
    int record = query * RECORD;
    Arrays.fill(values, record, record + RECORD, 0);
    if (table.results(query) > 0) { // else who enters, enters at 1
      prepare(query);
    }
  }

  private void prepare(int query) {
    int record = query * RECORD;
    int results = table.results(query);
    int known = Math.min(KNOWN, results);
    values[record] = results;
    for (int rank = 1; rank <= known; rank++) {
      values[record + SCORE + rank] = table.knotScore(query, rank - 1);
    }
    values[record + LAST_SCORE] = table.knotScore(query, RankTable.KNOTS - 1);
    double falling = 0;
    double rising = 0;
    if (results > KNOWN) {
      values[record + KNOWN_SCORE] = values[record + SCORE + KNOWN];
      prepareCurve(query, record, results);
      falling = curve(record, KNOWN, viewsAt(KNOWN));
      rising = beyondKnown(record, KNOWN + 1.0, viewsAt(KNOWN + 1));
    }
    values[record + FALLING + known] = falling;
    for (int rank = known - 1; rank >= 1; rank--) {
      falling += (viewsAt(rank) - viewsAt(rank + 1)) * values[record + SCORE + rank + 1];
      values[record + FALLING + rank] = falling;
    }
    values[record + RISING + known + 1] = rising;
    for (int rank = known; rank >= 1; rank--) {
      rising += (viewsAt(rank) - viewsAt(rank + 1)) * values[record + SCORE + rank];
      values[record + RISING + rank] = rising;
    }
  }

  private void prepareCurve(int query, int record, int results) {
    values[record + LN_RESULTS] = Logarithms.ln(results);
    double tail = 0;
    for (int piece = PIECES - 1; piece >= 0; piece--) {
      float top = table.knotScore(query, KNOWN - 1 + piece);
      float bottom = table.knotScore(query, KNOWN + piece);
      if (piece > 0) {
        // a score that a whole piece has belongs to it, not to the piece that ends there
        values[record + PIECE_BEGINS + piece] = top == bottom ? Math.nextUp((double) top) : top;
      }
      tail = preparePiece(record, piece, Logarithms.ofCoded(top), Logarithms.ofCoded(bottom), tail);
    }
    values[record + BEYOND_LAST] = beyondLast(record, results, views(results));
  }

  /** Takes T at the end of a piece, returns T where it begins. */
  private double preparePiece(int record, int piece, double lnTop, double lnBottom, double tail) {
    double from = lnRankOfKnot(record, piece);
    double to = lnRankOfKnot(record, piece + 1);
    boolean flat = lnTop == lnBottom;
    double slope = (lnTop - lnBottom) / (to - from);
    double share = exponent / (exponent + slope);
    double constant = scale * share * Logarithms.exp(lnBottom - exponent * to) - tail;
    int at = record + piece * PIECE;
    values[at + LN_TOP] = lnTop;
    values[at + LOG_INVERSE] = -LOG2_E * (flat ? (from + to) / 2 : from);
    values[at + LOG_INVERSE_BY_LN] = flat ? 0 : LOG2_E / slope;
    values[at + INVERSE_TOP] = Logarithms.exp(-from);
    values[at + INVERSE_BOTTOM] = Logarithms.exp(-to);
    values[at + SLOPE] = slope;
    values[at + SHARE] = share;
    values[at + CONSTANT] = constant;
    return scale * share * Logarithms.exp(lnTop - exponent * from) - constant;
  }

  double results(int record) {
    return values[record];
  }

  double lastScore(int record) {
    return values[record + LAST_SCORE];
  }

  /** T from N to N + 1. */
  double beyondLast(int record) {
    return values[record + BEYOND_LAST];
  }

  /** Where a page stands: at a whole or half rank among the first, else at any. */
  double place(int record, double results, double score) {
    float coded = KnotCode.round((float) score);
    if (isOnCurve(record, coded)) {
      return Math.max(KNOWN, 1 / inverseRank(piece(record, coded), coded));
    }
    long count = 0;
    for (int rank = 1; rank <= KNOWN; rank++) {
      count += below(coded, values[record + SCORE + rank]);
    }
    int above = (int) count;
    if (above < KNOWN && above < results) {
      return values[record + SCORE + above + 1] == coded
          ? tied(record, results, above + 1, coded)
          : above == 0 ? 1 : above + PassedPages.OWN_POSITION;
    }
    boolean last = results > KNOWN && coded == values[record + LAST_SCORE];
    return last ? tiedAtLast(record, results) : Math.max(1, results);
  }

  /** The middle of a tie that begins at one of the first ranks. */
  private double tied(int record, double results, int first, float coded) {
    int last = first;
    while (last < KNOWN && values[record + SCORE + last + 1] == coded) {
      last++;
    }
    boolean goesOn = last == KNOWN && results > KNOWN && isFlat(record, 0);
    if (!goesOn) {
      return MIDDLE_OF_TIE[first * last];
    }
    int knot = 1;
    while (knot < PIECES && isFlat(record, knot)) {
      knot++;
    }
    double lnMiddle = (Math.log(first) + lnRankOfKnot(record, knot)) / 2;
    return PassedPages.start(Math.exp(lnMiddle), KNOWN);
  }

  /** The middle of the tie that ends the result, or its last rank. */
  private double tiedAtLast(int record, double results) {
    int knot = PIECES;
    while (knot > 0 && isFlat(record, knot - 1)) {
      knot--;
    }
    return knot == PIECES
        ? results
        : Math.exp((lnRankOfKnot(record, knot) + values[record + LN_RESULTS]) / 2);
  }

  private boolean isFlat(int record, int piece) {
    return values[record + piece * PIECE + SLOPE] == 0;
  }

  /** Whether a score lies between those at the two ends of the curve. */
  boolean isOnCurve(int record, float coded) {
    return coded < values[record + KNOWN_SCORE] && coded > values[record + LAST_SCORE];
  }

  /** The piece of a score on the curve: where its part of the record begins. */
  int piece(int record, float coded) {
    long piece = 0;
    for (int knot = 1; knot < PIECES; knot++) {
      piece += below(coded, values[record + PIECE_BEGINS + knot]);
    }
    return record + (int) piece * PIECE;
  }

  /** 1/F of a score on a piece; of one that a whole piece has, at its middle. */
  double inverseRank(int piece, float coded) {
    double fall = values[piece + LN_TOP] - Logarithms.ofCoded(coded);
    return Logarithms.powerOf2(
        values[piece + LOG_INVERSE] - fall * values[piece + LOG_INVERSE_BY_LN]);
  }

  /** Whether a rank, given by its inverse, lies on a piece or at one of its ends. */
  boolean isOnPiece(int piece, double inverse) {
    return inverse <= values[piece + INVERSE_TOP] && inverse >= values[piece + INVERSE_BOTTOM];
  }

  /** β of a piece. */
  double slope(int piece) {
    return values[piece + SLOPE];
  }

  /** 1 when a number is below another, else 0: the sign of their difference, without a branch. */
  private static long below(double number, double other) {
    return Double.doubleToRawLongBits(number - other) >>> (Long.SIZE - 1);
  }

  /** As KnotRanks lays them out, counted from the last of the first ranks. */
  private double lnRankOfKnot(int record, int knot) {
    return LN_KNOWN + SHARE_OF_KNOT[knot] * (values[record + LN_RESULTS] - LN_KNOWN);
  }

  /** T for a falling page, at a rank from 1 to N whose I is given. */
  double fallingTail(int record, double results, double rank, double views) {
    if (rank >= results) {
      return 0;
    }
    if (rank >= KNOWN) {
      return curve(record, rank, views);
    }
    int next = (int) rank + 1;
    return values[record + FALLING + next]
        + (views - viewsAt(next)) * values[record + SCORE + next];
  }

  /** T for a rising page, at a rank from 1 to N whose I is given. */
  double tail(int record, double rank, double views) {
    if (rank >= KNOWN + 1) {
      return beyondKnown(record, rank, views);
    }
    int whole = (int) rank;
    return values[record + RISING + whole + 1]
        + (views - viewsAt(whole + 1)) * values[record + SCORE + whole];
  }

  private double beyondKnown(int record, double rank, double views) {
    return curve(record, rank, views) + values[record + BEYOND_LAST];
  }

  /** T at a rank from N to N + 1 whose I is given: the score is that at N. */
  double beyondLast(int record, double results, double views) {
    return values[record + LAST_SCORE] * (views - views(results + 1));
  }

  /** The integral of |I′|·F⁻¹ from a rank on the curve, whose I is given, to N. */
  private double curve(int record, double rank, double views) {
    double lnRank = Logarithms.ln(rank);
    int piece = 0;
    for (int knot = 1; knot < PIECES; knot++) {
      piece += lnRank >= lnRankOfKnot(record, knot) ? 1 : 0;
    }
    int at = record + piece * PIECE;
    double lnScore =
        values[at + LN_TOP] - values[at + SLOPE] * (lnRank - lnRankOfKnot(record, piece));
    return tailOnPiece(at, views, Logarithms.exp(lnScore));
  }

  /** T to N at a rank on a piece, whose I and F⁻¹ are given. */
  double tailOnPiece(int piece, double views, double score) {
    return values[piece + SHARE] * views * score - values[piece + CONSTANT];
  }

  double views(double rank) {
    if (rank <= KNOWN) {
      return halfRanks[(int) (2 * rank)];
    }
    return threeHalves
        ? scale / (rank * Math.sqrt(rank))
        : scale * Logarithms.exp(-exponent * Logarithms.ln(rank));
  }

  /** I at a rank given by its inverse; 0 for 0. */
  double viewsOfInverse(double inverse) {
    return threeHalves
        ? scale * inverse * Math.sqrt(inverse)
        : inverse == 0 ? 0 : scale * Logarithms.exp(exponent * Logarithms.ln(inverse));
  }

  private double viewsAt(int rank) {
    return halfRanks[2 * rank];
  }
}
