// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.divergence.CurveFit;
import io.lucenedelta.scorer.divergence.DivergenceCurve;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Learns each page's divergence curve from its change profiles and refreshes it when the utility
 * reaches T (Olston and Pandey 2008, sections 4.2, 4.4 and 4.5).
 *
 * <p>Profiles are laid on top of each other, equal distances averaged; the nearest churn or scroll
 * curve gives the period φ with U(φ) = T. While a page has n visits, φ is at most l·n (learning),
 * and never more than ρ·T, so that no more than ρ·T of utility would be lost unseen (D is at most
 * 1) if every page were fetched when it is due.
 *
 * <p>Parameters ({@link UtilitySettings}): T has no default, the source tries a range; h = 5 as in
 * its experiments; ρ = 10 as in those of {@link BoundBased}, since it gives no ρ for these; l = 4
 * weeks, which the source tunes to the cost. Divergence may be measured on summaries of m hashes,
 * which is the business of whoever keeps the visits.
 *
 * <p>Choices: which profiles are kept (at most h grow at once, each up to 12 observations, and
 * count until the next has 4) and how the curve is found ({@link
 * io.lucenedelta.scorer.divergence.CurveFit}). The paper has no budget; here the page overdue by
 * the largest multiple of its period comes first, and pages that are not due are not fetched. A
 * period that l·n or ρ·T sets is over {@link RefreshBudget#earlyDays} sooner: else all pages would
 * miss a snapshot that begins a minute early. Where the budget is short, pages wait longer than
 * planned and the bound ρ·T does not hold. Starves nobody: every period is finite.
 */
public final class CurveFitting implements RefreshPolicy {
  private final UtilitySettings settings;
  private final long seed;

  /** The policy with these settings. */
  public CurveFitting(UtilitySettings settings, long seed) {
    this.settings = Objects.requireNonNull(settings, "settings are needed, was null");
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    return DuePlan.of(known, budget, this::due, seed);
  }

  @Override
  public RefreshPlan renew(RefreshPlan before, KnownPages known, RefreshBudget budget) {
    return DuePlan.renewed(before, known, budget, this::due, seed);
  }

  /** The period, which is any number where it is fitted, else a limit that was set. */
  private DuePlan.Period due(Visits visits) {
    double period = period(visits);
    return new DuePlan.Period(period, period < longest(visits));
  }

  /** The longest that φ may be. */
  private double longest(Visits visits) {
    return Math.min(settings.riskCap(), settings.learningDays() * Math.max(1, visits.size()));
  }

  /** φ, the days to wait after the last visit. */
  double period(Visits visits) {
    double longest = longest(visits);
    Map<Double, Double> points = points(visits);
    if (points.isEmpty()) {
      return longest;
    }
    double[] days = points.keySet().stream().mapToDouble(Double::doubleValue).toArray();
    double[] divergence = points.values().stream().mapToDouble(Double::doubleValue).toArray();
    DivergenceCurve curve = CurveFit.of(days, divergence);
    return curve.at(longest) == 0 ? longest : curve.period(settings.threshold(), longest);
  }

  /**
   * Mean divergence by days from the base, over all profiles; days ascend. Equal distances go by
   * the first of them.
   */
  Map<Double, Double> points(Visits visits) {
    double same = ChangeProfiles.sameDays(visits, visits.size());
    TreeMap<Double, double[]> sums = new TreeMap<>(); // each with its number of addends
    for (ChangeProfiles.Profile profile :
        ChangeProfiles.of(visits, settings.profiles()).profiles()) {
      for (int visit = profile.base() + 1; visit <= profile.end(); visit++) {
        double days = visits.days(profile.base(), visit);
        Double nearest = sums.ceilingKey(days - same);
        boolean met = nearest != null && nearest <= days + same;
        double[] sum = sums.computeIfAbsent(met ? nearest : days, distance -> new double[2]);
        sum[0] += visits.divergence(profile.base(), visit);
        sum[1]++;
      }
    }
    Map<Double, Double> points = new TreeMap<>();
    sums.forEach((days, sum) -> points.put(days, sum[0] / sum[1]));
    return points;
  }
}
