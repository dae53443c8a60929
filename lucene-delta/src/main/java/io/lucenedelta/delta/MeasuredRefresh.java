// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One refresh of a page and why it counted as much as it did.
 *
 * @param generation the batch it was committed in
 * @param fetched when the page was fetched
 * @param interval since the fetch before; null when the refresh is not measured, as a first fetch
 * @param qualityChange ΔQ_A, in query frequency × score; 0 when not measured
 * @param contributions the queries that counted most, the largest first, of which some may have
 *     added nothing; kept for at least a page's latest three refreshes that moved a result, and
 *     dropped from older ones in time
 * @param otherQueries number of further queries for which the page's score moved; 0 also where
 *     contributions were dropped
 * @param otherQueriesChange what they added together, so that all adds up to the quality change:
 *     all of it where contributions were dropped; a trace of the rounding of contributions, below 0
 *     at times, where there are no others, or these added nothing
 */
public record MeasuredRefresh(
    long generation,
    Instant fetched,
    Duration interval,
    double qualityChange,
    List<QueryContribution> contributions,
    int otherQueries,
    double otherQueriesChange) {
  /** Copies the list. */
  public MeasuredRefresh {
    contributions = List.copyOf(contributions);
  }

  /** Whether an interval and a quality change exist. */
  public boolean measured() {
    return interval != null;
  }
}
