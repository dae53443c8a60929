// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * ΔQ_A by the pages that the moving page really passes: {@link Integral} with half a position taken
 * off every move. The form that agrees best with the exact change, and the default.
 *
 * <p>F counts the page itself. A page whose score moves from rank r1 to somewhere between ranks j
 * and j + 1 passes j − r1 pages when it falls, r1 − j − 1 when it rises: in the mean, half a
 * position less than |F(s2) − F(s1)|. So the page moves from r1 towards F(s2) by |F(s2) − r1| − ½,
 * or not at all when that is negative: small moves pass nobody, and the exact change is 0 then,
 * which the plain integral never is. A page that enters starts at N + 1. One that leaves falls to
 * N, the last of the pages behind it moving up to N − 1, and nothing is taken off. With r2 so
 * defined, the estimate is the integral between r1 and r2 of |I′(r)|·|F⁻¹(r) − s2| dr: never
 * negative, 0 when the score does not change, no less for a larger move in the same direction.
 *
 * <p>Degenerate cases: a page that enters below the last knot gains I(N + 1)·s2 and passes nobody;
 * with no results, one that enters gains I(1)·s2. {@link ShiftEffect#rankAfter} is r2.
 *
 * <p>A departure from the 2005 paper (section 5.1.2), which rounds both ranks to whole positions.
 *
 * @param views I(r)
 */
public record PassedPages(ViewProbability views) implements QualityChange {
  /** Taken off every move, in positions. */
  static final double OWN_POSITION = 0.5;

  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    double rankBefore = function.rankOf(before);
    if (before == after) {
      return ShiftEffect.none(rankBefore);
    }
    double start = before == 0 ? function.results() + 1.0 : rankBefore;
    double end = end(function, start, before, after);
    double viewsBefore = before == 0 ? 0 : views.at(start);
    double viewsAfter = after == 0 ? 0 : views.at(end);
    LostScore lost = new LostScore(views, function);
    double own = (viewsAfter - viewsBefore) * after;
    double others = start <= end ? lost.between(start, end) : -lost.between(end, start);
    double rankAfter = after == 0 ? Double.POSITIVE_INFINITY : end;
    return new ShiftEffect(rankBefore, rankAfter, own, Math.max(others, -own));
  }

  @Override
  public ShiftMeter over(RankTable table) {
    return views instanceof PowerLawViews law
        ? new PassedPagesMeter(table, law)
        : QualityChange.super.over(table);
  }

  /** Where a page ends that starts at a rank; one that leaves passes all behind it. */
  static double end(LogLogRankFunction function, double start, double before, double after) {
    if (after == 0) {
      return Math.max(1, function.results());
    }
    boolean entersLast = before == 0 && after < function.scoreAt(function.results());
    double target = entersLast ? start : function.rankOf(after);
    double passed = Math.max(0, Math.abs(target - start) - OWN_POSITION);
    return target < start ? start - passed : start + passed;
  }
}
