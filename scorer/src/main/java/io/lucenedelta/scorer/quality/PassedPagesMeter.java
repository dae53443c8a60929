// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * {@link PassedPages} for the power law, made for speed: all work is done in logarithms, on one
 * record of 64 bytes a query.
 *
 * <pre>
 * record, 8 doubles: N | ln N | ln score at knot 0 … 5
 * </pre>
 *
 * <p>On a piece where F⁻¹ falls as r^-β, the integral of |I′|·F⁻¹ is a/(a + β) times the difference
 * of I·F⁻¹ at its ends, a being the exponent of I, and I·F⁻¹ is one exponential of a straight line.
 * Logarithms come from tables, and nothing is allocated. Agrees with the plain form to 1e-9.
 * Immutable, safe for several threads.
 */
final class PassedPagesMeter implements ShiftMeter {
  private static final int RECORD = 8;
  private static final int LN_RESULTS = 1;
  private static final int LN_SCORE = 2;
  private static final int LAST = RankTable.KNOTS - 1;

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
      int record = query * RECORD;
      records[record] = table.results(query);
      records[record + LN_RESULTS] = Math.log(Math.max(1, table.results(query)));
      for (int knot = 0; knot <= LAST; knot++) {
        records[record + LN_SCORE + knot] = Math.log(table.knotScore(query, knot));
      }
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
    double lnStart =
        before == 0 ? Logarithms.ln(results + 1) : lnRank(query, before, Logarithms.ln(before));
    double start = before == 0 ? results + 1 : Logarithms.exp(lnStart);
    if (after == 0) {
      return lost(record, start, lnStart, results, records[record + LN_RESULTS]);
    }
    double lnAfter = Logarithms.ln(after);
    boolean entersLast = before == 0 && lnAfter < records[record + LN_SCORE + LAST];
    double target = entersLast ? start : Logarithms.exp(lnRank(query, after, lnAfter));
    double passed = Math.abs(target - start) - PassedPages.OWN_POSITION;
    if (passed <= 0) {
      return before == 0 ? views(lnStart) * after : 0;
    }
    double end = target < start ? start - passed : start + passed;
    double lnEnd = Logarithms.ln(end);
    double viewsBefore = before == 0 ? 0 : views(lnStart);
    double own = (views(lnEnd) - viewsBefore) * after;
    double others =
        start < end
            ? lost(record, start, lnStart, end, lnEnd)
            : -lost(record, end, lnEnd, start, lnStart);
    return Math.max(0, own + others);
  }

  private double views(double lnRank) {
    return scale * Logarithms.exp(-exponent * lnRank);
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
    double length = lnRankOfKnot(record, below) - from;
    return from + (upper - lnScore) / (upper - lower) * length;
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

  /** The integral of |I′|·F⁻¹ between two ranks in order, the second at most N + 1. */
  private double lost(int record, double from, double lnFrom, double to, double lnTo) {
    double results = records[record];
    double sum = 0;
    if (to > results) {
      double beyond = Math.max(from, results);
      double lastScore = Logarithms.exp(records[record + LN_SCORE + LAST]);
      sum = lastScore * (views(Logarithms.ln(beyond)) - views(lnTo));
    }
    double end = Math.min(lnTo, records[record + LN_RESULTS]);
    double low = lnFrom;
    for (int piece = 0; piece < LAST && low < end; piece++) {
      double pieceEnd = lnRankOfKnot(record, piece + 1);
      if (low < pieceEnd) {
        double high = Math.min(end, pieceEnd);
        sum += lostOnPiece(record, piece, low, high, pieceEnd);
        low = high;
      }
    }
    return sum;
  }

  private double lostOnPiece(int record, int piece, double low, double high, double pieceEnd) {
    double lnScore = records[record + LN_SCORE + piece];
    double begin = lnRankOfKnot(record, piece);
    double fall = (lnScore - records[record + LN_SCORE + piece + 1]) / (pieceEnd - begin);
    double sum = exponent + fall;
    double atBegin = lnScore + fall * begin;
    double difference = Logarithms.exp(atBegin - sum * low) - Logarithms.exp(atBegin - sum * high);
    return scale * exponent / sum * difference;
  }
}
