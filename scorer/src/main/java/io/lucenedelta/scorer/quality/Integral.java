// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * ΔQ_A with real-valued ranks and an integral in place of the sum over positions (2005, section
 * 5.1.2, which sums over whole positions; see {@link PaperSum}).
 *
 * <p>With r1 = F(s1) and r2 = F(s2), own part (I(r2) − I(r1))·s2, others' part: the integral of
 * |I′|·F⁻¹ from r1 to r2 when the page falls, minus that from r2 to r1 when it rises. A page that
 * leaves falls to N. One that enters rises from N + 1, the result being one longer, where F⁻¹ stays
 * what it is at N. Both parts together are the integral of |I′(r)|·|F⁻¹(r) − s2|: nothing when
 * nothing moved and never negative. Only a page that enters below the last knot could make it
 * negative, since its rank is N there: it counts 0 then, as its true gain is next to nothing.
 *
 * <p>Closed form on each piece of F for a power law; see {@link ViewProbability#lostViews}.
 *
 * @param views I(r)
 */
public record Integral(ViewProbability views) implements QualityChange {
  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    double from = function.rankOf(before);
    double to = function.rankOf(after);
    if (before == after) {
      return ShiftEffect.none(from);
    }
    double own = (views.at(to) - views.at(from)) * after;
    double others = before == 0 ? -entering(function, to) : between(function, from, to);
    return new ShiftEffect(from, to, own, Math.max(others, -own));
  }

  /** What the pages between two ranks gain; negative, what they lose, when the page rises. */
  private double between(LogLogRankFunction function, double from, double to) {
    int results = Math.max(1, function.results());
    return from <= to ? lost(function, from, Math.min(to, results)) : -lost(function, to, from);
  }

  private double entering(LogLogRankFunction function, double to) {
    int results = function.results();
    if (results == 0) {
      return 0;
    }
    double lastScore = function.scoreAt(results);
    return lost(function, to, results) + views.lostViews(results, results + 1.0, lastScore, 0);
  }

  private double lost(LogLogRankFunction function, double from, double to) {
    double sum = 0;
    for (int piece = 0; piece < RankTable.KNOTS - 1; piece++) {
      double low = Math.max(from, function.rankOfKnot(piece));
      double high = Math.min(to, function.rankOfKnot(piece + 1));
      if (low < high) {
        sum += views.lostViews(low, high, function.scoreAt(low), function.exponent(piece));
      }
    }
    return sum;
  }
}
