// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * Refreshes every non-static page equally often (Olston and Pandey 2008, section 3.4): the page
 * that was not visited for the longest time comes first.
 *
 * <p>Which pages are static is known in hindsight only, so they can be ignored then; the paper does
 * that. Online no page is known to be static and all take turns: round-robin. Whether to ignore is
 * therefore a choice of the caller. No other parameters. Starves nobody but static pages where they
 * are ignored: these are fetched once if they never were, and not again, whatever the budget.
 */
public final class Uniform implements RefreshPolicy {
  private final boolean ignoreStatic;
  private final long seed;

  /**
   * Takes pages in turn.
   *
   * @param ignoreStatic whether pages are left out of which two visits or more are recorded, none
   *     of which found a change
   * @param seed of the order among pages visited at the same time
   */
  public Uniform(boolean ignoreStatic, long seed) {
    this.ignoreStatic = ignoreStatic;
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    Priority age = (page, now) -> ignoreStatic && isStatic(page) ? Priority.NEVER : page.age(now);
    return age.highestFirst(seed);
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
