// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Duration;
import java.time.Instant;

/** Length of time in days. */
public final class Days {
  static final double SECONDS_A_DAY = 86_400;

  private Days() {}

  /** Days from one instant to another, to the second, negative when {@code to} is earlier. */
  public static double between(Instant from, Instant to) {
    return (to.getEpochSecond() - from.getEpochSecond()) / SECONDS_A_DAY;
  }

  /** A length of time in days, to the second. */
  public static double of(Duration length) {
    return length.toSeconds() / SECONDS_A_DAY;
  }
}
