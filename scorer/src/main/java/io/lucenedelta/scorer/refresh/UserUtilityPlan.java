// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;

/** The refreshes of largest utility, with what {@link UserUtility} has learned. Immutable. */
final class UserUtilityPlan implements RefreshPlan {
  private final GainModel model;
  private final GainModel.Ceiling ceiling;
  private final GainParameters parameters;
  private final double halfPeriod;
  private final long seed;

  /**
   * A plan.
   *
   * @param periodDays time between two decisions
   */
  UserUtilityPlan(GainModel model, GainParameters parameters, double periodDays, long seed) {
    this.model = model;
    this.ceiling = model.ceiling();
    this.parameters = parameters;
    this.halfPeriod = periodDays / 2;
    this.seed = seed;
  }

  @Override
  public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
    TopPages top = new TopPages(budget, seed);
    known.forEach(
        page -> {
          if (mayBeFetched(page, now) && bound(page, now) >= top.leastKept()) {
            double utility = utility(page, now);
            if (utility > 0 || !knownStatic(page)) {
              top.offer(page.page(), utility);
            }
          }
        });
    return top.bestFirst();
  }

  /** Whether the page's own record, trusted alone, says that it never changes. */
  private boolean knownStatic(KnownPage page) {
    return parameters.rateDays() == 0 && page.totalDays() > 0;
  }

  private static boolean mayBeFetched(KnownPage page, Instant now) {
    return page.neverFetched() || page.lastRefresh().isBefore(now);
  }

  /**
   * What the utility cannot exceed, found without looking at the key of the page; a little more for
   * rounding. Spares most pages of a large index the way through their directories.
   */
  double bound(KnownPage page, Instant now) {
    if (page.neverFetched() || GainModel.publishes(page)) {
      return Double.POSITIVE_INFINITY;
    }
    return ceiling.gainPerDay(page) * worthOfGrowth(page.age(now)) * (1 + 1e-9);
  }

  /** U of fetching a page now, in ΔQ_A · days; 0 or more, finite. */
  double utility(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return entryUtility(page);
    }
    double unheard = model.gainPerDay(page) * worthOfGrowth(page.age(now));
    if (!GainModel.publishes(page)) {
      return unheard;
    }
    int changes = changesSince(page.facts(), page.lastRefresh());
    return changes == 0 ? parameters.hintDoubt() * unheard : publishedUtility(page, changes);
  }

  /** The loss x = the entry gain is there and will not grow before the page is fetched. */
  private double entryUtility(KnownPage page) {
    double loss = model.entryGain(page);
    return parameters.lookAhead() ? loss * lasting(loss / model.gainPerDay(page)) : loss;
  }

  /** After k changes worth g each: g·k·(k + 1)/2, over the time until the next. */
  private double publishedUtility(KnownPage page, int changes) {
    double gain = model.gainPerChange(page);
    return parameters.lookAhead()
        ? gain * changes * (changes + 1) / 2 * lasting(1 / model.changesPerDay(page))
        : gain * changes;
  }

  /** Days a gain lasts; the horizon where nothing is known to end it. */
  private double lasting(double days) {
    return days < parameters.horizonDays() ? days : parameters.horizonDays();
  }

  /**
   * U for a loss that has grown by 1 a day. With decisions at any time it is t²/2; with decisions a
   * period P apart, each followed by users, stopping a period earlier or later breaks even at t·(t
   * + P)/2. Half-way between, since a period's changes come throughout it.
   */
  private double worthOfGrowth(double days) {
    return parameters.lookAhead() ? days * (days + halfPeriod) / 2 : days;
  }

  private static int changesSince(PageFacts facts, Instant lastRefresh) {
    int first = facts.modifications();
    while (first > 0 && facts.modification(first - 1).isAfter(lastRefresh)) {
      first--;
    }
    return facts.modifications() - first;
  }
}
