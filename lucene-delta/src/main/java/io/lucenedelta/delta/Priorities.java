// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.UserCentric;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The 2005 paper's order over live histories. */
final class Priorities {
  private Priorities() {}

  static List<PagePriority> next(PageHistories histories, int count, Instant now) {
    KnownPages known = KnownPages.of(histories);
    List<RefreshCandidate> candidates =
        new UserCentric(0)
            .plan(known, new RefreshBudget(count, now, Duration.ofDays(1), 1))
            .next(known, now, count);
    List<PagePriority> pages = new ArrayList<>(candidates.size());
    for (RefreshCandidate candidate : candidates) {
      PageHistory history = histories.of(candidate.page()).orElseThrow();
      double days = (now.getEpochSecond() - history.lastRefresh().getEpochSecond()) / 86_400.0;
      double rate =
          history.refreshes() > 0
              ? history.sumOfRates() / history.refreshes()
              : days > 0 ? candidate.priority() / days : 0;
      pages.add(
          new PagePriority(
              candidate.page(),
              candidate.priority(),
              rate,
              history.lastRefresh(),
              history.refreshes()));
    }
    return pages;
  }
}
