// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.time.Instant;

/**
 * A page and how much it is worth to fetch it now, by the results of its index: beside pages of
 * another index that is searched together with it priorities are only roughly in order.
 *
 * @param page the page's key
 * @param priority P(p, t), in the unit of the strategy: ΔQ_A · days for {@link
 *     io.lucenedelta.scorer.refresh.UserUtility}
 * @param rate δQ_A(p), the mean over the page's measured refreshes of ΔQ_A per day (2005, section
 *     6.1.3); 0 without one
 * @param lastRefresh LR(p, t), when it was last fetched; null for a page of which only the address
 *     is known, listed where {@link Discoveries} were asked for and by {@link FetchQueue#nextFree}
 * @param refreshes number of measured refreshes
 */
public record PagePriority(
    String page, double priority, double rate, Instant lastRefresh, int refreshes) {
  /** Whether the page was never fetched. */
  public boolean neverFetched() {
    return lastRefresh == null;
  }
}
