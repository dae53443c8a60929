// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Fetches pages whose refresh period has passed, the most overdue relative to it first. */
final class DuePlan implements RefreshPlan {
  private final Map<String, Period> periods = new HashMap<>();
  private final RefreshPlan mostOverdueFirst;

  private record Period(double days, int visits) {}

  private DuePlan(
      Map<String, Period> before, KnownPages known, ToDoubleFunction<Visits> period, long seed) {
    known.forEach(
        page -> {
          Visits visits = page.visits();
          Period kept = before.get(page.page());
          boolean asItWas = kept != null && kept.visits == visits.size();
          periods.put(
              page.page(),
              asItWas ? kept : new Period(period.applyAsDouble(visits), visits.size()));
        });
    Priority overdue = this::overdue;
    mostOverdueFirst = overdue.highestFirst(seed);
  }

  /**
   * The plan.
   *
   * @param period days to wait after a page's last visit, positive
   */
  static DuePlan of(KnownPages known, ToDoubleFunction<Visits> period, long seed) {
    return new DuePlan(Map.of(), known, period, seed);
  }

  /** The same; periods of pages that were not visited since another one are taken from that. */
  static DuePlan renewed(
      RefreshPlan before, KnownPages known, ToDoubleFunction<Visits> period, long seed) {
    return new DuePlan(((DuePlan) before).periods, known, period, seed);
  }

  private double overdue(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return Double.MAX_VALUE;
    }
    Period period = periods.get(page.page());
    double times = page.age(now) / (period == null ? 1 : period.days);
    return times >= 1 ? times : Priority.NEVER;
  }

  @Override
  public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
    return mostOverdueFirst.next(known, now, budget);
  }
}
