// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Objects;

/**
 * Refreshes every non-static page equally often (Olston and Pandey 2008, section 3.4): the page
 * that was not visited for the longest time comes first.
 *
 * <p>Which pages are static is known in hindsight only, so they can be ignored then; the paper does
 * that. Online no page is known to be static and all take turns: round-robin. Whether to ignore is
 * therefore a choice of the caller. Starves nobody but static pages where they are ignored: these
 * are fetched once if they never were, and not again, whatever the budget.
 *
 * <p>Parameter: the {@link Order} in which pages with equal resources take turns, of which Cho and
 * Garcia-Molina compare three (2003; survey, section 2.2). A page that was never fetched takes its
 * turn among the others in each of them.
 */
public final class Uniform implements RefreshPolicy {
  /** In which order pages take turns. */
  public enum Order {
    /** The same in every round: the longest unvisited first. */
    FIXED,
    /**
     * Every page once a round, in an order drawn anew for each: the lot of a page is the hash of
     * its key and seed ⊕ round · 2^32. Rounds are counted back from {@linkplain KnownPage#fetches()
     * when pages were fetched}. Where that is not kept the order is the fixed one.
     */
    RANDOM,
    /**
     * Every refresh goes to a page drawn by lot, whenever that was fetched last: the hash of its
     * key and seed ⊕ seconds since 1970. Needs no record. No page comes twice in a period, so that
     * with a budget for all pages it is as the fixed order. How long a page waits has no bound.
     */
    PURELY_RANDOM
  }

  /**
   * What becomes of pages that seem to be static: two visits or more are recorded, none of which
   * found a change.
   */
  public enum StaticPages {
    /** They take turns as all pages do. */
    FETCH,
    /** They are left out. */
    SKIP
  }

  private final Order order;
  private final StaticPages staticPages;
  private final long seed;

  /**
   * Takes pages in turn, in the fixed order.
   *
   * @param staticPages whether static pages take turns, too
   * @param seed of the order among pages visited at the same time
   */
  public Uniform(StaticPages staticPages, long seed) {
    this(Order.FIXED, staticPages, seed);
  }

  /**
   * Takes pages in turn, in some order.
   *
   * @param staticPages whether static pages take turns, too
   * @param seed of the lots
   */
  public Uniform(Order order, StaticPages staticPages, long seed) {
    this.order =
        Objects.requireNonNull(
            order, "the order in which pages take turns must be named, was null");
    this.staticPages =
        Objects.requireNonNull(staticPages, "what becomes of static pages must be named, was null");
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    RefreshPlan longestUnvisited = unlessStatic(KnownPage::age).highestFirst(seed);
    return switch (order) {
      case FIXED -> longestUnvisited;
      case RANDOM ->
          (pages, now, left) ->
              Rounds.of(pages, this::takesTurns)
                  .map(rounds -> unlessStatic((page, t) -> turn(page, rounds)).highestFirst(seed))
                  .orElse(longestUnvisited)
                  .next(pages, now, left);
      case PURELY_RANDOM -> {
        Priority equal = unlessStatic((page, t) -> 0);
        yield (pages, now, left) ->
            equal.highestFirst(seed ^ now.getEpochSecond()).next(pages, now, left);
      }
    };
  }

  /** Earlier rounds first, within a round by lot. */
  private double turn(KnownPage page, Rounds rounds) {
    int round = rounds.next(page.page());
    return -(round + TopPages.fraction(seed ^ ((long) round << 32), page.page()));
  }

  private Priority unlessStatic(Priority priority) {
    return (page, now) -> takesTurns(page) ? priority.of(page, now) : Priority.NEVER;
  }

  private boolean takesTurns(KnownPage page) {
    return staticPages == StaticPages.FETCH || !isStatic(page);
  }

  private static boolean isStatic(KnownPage page) {
    Visits visits = page.visits();
    if (page.neverFetched() || visits.size() < 2) {
      return false;
    }
    for (int visit = 1; visit < visits.size(); visit++) {
      if (visits.changed(visit)) {
        return false;
      }
    }
    return true;
  }
}
