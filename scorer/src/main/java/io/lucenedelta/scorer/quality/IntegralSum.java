// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.Objects;

/**
 * ΔQ_A with real-valued ranks and an integral in place of the sum over positions (2005, section
 * 5.1.2, which sums over positions; {@link PaperSum} takes that for whole ones).
 *
 * <p>With r1 = F(s1) and r2 = F(s2), own part (I(r2) − I(r1))·s2, others' part: the integral of
 * |I′|·F⁻¹ from r1 to r2 when the page falls, minus that from r2 to r1 when it rises. A page that
 * leaves falls to N. One that enters rises from N + 1, the result being one longer, where F⁻¹ stays
 * what it is at N. Both parts together are the integral of |I′(r)|·|F⁻¹(r) − s2|: nothing when
 * nothing moved and never negative. Only a page that enters below the last knot could make it
 * negative, since its rank is N there: it counts 0 then.
 *
 * <p>Closed form on each piece of F for a power law; see {@link ViewingLikelihood#lostViews}.
 * {@link PassedPages} refines this form and agrees better with the exact change.
 *
 * @param views I(r)
 */
public record IntegralSum(ViewingLikelihood views) implements QualityChange {
  /**
   * Checks the argument.
   *
   * @throws NullPointerException if there is no I(r)
   */
  public IntegralSum {
    Objects.requireNonNull(views, PowerLawViews.NONE_GIVEN);
  }

  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    double from = function.rankOf(before);
    double to = function.rankOf(after);
    if (before == after) {
      return ShiftEffect.none(from);
    }
    LostScore lost = new LostScore(views, function);
    double own = (views.at(to) - views.at(from)) * after;
    double last = Math.max(1, function.results());
    double start = before == 0 ? function.results() + 1.0 : from;
    double end = Math.min(to, last);
    double others = start <= end ? lost.between(start, end) : -lost.between(end, start);
    return new ShiftEffect(from, to, own, Math.max(others, -own));
  }
}
