// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * {@link PassedPages} for the power law, made for speed: all work is done in logarithms, on one
 * record of 18 doubles a query, and nothing is allocated.
 *
 * <pre>
 * record: N | ln N | ln score at knot 0 … 5 | β of piece 0 … 4 | D of piece 0 … 4
 * </pre>
 *
 * <p>With T(r) the integral of |I′|·F⁻¹ from r to N + 1, the change is (I(r2) − I(r1))·s2 + T(r1) −
 * T(r2), whether the page rises or falls. On a piece where F⁻¹ falls as r^-β, T is a/(a + β)·I·F⁻¹
 * − D, a being the exponent of I and D a constant that makes T continuous. So a shift needs no loop
 * over pieces, and three logarithms and three or four exponentials.
 *
 * <p>Agrees with the plain form to 1e-9. Immutable, safe for several threads.
 */
final class PassedPagesMeter implements ShiftMeter {
  private static final int LAST = RankTable.KNOTS - 1;
  private static final int LN_RESULTS = 1;
  private static final int LN_SCORE = 2;
  private static final int BETA = LN_SCORE + RankTable.KNOTS;
  private static final int CONSTANT = BETA + LAST;
  private static final int RECORD = CONSTANT + LAST;

  /**
   * ln rank of knot k is OFFSET[k] + SHARE[k]·ln N, but ln N at most; as KnotRanks lays them out.
   */
  private static final double[] OFFSET = {
    0, Math.log(2), Math.log(3), Math.log(3) * 2 / 3, Math.log(3) / 3, 0
  };

  private static final double[] SHARE = {0, 0, 0, 1.0 / 3, 2.0 / 3, 1};

  /** Scores that differ by less than this in ln may have one code. */
  private static final double NEARLY_TIED = 1e-3;

  private final RankTable table;
  private final PassedPages plain;
  private final double scale;
  private final double exponent;
  private final double[] records;

  PassedPagesMeter(RankTable table, PowerLawViews views) {
    this.table = table;
    this.plain = new PassedPages(views);
    this.scale = views.scale();
    this.exponent = views.exponent();
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
    records[record] = results;
    records[record + LN_RESULTS] = Math.log(results);
    for (int knot = 0; knot <= LAST; knot++) {
      records[record + LN_SCORE + knot] = Math.log(table.knotScore(query, knot));
    }
    double tail = beyond(record, Math.log(results));
    for (int piece = LAST - 1; piece >= 0; piece--) {
      double length = lnRankOfKnot(record, piece + 1) - lnRankOfKnot(record, piece);
      double fall = records[record + LN_SCORE + piece] - records[record + LN_SCORE + piece + 1];
      records[record + BETA + piece] = length > 0 ? fall / length : 0;
      records[record + CONSTANT + piece] =
          onPiece(record, piece, lnRankOfKnot(record, piece + 1)) - tail;
      tail =
          onPiece(record, piece, lnRankOfKnot(record, piece)) - records[record + CONSTANT + piece];
    }
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    return plain.effect(LogLogRankFunction.of(table, query), before, after);
  }

  @Override
  public double change(int query, double before, double after) {
    int record = query * RECORD;
    double results = records[record];
    if (before == after) {
      return 0;
    }
    if (results == 0) {
      return before == 0 ? scale * after : 0;
    }
    return before == 0
        ? entering(record, query, after)
        : after == 0 ? leaving(record, query, before) : moving(record, query, before, after);
  }

  private double entering(int record, int query, double after) {
    double start = records[record] + 1;
    double lnAfter = Logarithms.ln(after);
    if (lnAfter < records[record + LN_SCORE + LAST]) {
      return views(Logarithms.ln(start)) * after;
    }
    double target = Logarithms.exp(lnRank(query, after, lnAfter));
    double end = Math.min(start, target + PassedPages.OWN_POSITION);
    double lnEnd = Logarithms.ln(end);
    double lost = end > records[record] ? beyond(record, lnEnd) : tail(record, lnEnd);
    return Math.max(0, views(lnEnd) * after - lost);
  }

  private double leaving(int record, int query, double before) {
    double lnStart = lnRank(query, before, Logarithms.ln(before));
    double gained = tail(record, lnStart) - beyond(record, records[record + LN_RESULTS]);
    return Math.max(0, gained);
  }

  private double moving(int record, int query, double before, double after) {
    double lnStart = lnRank(query, before, Logarithms.ln(before));
    double start = Logarithms.exp(lnStart);
    double target = Logarithms.exp(lnRank(query, after, Logarithms.ln(after)));
    double passed = Math.abs(target - start) - PassedPages.OWN_POSITION;
    if (passed <= 0) {
      return 0;
    }
    double lnEnd = Logarithms.ln(target < start ? start - passed : start + passed);
    double own = (views(lnEnd) - views(lnStart)) * after;
    return Math.max(0, own + tail(record, lnStart) - tail(record, lnEnd));
  }

  private double views(double lnRank) {
    return scale * Logarithms.exp(-exponent * lnRank);
  }

  /** T at a rank from 1 to N. */
  private double tail(int record, double lnRank) {
    int piece = 0;
    for (int knot = 1; knot < LAST; knot++) {
      piece += lnRank >= lnRankOfKnot(record, knot) ? 1 : 0;
    }
    return onPiece(record, piece, lnRank) - records[record + CONSTANT + piece];
  }

  /** a/(a + β)·I·F⁻¹ at a rank, by the curve of a piece. */
  private double onPiece(int record, int piece, double lnRank) {
    double beta = records[record + BETA + piece];
    double lnScore =
        records[record + LN_SCORE + piece] - beta * (lnRank - lnRankOfKnot(record, piece));
    double product = Logarithms.exp(lnScore - exponent * lnRank);
    return scale * exponent / (exponent + beta) * product;
  }

  /** T at a rank from N to N + 1, where the score is that of the last knot. */
  private double beyond(int record, double lnRank) {
    double last = Logarithms.exp(records[record + LN_SCORE + LAST]);
    return last * (views(lnRank) - views(Logarithms.ln(records[record] + 1)));
  }

  private double lnRank(int query, double score, double lnScore) {
    int record = query * RECORD;
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
    return from + (upper - lnScore) / records[record + BETA + below - 1];
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
