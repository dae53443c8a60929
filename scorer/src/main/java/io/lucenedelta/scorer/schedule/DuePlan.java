// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Fetches pages whose refresh period has passed, the most overdue relative to it first. */
final class DuePlan {
  private DuePlan() {}

  /**
   * The plan.
   *
   * @param period days to wait after a page's last visit, positive
   */
  static RefreshPlan of(KnownPages known, ToDoubleFunction<KnownPage> period, long seed) {
    Map<String, Double> periods = new HashMap<>();
    known.forEach(page -> periods.put(page.page(), period.applyAsDouble(page)));
    Priority overdue =
        (page, now) -> {
          if (page.neverFetched()) {
            return Double.MAX_VALUE;
          }
          double times = page.age(now) / periods.getOrDefault(page.page(), 1.0);
          return times >= 1 ? times : Priority.NEVER;
        };
    return overdue.highestFirst(seed);
  }
}
