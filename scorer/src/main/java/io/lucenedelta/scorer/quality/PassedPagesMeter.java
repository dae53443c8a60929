// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * {@link PassedPages} for the power law, made for speed: what it needs of the rank functions lies
 * ready in {@link RankRecords}, and nothing is allocated by {@link #change} and {@link #entry}.
 *
 * <p>With T(r) the integral of |I′|·s from r to the end of the result, s being the score of the
 * page passed, the change is (I(r2) − I(r1))·s2 + T(r1) − T(r2), whether the page rises or falls.
 *
 * <p>Most shifts move a page far down a long result: {@link #onCurve} measures them with the first
 * 248 bytes of a record, a logarithm looked up and a power of 2 a score, and a few roots and
 * divisions for the half position by which a page ends beside its score's rank. What is left, among
 * the first ranks, where that half position crosses a knot, where scores fall steeply and at the
 * end of the result, goes the general way.
 *
 * <p>Agrees with the plain form to 1e-9, and to 1e-12 of the scores where they cancel. Safe for
 * several threads, but for {@link #renew}.
 */
final class PassedPagesMeter implements ShiftMeter {
  private static final int KNOWN = RankTable.KNOWN;

  /** Beyond it no page that moves stands or ends beside the first ranks. */
  private static final double INVERSE_OF_DEEP = 1.0 / (KNOWN + 1);

  /** Says that the short way does not lead there. */
  private static final double NOT_ON_CURVE = Double.NaN;

  private static final double INFINITE = Double.POSITIVE_INFINITY;
  private static final double OWN_POSITION = PassedPages.OWN_POSITION;

  private final RankTable table;
  private final PassedPages plain;
  private final RankRecords ranks;
  private final DistantShifts distant;

  PassedPagesMeter(RankTable table, PassedPages plain, PowerLawViews views) {
    this.table = table;
    this.plain = plain;
    this.ranks = new RankRecords(table, views);
    this.distant = new DistantShifts(table, views);
  }

  @Override
  public void renew(int query) {
    ranks.renew(query);
    distant.renew(query);
  }

  @Override
  public void measureDistant(PageShifts shifts) {
    distant.measure(shifts);
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    if (before == after || !(Math.min(before, after) >= 0 && Math.max(before, after) < INFINITE)) {
      return plain.effect(LogLogRankFunction.of(table, query), before, after);
    }
    ShiftParts parts = new ShiftParts();
    measure(ranks.of(query), before, after, parts);
    return parts.effect();
  }

  @Override
  public double change(int query, double before, double after) {
    return before == after ? 0 : measure(ranks.of(query), before, after, null);
  }

  @Override
  public double change(int query, double before, double after, ShiftParts parts) {
    return before == after
        ? ShiftMeter.super.change(query, before, after, parts)
        : measure(ranks.of(query), before, after, parts);
  }

  /** The change, and its parts where they are wanted. */
  private double measure(int record, double before, double after, ShiftParts parts) {
    double change = onCurve(record, before, after, parts);
    return Double.isNaN(change) ? anywhere(record, before, after, parts) : change;
  }

  /**
   * The change where both scores are of ranks beyond the first, on pieces of the curve. Ranks are
   * given by their inverse, 0 outside the result. One method of more than fifteen lines, for it
   * would take as many arguments to divide it.
   */
  private double onCurve(int record, double before, double after, ShiftParts parts) {
    float codedBefore = KnotCode.round((float) before);
    float codedAfter = KnotCode.round((float) after);
    if ((before != 0 && !ranks.isOnCurve(record, codedBefore))
        || (after != 0 && !ranks.isOnCurve(record, codedAfter))) {
      return NOT_ON_CURVE;
    }
    int pieceBefore = ranks.piece(record, codedBefore);
    int pieceAfter = ranks.piece(record, codedAfter);
    double start = before == 0 ? 0 : ranks.inverseRank(pieceBefore, codedBefore);
    double target = after == 0 ? 0 : ranks.inverseRank(pieceAfter, codedAfter);
    if (start >= INVERSE_OF_DEEP || target >= INVERSE_OF_DEEP) {
      return NOT_ON_CURVE;
    }
    if (parts != null) {
      parts.setEntries(
          ranks.viewsOfInverse(start / (1 + OWN_POSITION * start)) * before,
          ranks.viewsOfInverse(target / (1 + OWN_POSITION * target)) * after);
    }
    double viewsStart = ranks.viewsOfInverse(start);
    double behindStart =
        before == 0
            ? -ranks.beyondLast(record)
            : ranks.tailOnPiece(pieceBefore, viewsStart, codedBefore);
    if (after == 0) {
      return clampedChange(parts, start, 0, 0, behindStart);
    }
    double beside = Math.copySign(OWN_POSITION, after - before) * target;
    double end = target / (1 + beside);
    if ((end - start) * beside <= 0) {
      return clampedChange(parts, start, start, 0, 0);
    }
    double slope = ranks.slope(pieceAfter);
    if (!ranks.isOnPiece(pieceAfter, end) || slope * OWN_POSITION * target > Logarithms.SMALL) {
      return NOT_ON_CURVE;
    }
    double viewsEnd = ranks.viewsOfInverse(end);
    double scoreAtEnd = codedAfter * Logarithms.powerNearOne(beside, -slope);
    double behindEnd = ranks.tailOnPiece(pieceAfter, viewsEnd, scoreAtEnd);
    double own = (viewsEnd - viewsStart) * after;
    return clampedChange(parts, start, end, own, own + behindStart - behindEnd);
  }

  /** The change, no less than 0, having told the parts; ranks are given by their inverse. */
  private static double clampedChange(
      ShiftParts parts, double start, double end, double own, double measured) {
    double change = measured > 0 ? measured : 0;
    if (parts != null) {
      parts.setEffectOfInverse(start, end, own, change);
    }
    return change;
  }

  /** The change of any shift, of which a score that is 0 has no rank in the result. */
  private double anywhere(int record, double before, double after, ShiftParts parts) {
    double results = ranks.results(record);
    double start = before == 0 ? results + 1 : ranks.place(record, results, before);
    double target = after == 0 ? results + 1 : ranks.place(record, results, after);
    double end = end(record, results, start, target, before, after);
    boolean falls = after < before;
    double viewsStart = before == 0 ? 0 : ranks.views(start);
    double viewsEnd = after == 0 ? 0 : ranks.views(end);
    double own = after == 0 ? 0 : (viewsEnd - viewsStart) * after;
    double others =
        (before == 0 ? 0 : behind(record, results, start, viewsStart, falls))
            - (after == 0 ? 0 : behind(record, results, end, viewsEnd, falls));
    double change = Math.max(0, own + others);
    if (parts != null) {
      parts.setEntries(
          ranks.views(entersAt(record, results, before, start)) * before,
          ranks.views(entersAt(record, results, after, target)) * after);
      parts.setEffect(before == 0 ? INFINITE : start, after == 0 ? INFINITE : end, own, change);
    }
    return change;
  }

  /** Where a page ends; of one that leaves nobody asks. */
  private double end(
      int record, double results, double start, double target, double before, double after) {
    if (after < before) {
      return Math.max(start, PassedPages.fallen(target, KNOWN));
    }
    return before == 0
        ? entersAt(record, results, after, target)
        : Math.min(start, PassedPages.risen(target, KNOWN));
  }

  /** T at a rank whose I is given. */
  private double behind(int record, double results, double rank, double views, boolean falls) {
    if (falls) {
      return ranks.fallingTail(record, results, rank, views);
    }
    return rank > results
        ? ranks.beyondLast(record, results, views)
        : ranks.tail(record, rank, views);
  }

  @Override
  public double prefetch(int query) {
    return ranks.prefetch(ranks.of(query));
  }

  @Override
  public double entry(int query, double score) {
    int record = ranks.of(query);
    double results = ranks.results(record);
    double place = score == 0 ? results + 1 : ranks.place(record, results, score);
    return ranks.views(entersAt(record, results, score, place)) * score;
  }

  /** Where a page ends that enters, its score being of the given rank: N + 1 at most. */
  private double entersAt(int record, double results, double score, double place) {
    return score < ranks.lastScore(record) ? results + 1 : PassedPages.risen(place, KNOWN);
  }
}
