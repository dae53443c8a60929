// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * Fetches what the site says has changed since our last visit (survey, section 1, after Brandman,
 * Cho, Garcia-Molina and Shivakumar 2000), and nothing else of that site.
 *
 * <p>The source does not say what to do when more has changed than the budget allows, nor about
 * pages whose site says nothing. Here the page whose oldest unseen change waits longest comes
 * first; pages without metadata share what is left, longest unvisited first. Starves pages without
 * metadata when changes use up the budget. No parameters: which pages publish is a fact of their
 * sites ({@link PageFacts#provider}). Pages never fetched count as changed since they became known.
 */
public final class SiteMetadata implements RefreshPolicy {
  /** Above every waiting time in days: lifts published changes above guesses. */
  private static final double PUBLISHED = 1e6;

  private final long seed;

  /** Breaks ties by {@code seed}. */
  public SiteMetadata(long seed) {
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    Priority waiting =
        (page, now) -> {
          PageFacts facts = page.facts();
          if (page.neverFetched()) {
            return PUBLISHED + page.age(now);
          }
          if (facts.provider() == PageFacts.Provider.NORMAL) {
            return page.age(now);
          }
          int unseen = facts.publishedSince(page.lastRefresh());
          if (unseen == 0) {
            return Priority.NEVER;
          }
          Instant oldest = facts.publishedChange(facts.publishedChanges() - unseen);
          return PUBLISHED + Days.between(oldest, now);
        };
    return waiting.highestFirst(seed);
  }
}
