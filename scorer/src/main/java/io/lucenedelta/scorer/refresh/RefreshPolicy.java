// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * A refresh strategy: decides which pages to fetch next.
 *
 * <p>Deciding has two steps, both pure functions: {@link #plan} works out once what holds for many
 * periods (estimated rates, optimal frequencies, a whole schedule), {@link RefreshPlan#next} picks
 * the pages of one period. A caller whose knowledge grows plans anew each period, or {@linkplain
 * #renew renews} its plan; one with hindsight plans once. A strategy keeps no state: parameters,
 * seed and foresight come in through its constructor, everything else through the arguments.
 *
 * <p>Laws: never more pages than the budget; no page twice in a period; the same answer for the
 * same arguments; the answer does not depend on the order in which pages are handed out. Ties are
 * broken by a hash of seed and page key, then by page key.
 *
 * <p>Implementations are immutable and safe for use by several threads.
 */
@FunctionalInterface
public interface RefreshPolicy {
  /** Works out what holds for the planned periods from what is known now. */
  RefreshPlan plan(KnownPages known, RefreshBudget budget);

  /**
   * The same plan as {@link #plan}. What was worked out before, and cannot have become different
   * since, need not be worked out again.
   *
   * @param before a plan of this policy when less was known: visits and refreshes have been added
   *     since, and none is another; pages may have come, and the budget may be another
   */
  default RefreshPlan renew(RefreshPlan before, KnownPages known, RefreshBudget budget) {
    return plan(known, budget);
  }
}
