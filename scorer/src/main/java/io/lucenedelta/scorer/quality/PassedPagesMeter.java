// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * {@link PassedPages} for the power law, made for speed: all work is done in logarithms, on one
 * record of 22 doubles a query, and nothing is allocated by {@link #change} and {@link #entry}.
 *
 * <pre>
 * record: N | ln N | ln score at knot 0 … 5 | D of piece 0 … 4 | T(N)
 *         | score at rank 1 … 3 | falling: D of [1, 2), [2, 3) | rising: D of [1, 2), [2, 3), [3, 4)
 * </pre>
 *
 * <p>With T(r) the integral of |I′|·F⁻¹ from r to N + 1, the change is (I(r2) − I(r1))·s2 + T(r1) −
 * T(r2), whether the page rises or falls. On a piece where F⁻¹ falls as r^-β, T is a/(a + β)·I·F⁻¹
 * − D, a being the exponent of I and D a constant that makes T continuous. In the first positions,
 * where the pages passed are known one by one, T is I·s − D, s being the score of the one passed.
 * So a shift needs no loop over pieces; at its old rank F⁻¹ is its old score, so that three
 * logarithms and three exponentials are enough, and with the paper's exponent I takes a root in
 * place of a fourth.
 *
 * <p>Agrees with the plain form to 1e-9, and to 1e-12 of the scores where they cancel. Immutable,
 * safe for several threads.
 */
final class PassedPagesMeter implements ShiftMeter {
  private static final int LAST = RankTable.KNOTS - 1;
  private static final int LN_RESULTS = 1;
  private static final int LN_SCORE = 2;
  private static final int CONSTANT = LN_SCORE + RankTable.KNOTS;
  private static final int TAIL_AT_LAST = CONSTANT + LAST;
  private static final int KNOWN_SCORE = TAIL_AT_LAST + 1;
  private static final int FALLING = KNOWN_SCORE + PassedPages.KNOWN;
  private static final int RISING = FALLING + PassedPages.KNOWN - 1;
  private static final int RECORD = RISING + PassedPages.KNOWN;

  /**
   * ln rank of knot k is OFFSET[k] + SHARE[k]·ln N, but ln N at most; as KnotRanks lays them out.
   */
  private static final double[] OFFSET = {
    0, Math.log(2), Math.log(3), Math.log(3) * 2 / 3, Math.log(3) / 3, 0
  };

  private static final double[] SHARE = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1};

  /** Scores that differ by less than this in ln may have one code. */
  private static final double NEARLY_TIED = 1e-3;

  /** Up to this difference in ln, e^x is 1 + x to the last bits. */
  private static final double TINY = 1e-8;

  private final RankTable table;
  private final double scale;
  private final double exponent;
  private final boolean threeHalves;
  private final double[] records;

  PassedPagesMeter(RankTable table, PowerLawViews views) {
    this.table = table;
    this.scale = views.scale();
    this.exponent = views.exponent();
    this.threeHalves = exponent == 1.5;
    this.records = new double[Math.multiplyExact(table.size(), RECORD)];
    for (int query = 0; query < table.size(); query++) {
      if (table.results(query) > 0) {
        prepare(query);
      }
    }
  }

  private void prepare(int query) {
    int record = query * RECORD;
    int results = table.results(query);
    double lnResults = Math.log(results);
    records[record] = results;
    records[record + LN_RESULTS] = lnResults;
    for (int knot = 0; knot <= LAST; knot++) {
      records[record + LN_SCORE + knot] = Math.log(table.knotScore(query, knot));
    }
    double tail = beyond(record, results);
    records[record + TAIL_AT_LAST] = tail;
    for (int piece = LAST - 1; piece >= 0; piece--) {
      double to = lnRankOfKnot(record, piece + 1);
      double from = lnRankOfKnot(record, piece);
      double constant = onPiece(record, piece, to) - tail;
      records[record + CONSTANT + piece] = constant;
      tail = onPiece(record, piece, from) - constant;
    }
    prepareKnown(query, record, results);
  }

  /** D of the first positions, from the last on, such that T is continuous. */
  private void prepareKnown(int query, int record, int results) {
    for (int i = 0; i < PassedPages.KNOWN; i++) {
      records[record + KNOWN_SCORE + i] = table.knotScore(query, i);
    }
    double known = Math.min(PassedPages.KNOWN, results);
    double falling = curveTail(record, known);
    for (int i = PassedPages.KNOWN - 2; i >= 0; i--) {
      double score = records[record + KNOWN_SCORE + i + 1];
      double constant = viewsAt(Math.min(results, i + 2)) * score - falling;
      records[record + FALLING + i] = constant;
      falling = viewsAt(Math.min(results, i + 1)) * score - constant;
    }
    double rising = results > PassedPages.KNOWN ? curveTail(record, PassedPages.KNOWN + 1.0) : 0;
    for (int i = PassedPages.KNOWN - 1; i >= 0; i--) {
      double score = records[record + KNOWN_SCORE + i];
      double constant = viewsAt(Math.min(results + 1, i + 2)) * score - rising;
      records[record + RISING + i] = constant;
      rising = viewsAt(Math.min(results + 1, i + 1)) * score - constant;
    }
  }

  private double viewsAt(int rank) {
    return views(rank, Logarithms.ln(rank));
  }

  private double curveTail(int record, double rank) {
    double lnRank = Logarithms.ln(rank);
    return tail(record, lnRank, views(rank, lnRank), Double.NEGATIVE_INFINITY, 0);
  }

  /** T for a falling page, at a rank from 1 to N whose I is given. */
  private double fallingTail(
      int record, double rank, double lnRank, double views, double lnNear, double near) {
    if (rank < PassedPages.KNOWN) {
      int cell = Math.max(0, (int) rank - 1);
      return views * records[record + KNOWN_SCORE + cell + 1] - records[record + FALLING + cell];
    }
    return tail(record, lnRank, views, lnNear, near);
  }

  /** T for a rising page, at a rank from 1 to N + 1 whose I is given. */
  private double risingTail(
      int record, double rank, double lnRank, double views, double lnNear, double near) {
    if (rank < PassedPages.KNOWN + 1) {
      int cell = Math.max(0, (int) rank - 1);
      return views * records[record + KNOWN_SCORE + cell] - records[record + RISING + cell];
    }
    return rank > records[record]
        ? beyond(record, rank)
        : tail(record, lnRank, views, lnNear, near);
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    check(before);
    check(after);
    int record = query * RECORD;
    double results = records[record];
    double rankBefore = rank(query, before);
    if (before == after) {
      return ShiftEffect.none(rankBefore);
    }
    double start = before == 0 ? results + 1 : rankBefore;
    double end = after == 0 ? Math.max(1, results) : end(query, start, before, after);
    double own =
        ((after == 0 ? 0 : views(end, Logarithms.ln(end)))
                - (before == 0 ? 0 : views(start, Logarithms.ln(start))))
            * after;
    return new ShiftEffect(
        rankBefore,
        after == 0 ? Double.POSITIVE_INFINITY : end,
        own,
        change(query, before, after) - own);
  }

  private static void check(double score) {
    if (!(score >= 0 && score <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("a score must be 0 or more and finite, was " + score);
    }
  }

  private double rank(int query, double score) {
    if (score == 0) {
      return Double.POSITIVE_INFINITY;
    }
    int record = query * RECORD;
    if (records[record] == 0) {
      return 1;
    }
    double position = lnRank(query, record, score, Logarithms.ln(score));
    return position == records[record + LN_RESULTS] ? records[record] : Logarithms.exp(position);
  }

  private double end(int query, double start, double before, double after) {
    int record = query * RECORD;
    boolean entersLast =
        before == 0
            && (records[record] == 0 || isBelowLast(query, record, after, Logarithms.ln(after)));
    if (entersLast) {
      return start;
    }
    double target = rank(query, after);
    return after < before
        ? PassedPages.fallingEnd(start, target)
        : PassedPages.risingEnd(start, target);
  }

  @Override
  public double change(int query, double before, double after) {
    return before == after ? 0 : measure(query, before, after, null);
  }

  @Override
  public double change(int query, double before, double after, double[] entries) {
    if (before == after) {
      return ShiftMeter.super.change(query, before, after, entries);
    }
    return measure(query, before, after, entries);
  }

  /** The change, and the entries where they are wanted. */
  private double measure(int query, double before, double after, double[] entries) {
    int record = query * RECORD;
    if (records[record] == 0) {
      if (entries != null) {
        entries[0] = scale * before;
        entries[1] = scale * after;
      }
      return before == 0 ? scale * after : 0;
    }
    return before == 0
        ? entering(query, record, after, entries)
        : after == 0
            ? leaving(query, record, before, entries)
            : moving(query, record, before, after, entries);
  }

  @Override
  public double reach(int query) {
    return records[query * RECORD] + records[query * RECORD + TAIL_AT_LAST];
  }

  @Override
  public double entry(int query, double score) {
    int record = query * RECORD;
    double results = records[record];
    if (results == 0 || score == 0) {
      return scale * score;
    }
    double lnScore = Logarithms.ln(score);
    double rank = Logarithms.exp(lnRank(query, record, score, lnScore));
    return entry(query, score, lnScore, rank);
  }

  /** What a page gets that enters with a score of the given rank. */
  private double entry(int query, double score, double lnScore, double rank) {
    double end = records[query * RECORD] + 1;
    if (!isBelowLast(query, query * RECORD, score, lnScore)) {
      end = PassedPages.risingEnd(end, rank);
    }
    return (threeHalves ? threeHalves(end) : views(end, Logarithms.ln(end))) * score;
  }

  private boolean isBelowLast(int query, int record, double score, double lnScore) {
    double above = lnScore - records[record + LN_SCORE + LAST];
    return above < -TINY || (above < TINY && score < table.knotScore(query, LAST));
  }

  private double entering(int query, int record, double after, double[] entries) {
    double results = records[record];
    double lnAfter = Logarithms.ln(after);
    double end = results + 1;
    boolean passes = !isBelowLast(query, record, after, lnAfter);
    if (passes) {
      end = PassedPages.risingEnd(end, Logarithms.exp(lnRank(query, record, after, lnAfter)));
    }
    double lnEnd = Logarithms.ln(end);
    double views = views(end, lnEnd);
    double entry = views * after;
    if (entries != null) {
      entries[0] = 0;
      entries[1] = entry;
    }
    return passes
        ? Math.max(0, entry - risingTail(record, end, lnEnd, views, Double.NEGATIVE_INFINITY, 0))
        : entry;
  }

  private double leaving(int query, int record, double before, double[] entries) {
    double lnBefore = Logarithms.ln(before);
    double lnStart = lnRank(query, record, before, lnBefore);
    double start = Logarithms.exp(lnStart);
    if (entries != null) {
      entries[0] = entry(query, before, lnBefore, start);
      entries[1] = 0;
    }
    double gained =
        fallingTail(record, start, lnStart, views(start, lnStart), lnBefore, before)
            - records[record + TAIL_AT_LAST];
    return Math.max(0, gained);
  }

  private double moving(int query, int record, double before, double after, double[] entries) {
    double lnBefore = Logarithms.ln(before);
    double lnAfter = Logarithms.ln(after);
    double lnStart = lnRank(query, record, before, lnBefore);
    double lnTarget = lnRank(query, record, after, lnAfter);
    double start = Logarithms.exp(lnStart);
    double target = Logarithms.exp(lnTarget);
    if (entries != null) {
      entries[0] = entry(query, before, lnBefore, start);
      entries[1] = entry(query, after, lnAfter, target);
    }
    boolean falls = after < before;
    double end =
        falls ? PassedPages.fallingEnd(start, target) : PassedPages.risingEnd(start, target);
    if (end == start) {
      return 0;
    }
    double lnEnd = Logarithms.ln(end);
    double viewsStart = views(start, lnStart);
    double viewsEnd = views(end, lnEnd);
    double own = (viewsEnd - viewsStart) * after;
    double lost =
        falls
            ? fallingTail(record, start, lnStart, viewsStart, lnBefore, before)
                - fallingTail(record, end, lnEnd, viewsEnd, Double.NEGATIVE_INFINITY, 0)
            : risingTail(record, start, lnStart, viewsStart, lnBefore, before)
                - risingTail(record, end, lnEnd, viewsEnd, Double.NEGATIVE_INFINITY, 0);
    return Math.max(0, own + lost);
  }

  private double views(double rank, double lnRank) {
    return threeHalves ? threeHalves(rank) : scale * Logarithms.exp(-exponent * lnRank);
  }

  private double threeHalves(double rank) {
    return scale / (rank * Math.sqrt(rank));
  }

  /**
   * T at a rank from 1 to N, given I there; {@code lnNear} is a score that F⁻¹ probably has there.
   */
  private double tail(int record, double lnRank, double views, double lnNear, double near) {
    int piece = 0;
    for (int knot = 1; knot < LAST; knot++) {
      piece += lnRank >= lnRankOfKnot(record, knot) ? 1 : 0;
    }
    double from = lnRankOfKnot(record, piece);
    double beta = beta(record, piece, from);
    double lnScore = records[record + LN_SCORE + piece] - beta * (lnRank - from);
    double off = lnScore - lnNear;
    double score = Math.abs(off) < TINY ? near + near * off : Logarithms.exp(lnScore);
    return exponent / (exponent + beta) * views * score - records[record + CONSTANT + piece];
  }

  /** a/(a + β)·I·F⁻¹ at a rank, by the curve of a piece. */
  private double onPiece(int record, int piece, double lnRank) {
    double from = lnRankOfKnot(record, piece);
    double beta = beta(record, piece, from);
    double lnScore = records[record + LN_SCORE + piece] - beta * (lnRank - from);
    return scale * exponent / (exponent + beta) * Math.exp(lnScore - exponent * lnRank);
  }

  /** How fast the score falls on a piece that starts at a rank; 0 on a piece of no length. */
  private double beta(int record, int piece, double lnFrom) {
    double length = lnRankOfKnot(record, piece + 1) - lnFrom;
    double fall = records[record + LN_SCORE + piece] - records[record + LN_SCORE + piece + 1];
    return length > 0 ? fall / length : 0;
  }

  /** T at a rank from N to N + 1, where the score is that of the last knot. */
  private double beyond(int record, double rank) {
    double last = Logarithms.exp(records[record + LN_SCORE + LAST]);
    double end = records[record] + 1;
    return last * (views(rank, Logarithms.ln(rank)) - views(end, Logarithms.ln(end)));
  }

  private double lnRank(int query, int record, double score, double lnScore) {
    int first = record + LN_SCORE;
    int below = 0; // first knot whose score does not exceed the page's
    for (int knot = 0; knot <= LAST; knot++) {
      below += records[first + knot] > lnScore ? 1 : 0;
    }
    double upper = below == 0 ? Double.MAX_VALUE : records[first + below - 1];
    double lower = below > LAST ? -Double.MAX_VALUE : records[first + below];
    if (upper - lnScore < NEARLY_TIED || lnScore - lower < NEARLY_TIED) {
      int tied = tiedKnot(query, below, score, lnScore);
      if (tied >= 0) {
        return middleOfTie(record, tied);
      }
    }
    if (below == 0) {
      return 0;
    }
    if (below > LAST) {
      return records[record + LN_RESULTS];
    }
    double from = lnRankOfKnot(record, below - 1);
    double length = lnRankOfKnot(record, below) - from;
    return from + (upper - lnScore) * length / (upper - lower);
  }

  /** The first knot of the flat stretch whose score has the code of the page's score, or -1. */
  private int tiedKnot(int query, int below, double score, double lnScore) {
    int first = query * RECORD + LN_SCORE;
    for (int knot = Math.max(0, below - 1); knot <= Math.min(below, LAST); knot++) {
      double lnKnot = records[first + knot];
      boolean flat =
          (knot < LAST && records[first + knot + 1] == lnKnot)
              || (knot > 0 && records[first + knot - 1] == lnKnot);
      if (flat
          && Math.abs(lnKnot - lnScore) < NEARLY_TIED
          && table.knotScore(query, knot) == KnotCode.round((float) score)) {
        return firstOfTie(first, knot);
      }
    }
    return -1;
  }

  private int firstOfTie(int first, int knot) {
    int tied = knot;
    while (tied > 0 && records[first + tied - 1] == records[first + knot]) {
      tied--;
    }
    return tied;
  }

  private double middleOfTie(int record, int tied) {
    int first = record + LN_SCORE;
    int last = tied;
    while (last < LAST && records[first + last + 1] == records[first + tied]) {
      last++;
    }
    return (lnRankOfKnot(record, tied) + lnRankOfKnot(record, last)) / 2;
  }

  private double lnRankOfKnot(int record, int knot) {
    double lnResults = records[record + LN_RESULTS];
    return Math.min(lnResults, OFFSET[knot] + SHARE[knot] * lnResults);
  }
}
