// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;

/**
 * ΔQ_A as the 2005 paper writes it (section 5.1.2): a sum over the whole positions that the page
 * passes.
 *
 * <p>r1 and r2 are rounded half up to whole positions i1 and i2. Own part (I(i2) − I(i1))·s2. The
 * others: when the page falls, the sum over i1 &lt; r ≤ i2 of (I(r−1) − I(r))·F⁻¹(r); when it
 * rises, over i2 ≤ r &lt; i1 of (I(r+1) − I(r))·F⁻¹(r). The sum ends at N when the page leaves or
 * enters. Rounding makes the result negative at times, which the true change never is: kept for
 * comparison, {@link Integral} agrees better with the exact change.
 *
 * <p>Cost: linear in the positions passed.
 *
 * @param views I(r)
 */
public record PaperSum(ViewProbability views) implements QualityChange {
  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    double rankBefore = function.rankOf(before);
    double rankAfter = function.rankOf(after);
    double from = Math.floor(rankBefore + 0.5);
    double to = Math.floor(rankAfter + 0.5);
    double own = (views.at(to) - views.at(from)) * after;
    double others = from < to ? falling(function, from, to) : rising(function, from, to);
    return new ShiftEffect(rankBefore, rankAfter, own, others);
  }

  private double falling(LogLogRankFunction function, double from, double to) {
    double last = Math.min(to, function.results());
    double sum = 0;
    for (double r = from + 1; r <= last; r++) {
      sum += (views.at(r - 1) - views.at(r)) * function.scoreAt(r);
    }
    return sum;
  }

  private double rising(LogLogRankFunction function, double from, double to) {
    double last = Math.min(from - 1, function.results());
    double sum = 0;
    for (double r = to; r <= last; r++) {
      sum += (views.at(r + 1) - views.at(r)) * function.scoreAt(r);
    }
    return sum;
  }
}
