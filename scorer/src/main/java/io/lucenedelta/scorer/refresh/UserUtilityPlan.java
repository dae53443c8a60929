// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The refreshes of largest utility, with what {@link UserUtility} has learned. Immutable. */
final class UserUtilityPlan implements RefreshPlan {
  private final GainModel model;
  private final GainModel.Ceiling ceiling;
  private final GainParameters parameters;
  private final double halfPeriod;
  private final double agingDays;
  private final Instant end;
  private final boolean told;
  private final long seed;

  /**
   * A plan for the periods of a budget.
   *
   * @param told see {@link KnownPages#tellsWhenMoreIsKnown}
   */
  UserUtilityPlan(
      GainModel model, GainParameters parameters, RefreshBudget budget, boolean told, long seed) {
    this.model = model;
    this.told = told;
    this.ceiling = model.ceiling();
    this.parameters = parameters;
    this.halfPeriod = budget.decisionDays() / 2;
    this.agingDays = parameters.agingRounds() * model.roundDays();
    this.end = parameters.planToEnd() ? budget.end() : null;
    this.seed = seed;
  }

  @Override
  public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
    TopPages best = new TopPages(budget, seed);
    LongestWaiting waiting = new LongestWaiting(parameters, budget, now, seed);
    known.forEach(
        page -> {
          if (mayBeFetched(page, now) && !(bound(page, now) < best.leastKept())) {
            double utility = utility(page, now);
            if (utility > 0 || !knownStatic(page)) {
              best.offer(page.page(), utility);
            }
          }
          Instant since = waitsSince(page, now);
          if (since != null) {
            waiting.offer(page.page(), since);
          }
        });
    return LongestWaiting.placedIn(
        best.bestFirst(), withUtility(waiting.pages(), known, now), budget);
  }

  /**
   * Where every page was fetched and nothing waits for a share: utility grows with age. It grows
   * also when a page publishes a change, which somebody must tell; where the site is heard to be
   * silent it falls.
   */
  @Override
  public boolean ripens() {
    boolean unnoticed = model.somePublish() && !(told && parameters.waitingShare() == 0);
    return end == null && !unnoticed && !model.someUnseen();
  }

  private List<RefreshCandidate> withUtility(Set<String> pages, KnownPages known, Instant now) {
    if (pages.isEmpty()) {
      return List.of();
    }
    Map<String, Double> utilities = new HashMap<>();
    known.forEach(pages, page -> utilities.put(page.page(), utility(page, now)));
    return pages.stream().map(page -> new RefreshCandidate(page, utilities.get(page))).toList();
  }

  /**
   * Since when a page waits whose utility does not grow: the first change it published since its
   * last refresh, or that its address is known where it was never fetched. Null for others.
   */
  private Instant waitsSince(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return page.lastRefresh();
    }
    if (!RecordedChanges.publishes(page) || !mayBeFetched(page, now)) {
      return null;
    }
    PageFacts facts = page.facts();
    int changes = facts.publishedSince(page.lastRefresh());
    return changes == 0 ? null : facts.publishedChange(facts.publishedChanges() - changes);
  }

  /** Whether the page's own record, trusted alone, says that it never changes. */
  private boolean knownStatic(KnownPage page) {
    return parameters.rateChanges() == 0 && page.totalDays() > 0;
  }

  private static boolean mayBeFetched(KnownPage page, Instant now) {
    return page.neverFetched() || page.lastRefresh().isBefore(now);
  }

  /**
   * What the utility cannot exceed, found without looking at the key of the page; a little more for
   * rounding. Spares most pages of a large index the way through their directories.
   */
  double bound(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return Double.POSITIVE_INFINITY;
    }
    boolean publishes = RecordedChanges.publishes(page);
    if (publishes && page.facts().anyPublishedSince(page.lastRefresh())) {
      return Double.POSITIVE_INFINITY;
    }
    double most = ceiling.gainPerDay(page, now) * (1 + 1e-9);
    return publishes ? silentUtility(page, most, now) : most * worthOfWaiting(page.age(now), now);
  }

  /** U of fetching a page now, in ΔQ_A · days; 0 or more, also where it comes to no number. */
  double utility(KnownPage page, Instant now) {
    double utility = predicted(page, now);
    return utility >= 0 ? utility : 0;
  }

  private double predicted(KnownPage page, Instant now) {
    if (page.neverFetched()) {
      return entryUtility(page, now);
    }
    if (!RecordedChanges.publishes(page)) {
      return model.gainPerDay(page, now) * worthOfWaiting(page.age(now), now);
    }
    int changes = page.facts().publishedSince(page.lastRefresh());
    return changes == 0
        ? silentUtility(page, model.gainPerDay(page, now), now)
        : publishedUtility(page, changes, now);
  }

  /** The page has not changed as long as its site was heard, but for what that does not publish. */
  private double silentUtility(KnownPage page, double gainPerDay, Instant now) {
    double doubt = Math.max(parameters.silenceDoubt(), page.facts().unpublishedShare());
    double worth = worthOfGrowth(page.age(now), now);
    double unheard = Math.max(0, RecordedChanges.unheardDays(page, now));
    return gainPerDay
        * (worthOfWaiting(unheard, now) + doubt * (worth - worthOfGrowth(unheard, now)));
  }

  /** The loss x = the entry gain is there and will not grow before the page is fetched. */
  private double entryUtility(KnownPage page, Instant now) {
    double loss = model.entryGain(page);
    return parameters.lookAhead() ? loss * lasting(loss / model.gainPerDay(page, now)) : loss;
  }

  /** After k changes worth g each: g·k·(k + 1)/2, over the time until the next. */
  private double publishedUtility(KnownPage page, int changes, Instant now) {
    double gain = model.gainPerChange(page);
    return parameters.lookAhead()
        ? gain * changes * (changes + 1) / 2 * lasting(1 / model.changesPerDay(page, now))
        : gain * changes;
  }

  /** Days a gain lasts; the horizon where nothing is known to end it. */
  private double lasting(double days) {
    return days < parameters.horizonDays() ? days : parameters.horizonDays();
  }

  /**
   * The same where nothing is heard for so many days, and more when they are many rounds: what is
   * expected of the page may be wrong, and only a refresh will tell. The fourth power leaves the
   * order of pages within a few rounds as it is.
   */
  private double worthOfWaiting(double days, Instant now) {
    double waited = days / agingDays;
    return worthOfGrowth(days, now) * (1 + waited * waited * waited * waited);
  }

  /**
   * U for a loss that has grown by 1 a day. With decisions at any time it is t²/2: the loss t, for
   * half as long as it took to grow. With decisions a period P apart, each followed by users,
   * stopping a period earlier or later breaks even at t·(t + P)/2. Half-way between, since a
   * period's changes come throughout it. P is 0 on a live index: if pages were fetched many times
   * within a P, U would grow with t alone, which loses as much as fetching all equally often.
   *
   * <p>Where an end is planned for, nothing pays after it: half the harmonic mean of the two times,
   * which is the shorter one when they differ much.
   */
  private double worthOfGrowth(double days, Instant now) {
    if (!parameters.lookAhead()) {
      return days;
    }
    double pays = (days + halfPeriod) / 2;
    if (end == null) {
      return days * pays;
    }
    double left = Math.max(0, Days.between(now, end));
    return days * pays * left / (pays + left);
  }
}
