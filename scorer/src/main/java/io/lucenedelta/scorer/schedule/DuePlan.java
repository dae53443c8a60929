// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Fetches pages whose refresh period has passed, the most overdue relative to it first. */
final class DuePlan implements RefreshPlan {
  private static final Period UNKNOWN = new Period(1, true); // of a page that came after the plan

  private final Map<String, Kept> periods = new HashMap<>();
  private final double early;
  private final RefreshPlan mostOverdueFirst;

  /**
   * How long a page waits after its last visit.
   *
   * @param days positive
   * @param fitted whether any length is as likely as another. If not, it may be meant as a number
   *     of snapshots, and is over {@link RefreshBudget#earlyDays} sooner
   */
  record Period(double days, boolean fitted) {}

  private record Kept(Period period, int visits) {}

  private DuePlan(
      Map<String, Kept> before,
      KnownPages known,
      RefreshBudget budget,
      Function<Visits, Period> period,
      long seed) {
    early = budget.earlyDays();
    known.forEach(
        page -> {
          Visits visits = page.visits();
          Kept kept = before.get(page.page());
          boolean asItWas = kept != null && kept.visits == visits.size();
          periods.put(page.page(), asItWas ? kept : new Kept(period.apply(visits), visits.size()));
        });
    Priority overdue = this::overdue;
    mostOverdueFirst = overdue.highestFirst(seed);
  }

  /** The plan, with a page's period by its visits. */
  static DuePlan of(
      KnownPages known, RefreshBudget budget, Function<Visits, Period> period, long seed) {
    return new DuePlan(Map.of(), known, budget, period, seed);
  }

  /** The same; periods of pages that were not visited since another one are taken from that. */
  static DuePlan renewed(
      RefreshPlan before,
      KnownPages known,
      RefreshBudget budget,
      Function<Visits, Period> period,
      long seed) {
    return new DuePlan(((DuePlan) before).periods, known, budget, period, seed);
  }

  private double overdue(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return Double.MAX_VALUE;
    }
    Kept kept = periods.get(page.page());
    Period period = kept == null ? UNKNOWN : kept.period;
    double age = page.age(now);
    double due = period.fitted ? period.days : period.days - early;
    return age >= due ? age / period.days : Priority.NEVER;
  }

  @Override
  public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
    return mostOverdueFirst.next(known, now, budget);
  }
}
