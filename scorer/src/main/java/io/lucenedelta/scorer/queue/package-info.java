// SPDX-License-Identifier: Apache-2.0
/**
 * The order of any strategy in, batches of pages to fetch out: the queue that several crawlers ask.
 *
 * <p>Start at {@link io.lucenedelta.scorer.queue.RefreshQueue}, which has leases, failures and
 * pages that are gone. So that a batch need not look at all pages, it keeps a list of those that
 * can be among the best for a while, and makes another when that one vouches for a batch no longer.
 * {@link io.lucenedelta.scorer.queue.WantedPages} goes on to more of them where a crawler does not
 * want all.
 *
 * <p>This package knows {@code refresh} and nothing else of its siblings: a strategy is a {@link
 * io.lucenedelta.scorer.refresh.RefreshPolicy} to it, and no strategy knows that there is a queue.
 * Whoever stores histories keeps the queue's {@linkplain
 * io.lucenedelta.scorer.queue.RefreshQueue#holds holds} as well. The queue is safe for several
 * threads, what it is made of is not.
 */
package io.lucenedelta.scorer.queue;

// Inside: ShortlistedPages keeps that list, a Shortlist, and asks the strategy for SomePages of
// many.
