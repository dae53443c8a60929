// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Arrays;

/**
 * {@link PassedPages} for the power law, made for speed: one record of {@value #RECORD} doubles a
 * query, and nothing is allocated by {@link #change} and {@link #entry}.
 *
 * <pre>
 * record: N | score at the first ranks | falling: T at these | rising: T at these and one more
 *         | ln N | ln score at the last of them and at the knots beyond
 *         | by piece of the curve: slope | share | D | score at N
 * </pre>
 *
 * <p>With T(r) the integral of |I′|·s from r to the end of the result, s being the score of the
 * page passed, the change is (I(r2) − I(r1))·s2 + T(r1) − T(r2), whether the page rises or falls.
 * The end is N when it falls and N + 1 when it rises. Among the first positions pages stand at
 * whole and half ranks, where T and I are looked up: most shifts need neither logarithm nor
 * exponential. On a piece where F⁻¹ falls as r^-β, T is a/(a + β)·I·F⁻¹ − D, a being the exponent
 * of I, a/(a + β) the share, β the slope, and D a constant that makes T continuous: no loop over
 * pieces.
 *
 * <p>Agrees with the plain form to 1e-9, and to 1e-12 of the scores where they cancel. Safe for
 * several threads, but for {@link #renew}.
 */
final class PassedPagesMeter implements ShiftMeter {
  private static final int KNOWN = RankTable.KNOWN;
  private static final int PIECES = RankTable.KNOTS - KNOWN;

  // Ranks are counted from 1: SCORE + 1 is the best, and so on.
  private static final int SCORE = 0;
  private static final int FALLING = SCORE + KNOWN;
  private static final int RISING = FALLING + KNOWN;
  private static final int LN_RESULTS = RISING + KNOWN + 2;
  private static final int LN_KNOT = LN_RESULTS + 1;
  private static final int SLOPE = LN_KNOT + PIECES + 1;
  private static final int SHARE = SLOPE + PIECES;
  private static final int CONSTANT = SHARE + PIECES;
  private static final int LAST_SCORE = CONSTANT + PIECES;
  private static final int RECORD = LAST_SCORE + 1;

  private static final double LN_KNOWN = Math.log(KNOWN);

  /** The geometric mean of the first and the last rank of a tie, by their product. */
  private static final double[] MIDDLE_OF_TIE = new double[KNOWN * KNOWN + 1];

  static {
    for (int product = 0; product < MIDDLE_OF_TIE.length; product++) {
      MIDDLE_OF_TIE[product] = PassedPages.start(Math.sqrt(product), KNOWN);
    }
  }

  private final RankTable table;
  private final PassedPages plain;
  private final double scale;
  private final double exponent;
  private final boolean threeHalves;
  private final double[] halfRanks; // I by twice the rank
  private final double[] records;

  PassedPagesMeter(RankTable table, PassedPages plain, PowerLawViews views) {
    this.table = table;
    this.plain = plain;
    this.scale = views.scale();
    this.exponent = views.exponent();
    this.threeHalves = exponent == 1.5;
    this.halfRanks = new double[2 * KNOWN + 3];
    for (int twice = 2; twice < halfRanks.length; twice++) {
      halfRanks[twice] = views.at(twice / 2.0);
    }
    this.records = new double[Math.multiplyExact(table.size(), RECORD)];
    for (int query = 0; query < table.size(); query++) {
      renew(query);
    }
  }

  @Override
  public void renew(int query) {
    int record = query * RECORD;
    Arrays.fill(records, record, record + RECORD, 0);
    if (table.results(query) > 0) {
      prepare(query);
    } else {
      records[record + LAST_SCORE] = Double.MAX_VALUE; // who enters, enters last
    }
  }

  private void prepare(int query) {
    int record = query * RECORD;
    int results = table.results(query);
    int known = Math.min(KNOWN, results);
    records[record] = results;
    for (int rank = 1; rank <= known; rank++) {
      records[record + SCORE + rank] = table.knotScore(query, rank - 1);
    }
    records[record + LAST_SCORE] = table.knotScore(query, RankTable.KNOTS - 1);
    double falling = 0;
    double rising = 0;
    if (results > KNOWN) {
      prepareCurve(query, record, results);
      falling = curve(record, KNOWN, viewsAt(KNOWN));
      rising = beyondKnown(record, KNOWN + 1.0, viewsAt(KNOWN + 1));
    }
    records[record + FALLING + known] = falling;
    for (int rank = known - 1; rank >= 1; rank--) {
      falling += (viewsAt(rank) - viewsAt(rank + 1)) * records[record + SCORE + rank + 1];
      records[record + FALLING + rank] = falling;
    }
    records[record + RISING + known + 1] = rising;
    for (int rank = known; rank >= 1; rank--) {
      rising += (viewsAt(rank) - viewsAt(rank + 1)) * records[record + SCORE + rank];
      records[record + RISING + rank] = rising;
    }
  }

  private void prepareCurve(int query, int record, int results) {
    double lnResults = Logarithms.ln(results);
    records[record + LN_RESULTS] = lnResults;
    for (int knot = 0; knot <= PIECES; knot++) {
      records[record + LN_KNOT + knot] = Logarithms.ln(table.knotScore(query, KNOWN - 1 + knot));
    }
    double tail = 0;
    for (int piece = PIECES - 1; piece >= 0; piece--) {
      double from = lnRankOfKnot(record, piece);
      double to = lnRankOfKnot(record, piece + 1);
      double top = records[record + LN_KNOT + piece];
      double bottom = records[record + LN_KNOT + piece + 1];
      double slope = (top - bottom) / (to - from);
      double share = exponent / (exponent + slope);
      double constant = scale * share * Logarithms.exp(bottom - exponent * to) - tail;
      records[record + SLOPE + piece] = slope;
      records[record + SHARE + piece] = share;
      records[record + CONSTANT + piece] = constant;
      tail = scale * share * Logarithms.exp(top - exponent * from) - constant;
    }
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    return plain.effect(LogLogRankFunction.of(table, query), before, after);
  }

  @Override
  public double change(int query, double before, double after) {
    return before == after ? 0 : measure(query * RECORD, before, after, null);
  }

  @Override
  public double change(int query, double before, double after, double[] entries) {
    return before == after
        ? ShiftMeter.super.change(query, before, after, entries)
        : measure(query * RECORD, before, after, entries);
  }

  /** The change, and the entries where they are wanted. */
  private double measure(int record, double before, double after, double[] entries) {
    double results = records[record];
    double start = before == 0 ? results + 1 : place(record, results, before);
    double target = after == 0 ? results + 1 : place(record, results, after);
    if (entries != null) {
      entries[0] = views(entersAt(record, results, before, start)) * before;
      entries[1] = views(entersAt(record, results, after, target)) * after;
    }
    return after < before
        ? falling(record, results, start, target, after)
        : before == 0
            ? entering(record, results, target, after)
            : rising(record, start, target, after);
  }

  private double falling(int record, double results, double start, double target, double after) {
    double viewsStart = views(start);
    if (after == 0) {
      return Math.max(0, fallingTail(record, results, start, viewsStart));
    }
    double end = Math.max(start, PassedPages.fallen(target, KNOWN));
    if (end == start) {
      return 0;
    }
    double viewsEnd = views(end);
    double gained =
        fallingTail(record, results, start, viewsStart)
            - fallingTail(record, results, end, viewsEnd);
    return Math.max(0, (viewsEnd - viewsStart) * after + gained);
  }

  private double entering(int record, double results, double target, double after) {
    double end = entersAt(record, results, after, target);
    double views = views(end);
    double lost = end > results ? beyondLast(record, results, views) : tail(record, end, views);
    return Math.max(0, views * after - lost);
  }

  private double rising(int record, double start, double target, double after) {
    double end = Math.min(start, PassedPages.risen(target, KNOWN));
    if (end == start) {
      return 0;
    }
    double viewsStart = views(start);
    double viewsEnd = views(end);
    double lost = tail(record, end, viewsEnd) - tail(record, start, viewsStart);
    return Math.max(0, (viewsEnd - viewsStart) * after - lost);
  }

  @Override
  public double reach(int query) {
    int record = query * RECORD;
    return records[record]
        + records[record + KNOWN]
        + records[record + FALLING + KNOWN]
        + records[record + RISING + KNOWN];
  }

  @Override
  public double entry(int query, double score) {
    int record = query * RECORD;
    double results = records[record];
    double place = score == 0 ? results + 1 : place(record, results, score);
    return views(entersAt(record, results, score, place)) * score;
  }

  /** Where a page ends that enters, its score being of the given rank. */
  private double entersAt(int record, double results, double score, double place) {
    return score < records[record + LAST_SCORE]
        ? results + 1
        : Math.min(results + 1, PassedPages.risen(place, KNOWN));
  }

  /** Where a page stands: at a whole or half rank among the first, else at any. */
  private double place(int record, double results, double score) {
    float coded = KnotCode.round((float) score);
    int above = 0;
    for (int rank = 1; rank <= KNOWN; rank++) {
      above += records[record + SCORE + rank] > coded ? 1 : 0;
    }
    if (above < KNOWN && above < results) {
      return records[record + SCORE + above + 1] == coded
          ? tied(record, results, above + 1, coded)
          : above == 0 ? 1 : above + PassedPages.OWN_POSITION;
    }
    if (results <= KNOWN) {
      return Math.max(1, results);
    }
    double lnRank = lnRank(record, Logarithms.ln(coded));
    return lnRank == records[record + LN_RESULTS]
        ? results
        : Math.max(KNOWN, Logarithms.exp(lnRank));
  }

  /** The middle of a tie that begins at one of the first ranks. */
  private double tied(int record, double results, int first, float coded) {
    int last = first;
    while (last < KNOWN && records[record + SCORE + last + 1] == coded) {
      last++;
    }
    boolean goesOn =
        last == KNOWN
            && results > KNOWN
            && records[record + LN_KNOT + 1] == records[record + LN_KNOT];
    if (!goesOn) {
      return MIDDLE_OF_TIE[first * last];
    }
    double lnMiddle = (Math.log(first) + lnRankOfKnot(record, lastTied(record, 0))) / 2;
    return PassedPages.start(Math.exp(lnMiddle), KNOWN);
  }

  private int lastTied(int record, int knot) {
    int last = knot;
    while (last < PIECES
        && records[record + LN_KNOT + last + 1] == records[record + LN_KNOT + knot]) {
      last++;
    }
    return last;
  }

  /** The rank of a score below that of the last of the first ranks. */
  private double lnRank(int record, double lnScore) {
    int piece = 0;
    for (int knot = 1; knot <= PIECES; knot++) {
      piece += records[record + LN_KNOT + knot] > lnScore ? 1 : 0;
    }
    if (piece == PIECES) {
      return records[record + LN_RESULTS];
    }
    if (records[record + LN_KNOT + piece + 1] == lnScore) {
      int last = lastTied(record, piece + 1);
      return (lnRankOfKnot(record, piece + 1) + lnRankOfKnot(record, last)) / 2;
    }
    double fall = records[record + LN_KNOT + piece] - lnScore;
    return lnRankOfKnot(record, piece) + fall / records[record + SLOPE + piece];
  }

  /** As KnotRanks lays them out, counted from the last of the first ranks. */
  private double lnRankOfKnot(int record, int knot) {
    double share = (double) knot / PIECES;
    return LN_KNOWN + share * (records[record + LN_RESULTS] - LN_KNOWN);
  }

  private double viewsAt(int rank) {
    return halfRanks[2 * rank];
  }

  private double views(double rank) {
    if (rank <= KNOWN) {
      return halfRanks[(int) (2 * rank)];
    }
    return threeHalves
        ? scale / (rank * Math.sqrt(rank))
        : scale * Logarithms.exp(-exponent * Logarithms.ln(rank));
  }

  /** T for a falling page, at a rank from 1 to N whose I is given. */
  private double fallingTail(int record, double results, double rank, double views) {
    if (rank >= results) {
      return 0;
    }
    if (rank >= KNOWN) {
      return curve(record, rank, views);
    }
    int next = (int) rank + 1;
    return records[record + FALLING + next]
        + (views - viewsAt(next)) * records[record + SCORE + next];
  }

  /** T for a rising page, at a rank from 1 to N whose I is given. */
  private double tail(int record, double rank, double views) {
    if (rank >= KNOWN + 1) {
      return beyondKnown(record, rank, views);
    }
    int whole = (int) rank;
    return records[record + RISING + whole + 1]
        + (views - viewsAt(whole + 1)) * records[record + SCORE + whole];
  }

  private double beyondKnown(int record, double rank, double views) {
    double results = records[record];
    return curve(record, rank, views) + beyondLast(record, results, views(results));
  }

  /** T at a rank from N to N + 1 whose I is given: the score is that at N. */
  private double beyondLast(int record, double results, double views) {
    return records[record + LAST_SCORE] * (views - views(results + 1));
  }

  /** The integral of |I′|·F⁻¹ from a rank on the curve, whose I is given, to N. */
  private double curve(int record, double rank, double views) {
    double lnRank = Logarithms.ln(rank);
    int piece = 0;
    for (int knot = 1; knot < PIECES; knot++) {
      piece += lnRank >= lnRankOfKnot(record, knot) ? 1 : 0;
    }
    double lnScore =
        records[record + LN_KNOT + piece]
            - records[record + SLOPE + piece] * (lnRank - lnRankOfKnot(record, piece));
    return records[record + SHARE + piece] * views * Logarithms.exp(lnScore)
        - records[record + CONSTANT + piece];
  }
}
