// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What is known of one page's past refreshes.
 *
 * <p>A refresh is <em>measured</em> when the page had been fetched before, so that an interval and
 * a quality change exist. Intervals are in days; quality changes are ΔQ_A (2005, section 5), in
 * units of query frequency × score.
 */
public interface PageHistory {
  /** The page's key, usually its URL. */
  String page();

  /** When the page was last fetched: LR(p, t). */
  Instant lastRefresh();

  /** Number of measured refreshes, 0 or more. */
  int refreshes();

  /** The sum over measured refreshes of ΔQ_A / interval, per day. */
  double sumOfRates();

  /** The sum over measured refreshes of ΔQ_A. */
  double totalGain();

  /** The sum over measured refreshes of the interval, in days. */
  double totalDays();
}
