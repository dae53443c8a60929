// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.util.Map;

/**
 * Turns frequencies into an order under a hard budget: the page that is overdue by the largest
 * multiple of its own refresh interval comes first.
 *
 * <p>In the long run each page is refreshed in proportion to its frequency. Pages of frequency 0
 * are abandoned, as the optimum demands.
 */
final class FrequencyPlan {
  private FrequencyPlan() {}

  /**
   * The plan.
   *
   * @param perDay refreshes a day by page key; missing pages have 0
   * @param warmUpDays l: until its n-th refresh a page waits at most n·l days, whatever its
   *     frequency (2008, section 4.2); infinite for no warm-up
   */
  static RefreshPlan of(Map<String, Double> perDay, double warmUpDays, long seed) {
    Priority overdue =
        (page, now) -> {
          double often = perDay.getOrDefault(page.page(), 0.0);
          double learning = 1 / (warmUpDays * Math.max(1, page.visits().size()));
          double frequency = Math.max(often, learning);
          return frequency > 0 ? frequency * page.age(now) : Priority.NEVER;
        };
    return overdue.highestFirst(seed);
  }
}
