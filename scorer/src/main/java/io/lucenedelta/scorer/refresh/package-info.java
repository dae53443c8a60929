// SPDX-License-Identifier: Apache-2.0
/**
 * Histories of refreshes in, an order of pages to refresh out: strategies of the literature as pure
 * functions.
 *
 * <p>Start at {@link io.lucenedelta.scorer.refresh.RefreshPolicy}: it gets what is known of the
 * pages, {@link io.lucenedelta.scorer.refresh.KnownPages}, and a {@link
 * io.lucenedelta.scorer.refresh.RefreshBudget}, and makes a {@link
 * io.lucenedelta.scorer.refresh.RefreshPlan}, which answers for one period with {@linkplain
 * io.lucenedelta.scorer.refresh.RefreshCandidate pages and their priorities}. {@link
 * io.lucenedelta.scorer.refresh.UserCentric} is the strategy of the 2005 paper, {@link
 * io.lucenedelta.scorer.refresh.UserUtility} the one to leave on; those that optimise frequencies
 * or schedules are in {@code schedule}.
 *
 * <p>Histories are data that storage owns: it implements {@link
 * io.lucenedelta.scorer.refresh.PageHistories}. No strategy keeps state of its own; policies and
 * plans are immutable and safe for several threads.
 */
package io.lucenedelta.scorer.refresh;
