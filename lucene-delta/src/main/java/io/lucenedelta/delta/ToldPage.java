// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;

/** A page with other facts than its address gives. */
record ToldPage(KnownPage known, PageFacts facts) implements KnownPage {
  @Override
  public String page() {
    return known.page();
  }

  @Override
  public Instant lastRefresh() {
    return known.lastRefresh();
  }

  @Override
  public int refreshes() {
    return known.refreshes();
  }

  @Override
  public double sumOfRates() {
    return known.sumOfRates();
  }

  @Override
  public double totalGain() {
    return known.totalGain();
  }

  @Override
  public double totalDays() {
    return known.totalDays();
  }

  @Override
  public int changes() {
    return known.changes();
  }

  @Override
  public double totalRootGain() {
    return known.totalRootGain();
  }

  @Override
  public double usefulness() {
    return known.usefulness();
  }

  @Override
  public DirectoryPath directories() {
    return known.directories();
  }

  @Override
  public Visits visits() {
    return known.visits();
  }
}
