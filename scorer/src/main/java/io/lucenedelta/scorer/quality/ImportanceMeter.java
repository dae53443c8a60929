// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotCode;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * Passed pages, as in {@link PassedPages}, where scores are standings in an {@link ImportanceOrder}
 * and what a page is worth is its importance: a step for every level of importance that the moving
 * page passes.
 *
 * <p>The page at rank j moves from j to j − 1 when another falls past it, or leaves, and from j to
 * j + 1 when one rises past it, or enters: its importance counts for the views between. So where a
 * level ends after the page at rank j, its worth ends at j in the one case, at j + 1 in the other:
 * half a position beside j + ½, which is where the standing at the end of the level is.
 */
final class ImportanceMeter implements ShiftMeter {
  private final ImportanceOrder order;
  private final RankTable table;
  private final ViewingLikelihood views;

  ImportanceMeter(ImportanceOrder order, RankTable table, ViewingLikelihood views) {
    this.order = order;
    this.table = table;
    this.views = views;
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    LogLogRankFunction function = LogLogRankFunction.of(table, query);
    double rankBefore = function.rankOf(before);
    if (before == after) {
      return ShiftEffect.none(rankBefore);
    }
    double start =
        before == 0 ? function.results() + 1.0 : PassedPages.start(rankBefore, RankTable.KNOWN);
    double end = PassedPages.end(function, RankTable.KNOWN, start, before, after);
    double own = 0;
    if (after > 0) {
      double worth = order.importance(order.levelAt(1 / after));
      own = (views.at(end) - (before == 0 ? 0 : views.at(start))) * worth;
    }
    int first = order.levelAt(1 / Math.max(before, after));
    double others =
        after < before
            ? passed(function, start, end, first, -PassedPages.OWN_POSITION)
            : -passed(function, end, start, first, PassedPages.OWN_POSITION);
    return new ShiftEffect(
        before == 0 ? rankBefore : start,
        after == 0 ? Double.POSITIVE_INFINITY : end,
        own,
        Math.max(others, -own));
  }

  @Override
  public double change(int query, double before, double after, ShiftParts parts) {
    return parts.set(this, query, before, after);
  }

  /**
   * The integral of |I′| between two ranks times the importance of the page that is passed there.
   *
   * @param first the level of the first page that may be passed
   * @param beside how far beside the end of a level its worth ends
   */
  private double passed(
      LogLogRankFunction function, double from, double to, int first, double beside) {
    double sum = 0;
    double low = from;
    for (int level = first; low < to; level++) {
      double high = Math.min(to, Math.max(low, rankAtEnd(function, level) + beside));
      sum += order.importance(level) * (views.at(low) - views.at(high));
      low = high;
    }
    return sum;
  }

  /**
   * Where a level ends, half a position after the last of its pages: nobody of it is in the result
   * when that is before the first. Behind the last known page it is as far as the curve says, but
   * no less than half a position. Behind the last result all are of one level.
   */
  private double rankAtEnd(LogLogRankFunction function, int level) {
    float standing = KnotCode.round((float) order.standingAtEnd(level));
    if (level == order.levels() - 1 || standing <= function.scoreAt(function.results())) {
      return Double.POSITIVE_INFINITY;
    }
    if (standing > function.scoreAt(1)) {
      return PassedPages.OWN_POSITION;
    }
    double rank = function.rankOf(standing);
    return rank < RankTable.KNOWN
        ? Math.floor(rank + PassedPages.SAME_RANK) + PassedPages.OWN_POSITION
        : Math.max(rank, RankTable.KNOWN + PassedPages.OWN_POSITION);
  }
}
