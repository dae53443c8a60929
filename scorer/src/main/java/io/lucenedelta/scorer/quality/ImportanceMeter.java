// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * Passed pages, as in {@link PassedPages}, where scores are standings in an {@link ImportanceOrder}
 * and what a page is worth is its importance: a step for every level of importance that the moving
 * page passes.
 */
final class ImportanceMeter implements ShiftMeter {
  private final ImportanceOrder order;
  private final RankTable table;
  private final ViewProbability views;

  ImportanceMeter(ImportanceOrder order, RankTable table, ViewProbability views) {
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
    double start = before == 0 ? function.results() + 1.0 : rankBefore;
    double end = end(function, start, before, after);
    double own = 0;
    if (after > 0) {
      double worth = order.importance(order.levelAt(1 / after));
      own = (views.at(end) - (before == 0 ? 0 : views.at(start))) * worth;
    }
    double others = start <= end ? lost(function, start, end) : -lost(function, end, start);
    double rankAfter = after == 0 ? Double.POSITIVE_INFINITY : end;
    return new ShiftEffect(rankBefore, rankAfter, own, Math.max(others, -own));
  }

  /** Half a position short of the new place; one that leaves passes all behind it. */
  private static double end(
      LogLogRankFunction function, double start, double before, double after) {
    if (after == 0) {
      return Math.max(1, function.results());
    }
    boolean entersLast = before == 0 && after < function.scoreAt(function.results());
    double target = entersLast ? start : function.rankOf(after);
    double passed = Math.max(0, Math.abs(target - start) - PassedPages.OWN_POSITION);
    return target < start ? start - passed : start + passed;
  }

  /** The integral of |I′| times the importance of the page at each rank. */
  private double lost(LogLogRankFunction function, double from, double to) {
    if (function.results() == 0) {
      return 0;
    }
    double sum = 0;
    double low = from;
    for (int level = order.levelAt(1 / function.scoreAt(from)); low < to; level++) {
      double high = Math.min(to, Math.max(low, lastRank(function, level)));
      sum += order.importance(level) * (views.at(low) - views.at(high));
      low = high;
    }
    return sum;
  }

  /** The rank up to which pages of a level stand; beyond the last result all are of one level. */
  private double lastRank(LogLogRankFunction function, int level) {
    double standing = order.standingAtEnd(level);
    boolean beyondResults =
        level == order.levels() - 1 || standing <= function.scoreAt(function.results());
    return beyondResults ? function.results() + 1.0 : function.rankOf(standing);
  }
}
