// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.divergence.ChurnCurve;
import io.lucenedelta.scorer.divergence.DivergenceCurve;
import io.lucenedelta.scorer.divergence.SampledCurve;
import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Refreshes a page when its utility U(t) = t·D*(t) − ∫D* reaches T, for a divergence curve D* of
 * the page that never changes (Olston and Pandey 2008, sections 2.2 and 3.4).
 *
 * <ul>
 *   <li>Fragment staleness (FS-S, {@code fragment-static}): D*(t) is the mean divergence between
 *       contents recorded t apart.
 *   <li>Holistic staleness (HS-S, {@code holistic-static}): D*(t) = 1 − e^(−λt), whose utility has
 *       the closed form of appendix A; λ is the number of changes over the time recorded.
 * </ul>
 *
 * <p>Parameters: T in divergence × days, 0 or more; the source tries a range and reports the curve.
 * The {@link UtilityForm}: of the naive one, D*(t) in place of U(t), T is a divergence.
 *
 * <p>Choices: the source has no budget, T decides what is spent. Under a hard budget the largest
 * utilities come first and T is a lower bound. Between recorded distances D* is linear, not
 * weighted by the page's eagerness, as divergence between snapshots is in appendix B; beyond the
 * longest it is level.
 *
 * <p>Both need a record of visits at regular times: they are offline policies. A page not recorded
 * to change has no utility and starves, as does, with holistic staleness, one that changes too
 * often for T.
 */
public final class StaticUtility implements RefreshPolicy {
  private final Divergence divergence;
  private final UtilityForm form;
  private final double threshold;
  private final long seed;

  /**
   * The policy of the source, by {@link UtilityForm#OPTIMAL}.
   *
   * @param divergence how a copy's distance from the live page counts
   * @param threshold T in divergence × days, 0 or more
   * @throws IllegalArgumentException if the threshold is negative or not a number
   * @throws NullPointerException if {@code divergence} is null
   */
  public StaticUtility(Divergence divergence, double threshold, long seed) {
    this(divergence, UtilityForm.OPTIMAL, threshold, seed);
  }

  /**
   * The policy by one form of utility.
   *
   * @param divergence how a copy's distance from the live page counts
   * @param threshold T in the unit of the form, 0 or more
   * @throws IllegalArgumentException if the threshold is negative or not a number
   * @throws NullPointerException if {@code divergence} or {@code form} is null
   */
  public StaticUtility(Divergence divergence, UtilityForm form, double threshold, long seed) {
    this.divergence = Objects.requireNonNull(divergence, Divergence.NONE_NAMED);
    this.form = Objects.requireNonNull(form, UtilityForm.NONE_NAMED);
    this.threshold = UtilityPlan.threshold(threshold);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    Map<String, DivergenceCurve> curves = new HashMap<>();
    known.forEach(
        page -> {
          Visits visits = page.visits();
          if (ChangeRate.changes(visits) > 0) {
            curves.put(
                page.page(),
                divergence == Divergence.HOLISTIC ? holisticCurve(visits) : meanCurve(visits));
          }
        });
    return UtilityPlan.of(
        (page, now) -> {
          DivergenceCurve curve = curves.get(page.page());
          return curve == null ? 0 : form.of(curve, page.age(now));
        },
        threshold,
        seed);
  }

  private static DivergenceCurve holisticCurve(Visits visits) {
    double days = visits.days(0, visits.size() - 1);
    return ChurnCurve.holistic(ChangeRate.changes(visits) / days);
  }

  /** The mean over all pairs of visits that are the same number of visits apart. */
  static SampledCurve meanCurve(Visits visits) {
    int n = visits.size() - 1;
    double[] days = new double[n];
    double[] divergence = new double[n];
    for (int apart = 1; apart <= n; apart++) {
      double sum = 0;
      double time = 0;
      int pairs = n + 1 - apart;
      for (int from = 0; from < pairs; from++) {
        sum += visits.divergence(from, from + apart);
        time += visits.days(from, from + apart);
      }
      days[apart - 1] = time / pairs;
      divergence[apart - 1] = sum / pairs;
    }
    return SampledCurve.of(days, divergence);
  }
}
