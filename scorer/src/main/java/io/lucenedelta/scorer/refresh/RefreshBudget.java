// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Duration;
import java.time.Instant;

/**
 * How many refreshes fit into a period, and the periods a plan is made for.
 *
 * @param perPeriod refreshes a period, B of the 2005 paper, 0 or more
 * @param first when the first planned period spends its budget
 * @param period length of a period, positive
 * @param periods number of planned periods, at least 1
 */
public record RefreshBudget(int perPeriod, Instant first, Duration period, int periods) {
  /** Checks the ranges. */
  public RefreshBudget {
    if (perPeriod < 0) {
      throw new IllegalArgumentException("perPeriod must not be negative, was " + perPeriod);
    }
    if (period.isNegative() || period.isZero()) {
      throw new IllegalArgumentException("period must be positive, was " + period);
    }
    if (periods < 1) {
      throw new IllegalArgumentException("periods must be at least 1, was " + periods);
    }
  }

  /** Length of a period in days. */
  public double periodDays() {
    return KnownPage.Days.of(period);
  }

  /** The number of the period that {@code now} falls into, clamped to the planned ones. */
  public int periodOf(Instant now) {
    double elapsed = KnownPage.Days.between(first, now) / periodDays();
    return Math.clamp((long) Math.floor(elapsed + 0.5), 0, periods - 1);
  }
}
