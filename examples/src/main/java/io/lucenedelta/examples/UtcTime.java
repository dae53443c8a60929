// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Locale;

/**
 * A time in tables that programs read: {@link Instant#toString} has no, three, six or nine
 * decimals, and a column in which they are mixed is no column of times to many programs.
 */
public final class UtcTime {
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter(Locale.ROOT);

  private UtcTime() {}

  /**
   * The time in UTC by ISO 8601, cut to milliseconds, such as {@code 2024-01-01T00:00:00.000Z};
   * years after 9999 have a sign. {@link Instant#parse} reads it.
   */
  public static String of(Instant time) {
    return MILLISECONDS.format(time);
  }
}
