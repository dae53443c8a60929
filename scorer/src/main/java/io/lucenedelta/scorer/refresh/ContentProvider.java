// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * Weighs how long a page has been out of date against how many users met it meanwhile, by what its
 * provider tells (survey, section 1, after Xu, Li, Qu and Labrinidis 2007).
 *
 * <ul>
 *   <li>Normal providers tell nothing: S1 = (now − LC)·(N(now) + c)/2, the area under an access
 *       count that grows steadily since the last refresh LC.
 *   <li>Smart providers tell when the page changed, at t(1)…t(n) since LC: S2 = Σ (t(m) −
 *       t(m−1))·N(t(m)) up to t(n+1) = now, N counting accesses to the outdated copy, that is since
 *       t(1). A page that did not change is left alone.
 *   <li>Super providers also tell how likely the next change is: S3 = β·S2 + (1 − β)·P(f), P(f) =
 *       P(update)·(α·C(p−1) + (1 − α)·Σ of C(d), d = p−s…p−2) / Σ of C(d), d = p−s…p−1, from the
 *       accesses C(d) of the last s periods.
 * </ul>
 *
 * <p>The survey leaves open c, α, β and s: here 1, ½ and ½. Accesses are the page's expected views,
 * taken as those of a day, level over time, so the fraction in P(f) is (α + (1 − α)(s − 1))/s: with
 * α = ½ it is ½ whatever s is. A page that was never fetched is weighed by S1 since its address is
 * known, whatever its provider tells.
 *
 * <p>S2 departs from the survey, whose sum is over m = 0…n. Here it starts at the first change,
 * since before it no access meets an outdated copy, and t(−1) is nothing. It goes on to now, where
 * the survey's ends with the last change: accesses since then met an outdated copy too, and a page
 * that changed once would be worth nothing.
 */
public final class ContentProvider implements RefreshPolicy {
  private static final double C = 1;
  private static final double RECENT_ACCESSES = 0.5; // the fraction in P(f)
  private static final double BETA = 0.5;

  private final long seed;

  /** Breaks ties by {@code seed}. */
  public ContentProvider(long seed) {
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    Priority score =
        (page, now) -> {
          PageFacts facts = page.facts();
          if (page.neverFetched() || facts.provider() == PageFacts.Provider.NORMAL) {
            return normal(page, now);
          }
          double smart = smart(page, now);
          double priority =
              facts.provider() == PageFacts.Provider.SUPER
                  ? BETA * smart + (1 - BETA) * future(facts)
                  : smart;
          // 0 is also the score of a change that nobody has met yet
          boolean changed = facts.anyPublishedSince(page.lastRefresh());
          return changed || priority > 0 ? priority : Priority.NEVER;
        };
    return score.highestFirst(seed);
  }

  /** S1. */
  static double normal(KnownPage page, Instant now) {
    double days = page.age(now);
    return days * (page.facts().expectedViews() * days + C) / 2;
  }

  /** S2. */
  static double smart(KnownPage page, Instant now) {
    PageFacts facts = page.facts();
    Instant first = null;
    Instant before = null;
    double sum = 0;
    int changes = facts.publishedChanges();
    for (int i = changes - facts.publishedSince(page.lastRefresh()); i < changes; i++) {
      Instant change = facts.publishedChange(i);
      first = first == null ? change : first;
      sum += before == null ? 0 : step(facts, first, before, change);
      before = change;
    }
    return before == null ? 0 : sum + step(facts, first, before, now);
  }

  /** (t(m) − t(m−1))·N(t(m)). */
  private static double step(PageFacts facts, Instant first, Instant before, Instant end) {
    double accesses = facts.expectedViews() * Days.between(first, end);
    return Days.between(before, end) * accesses;
  }

  /** P(f). */
  static double future(PageFacts facts) {
    return facts.changeProbability() * RECENT_ACCESSES;
  }
}
