// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Objects;

/**
 * ΔQ_A by the pages that the moving page really passes. The form that agrees best with the exact
 * change, and the default.
 *
 * <p>F counts the page itself. A page whose score moves from rank r1 to somewhere between ranks j
 * and j + 1 passes j − r1 pages when it falls and then stands at j, r1 − j − 1 when it rises and
 * then stands at j + 1. Where F is a curve through few knots only the mean of that is known, half a
 * position less than |F(s2) − F(s1)|: such a page ends half a position short of F(s2). Where F
 * keeps the scores of the first positions themselves, the page ends at the whole position; there,
 * too, each page that is passed counts with its own score instead of the curve's: the page at rank
 * j loses I(j) − I(j + 1) when another rises past it, the page at j + 1 gains as much when one
 * falls past it. A page that starts there with a score that no page had when F was drawn, or that
 * several share, starts half-way between two positions.
 *
 * <p>A page that enters starts at N + 1. One that leaves falls to N, the last of the pages behind
 * it moving up to N − 1. With r2 so defined, the estimate is the integral between r1 and r2 of
 * |I′(r)|·|s(r) − s2| dr, s(r) being the score of the page passed at r: never negative, 0 when the
 * score does not change, no less for a larger move in the same direction, but for the coding of
 * scores.
 *
 * <p>Continuous in s2 above 0. Not at 0, where a page leaves: a score next to 0 ends half a
 * position short of N, as every rank on the curve does, one of 0 at N. Nor in s1: at 0, where a
 * page enters, and at the score of one of the first positions, at which a page starts there, and
 * next to it half-way.
 *
 * <p>Degenerate cases: a page that enters below the last knot gains I(N + 1)·s2 and passes nobody;
 * with no results, one that enters gains I(1)·s2. {@link ShiftEffect#rankAfter} is r2.
 *
 * <p>A departure from the 2005 paper (section 5.1.2), which sums over positions from F(s1) to
 * F(s2). Whether it rounds these to whole positions it does not say: {@link PaperSum} does, {@link
 * IntegralSum} does not.
 *
 * @param views I(r)
 * @param known positions whose scores F keeps exactly, 0 or more
 */
public record PassedPages(ViewingLikelihood views, int known) implements QualityChange {
  /** How far short of F(s2) a page ends, in positions, where only the curve is known. */
  static final double OWN_POSITION = 0.5;

  /** Ranks that differ by less are the same. */
  static final double SAME_RANK = 1e-9;

  /**
   * Checks the arguments.
   *
   * @throws NullPointerException if there is no I(r)
   * @throws IllegalArgumentException if {@code known} is negative
   */
  public PassedPages {
    Objects.requireNonNull(views, PowerLawViews.NONE_GIVEN);
    if (known < 0) {
      throw new IllegalArgumentException("known positions must be 0 or more, was " + known);
    }
  }

  /**
   * For the rank functions of a {@link RankTable}, which keep {@value RankTable#KNOWN} positions.
   */
  public PassedPages(ViewingLikelihood views) {
    this(views, RankTable.KNOWN);
  }

  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    double rankBefore = function.rankOf(before);
    if (before == after) {
      return ShiftEffect.none(rankBefore);
    }
    double start = before == 0 ? function.results() + 1.0 : start(rankBefore, known);
    double end = end(function, known, start, before, after);
    double viewsBefore = before == 0 ? 0 : views.at(start);
    double viewsAfter = after == 0 ? 0 : views.at(end);
    double own = (viewsAfter - viewsBefore) * after;
    boolean falls = after < before;
    double others = falls ? gained(function, start, end) : -lost(function, end, start);
    double rankAfter = after == 0 ? Double.POSITIVE_INFINITY : end;
    return new ShiftEffect(
        before == 0 ? rankBefore : start, rankAfter, own, Math.max(others, -own));
  }

  @Override
  public ShiftMeter over(RankTable table) {
    return known == RankTable.KNOWN && views instanceof PowerLawViews law
        ? new PassedPagesMeter(table, this, law)
        : new PassedPagesByCurve(table, this);
  }

  /** The own part of a page that enters, without asking what the pages lose that it passes. */
  double entry(LogLogRankFunction function, double score) {
    if (score == 0) {
      return 0;
    }
    double last = function.results() + 1.0;
    return views.at(end(function, known, last, 0, score)) * score;
  }

  /** Where a page starts that stands at a rank of F. */
  static double start(double rank, int known) {
    double whole = Math.rint(rank);
    if (Math.abs(rank - whole) < SAME_RANK) {
      return whole;
    }
    return rank < known ? Math.floor(rank) + OWN_POSITION : rank;
  }

  /** Where a page ends that starts at a rank; one that leaves passes all behind it. */
  static double end(
      LogLogRankFunction function, int known, double start, double before, double after) {
    if (after == 0) {
      return Math.max(1, function.results());
    }
    double target = function.rankOf(after); // refuses what is no score, wherever the page starts
    if (before == 0 && after < function.scoreAt(function.results())) {
      return start;
    }
    return after < before
        ? Math.max(start, fallen(target, known))
        : Math.min(start, risen(target, known));
  }

  /** Where a page ends that falls to a score of a rank. */
  static double fallen(double target, int known) {
    return target < known + OWN_POSITION
        ? Math.floor(Math.min(target, known) + SAME_RANK)
        : target - OWN_POSITION;
  }

  /** Where a page ends that rises to a score of a rank. */
  static double risen(double target, int known) {
    return target <= known + SAME_RANK
        ? Math.ceil(target - SAME_RANK)
        : Math.max(known + 1.0, target + OWN_POSITION);
  }

  /** What the pages between two ranks gain when a page falls past them. */
  private double gained(LogLogRankFunction function, double from, double to) {
    double sum = 0;
    for (int rank = Math.max(1, (int) from); rank < Math.min(known, to); rank++) {
      sum += cell(from, to, rank) * function.scoreAt(rank + 1.0);
    }
    return sum + new LostScore(views, function).between(Math.max(from, known), to);
  }

  /** What the pages between two ranks lose when a page rises past them. */
  private double lost(LogLogRankFunction function, double from, double to) {
    double sum = 0;
    for (int rank = Math.max(1, (int) from); rank < Math.min(known + 1, to); rank++) {
      sum += cell(from, to, rank) * function.scoreAt(rank);
    }
    return sum + new LostScore(views, function).between(Math.max(from, known + 1.0), to);
  }

  /** The views lost between two ranks, as far as they lie between a rank and the next. */
  private double cell(double from, double to, int rank) {
    double low = Math.max(from, rank);
    double high = Math.min(to, rank + 1.0);
    return low < high ? views.at(low) - views.at(high) : 0;
  }
}
