// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;
import java.util.List;
import java.util.Objects;

/**
 * Adapts each page's refresh period by bounds on its divergence curve, without a model of it
 * (Olston and Pandey 2008, section 4.3).
 *
 * <p>At each visit at time t, with t_R the reference time: divergence between two observations of a
 * profile jumped somewhere between them; at once gives the upper, at last the lower bound curve,
 * and where it fell, as measured divergence may, the other way round. Averaged over the profiles
 * these bound the area under the curve up to t − t_R, and so the utility: (t − t_R)·D − A_max ≤ U ≤
 * (t − t_R)·D − A_min. If even the upper bound is below T the period was too short and becomes 2(t
 * − t_R); if even the lower one reaches T it was too long: t_R becomes t and the period is halved,
 * down to T days; else it stays. Periods start at l days and are capped like those of {@link
 * CurveFitting}, also those that are halved later.
 *
 * <p>Parameters as for {@link CurveFitting}: T, h = 5, l = 4 weeks, ρ = 10.
 *
 * <p>Departures: section 4.3 leaves open how periods start; here the learning phase of section 4.2
 * serves, at most l·n after n visits. And no halving goes below T days, and a period that is
 * shorter already stays. U(t) is at most t, since D is at most 1 (what section 4.5 caps the longest
 * period by), so no refresh sooner can be worth T. As published there is no such end: visits that a
 * budget keeps farther apart than the period halve it again and again, and the first pages to which
 * this happens take nearly every turn from others like them.
 *
 * <p>Choices: reference time and period are not kept but worked out from the visits. A profile that
 * does not reach up to t − t_R is left out of the averages; where none does, one that started at
 * t_R stands in, whether it was kept or not. A profile whose observations do not fall on t − t_R
 * counts with its next later divergence. Budget and starvation as for {@link CurveFitting}; every
 * period is over {@link RefreshBudget#earlyDays} sooner, since each is a limit or the time between
 * some visits, doubled or halved.
 */
public final class BoundBased implements RefreshPolicy {
  private final UtilitySettings settings;
  private final long seed;

  /** The policy with these settings. */
  public BoundBased(UtilitySettings settings, long seed) {
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

  /** The period, which is a limit or made of the time between visits by doubling and halving. */
  private DuePlan.Period due(Visits visits) {
    return new DuePlan.Period(period(visits), false);
  }

  /** φ, the days to wait after the last visit. */
  double period(Visits visits) {
    double period = settings.learningDays();
    int reference = 0;
    for (int visit = 1; visit < visits.size(); visit++) {
      Bounds bounds = bounds(visits, reference, visit);
      double elapsed = visits.days(reference, visit);
      if (bounds.most() < settings.threshold()) {
        period = 2 * elapsed;
      } else if (bounds.least() >= settings.threshold()) {
        reference = visit;
        period = Math.max(Math.min(settings.threshold(), period), period / 2);
      }
      double longest = Math.min(settings.riskCap(), settings.learningDays() * (visit + 1));
      period = Math.min(period, longest);
    }
    return Math.min(period, settings.riskCap());
  }

  /** Bounds on the utility of a refresh at a visit, reference time at another. */
  record Bounds(double least, double most) {}

  /** The utility bounds by the profiles as they were at a visit. */
  Bounds bounds(Visits visits, int reference, int visit) {
    double elapsed = visits.days(reference, visit);
    double enough = elapsed - ChangeProfiles.sameDays(visits, visit + 1);
    List<ChangeProfiles.Profile> profiles =
        ChangeProfiles.of(visit + 1, settings.profiles()).profiles();
    Areas areas = new Areas(visits, elapsed, enough);
    for (ChangeProfiles.Profile profile : profiles) {
      if (visits.days(profile.base(), profile.end()) >= enough && profile.base() < profile.end()) {
        areas.add(profile.base(), profile.end());
      }
    }
    if (areas.profiles == 0) {
      areas.add(reference, visit);
    }
    return areas.bounds();
  }

  /** Areas under the bound curves of profiles over [0, elapsed], and divergence at its end. */
  private static final class Areas {
    private final Visits visits;
    private final double elapsed;
    private final double enough; // an observation as late as this one stands for elapsed
    private double upper;
    private double lower;
    private double divergence;
    private int profiles;

    Areas(Visits visits, double elapsed, double enough) {
      this.visits = visits;
      this.elapsed = elapsed;
      this.enough = enough;
    }

    /** Adds those of one profile. */
    void add(int base, int last) {
      double before = 0;
      double from = 0;
      for (int visit = base + 1; visit <= last && from < enough; visit++) {
        double to = visits.days(base, visit);
        double after = visits.divergence(base, visit);
        double width = (to < enough ? to : elapsed) - from;
        upper += width * Math.max(before, after);
        lower += width * Math.min(before, after);
        before = after;
        from = to;
      }
      divergence += before;
      profiles++;
    }

    /** In the mean over the profiles. */
    Bounds bounds() {
      double whole = elapsed * (divergence / profiles);
      return new Bounds(whole - upper / profiles, whole - lower / profiles);
    }
  }
}
