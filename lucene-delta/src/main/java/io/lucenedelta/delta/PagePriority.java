// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.time.Instant;

/**
 * A page and how much it is worth to fetch it now: P(p, t) = δQ_A(p)·(t − LR(p, t)) (2005, section
 * 4).
 *
 * @param page the page's key
 * @param priority P(p, t)
 * @param rate δQ_A(p) per day; of a page without measured refresh, the mean of the measured pages
 * @param lastRefresh LR(p, t), when it was last fetched
 * @param refreshes number of measured refreshes
 */
public record PagePriority(
    String page, double priority, double rate, Instant lastRefresh, int refreshes) {}
