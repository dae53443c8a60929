// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import java.time.Duration;
import java.util.Locale;

/** A length of time in the largest unit, from seconds to days, of which it has one. */
public final class LengthOfTime {
  private LengthOfTime() {}

  /** The length in words, to a tenth, such as {@code 7.0 days} or {@code 12.5 minutes}. */
  public static String of(Duration length) {
    double seconds = length.toMillis() / 1e3;
    if (seconds < 60) {
      return counted(seconds, "seconds");
    }
    if (seconds < 3_600) {
      return counted(seconds / 60, "minutes");
    }
    return seconds < 86_400 ? counted(seconds / 3_600, "hours") : counted(seconds / 86_400, "days");
  }

  private static String counted(double count, String units) {
    return String.format(Locale.ROOT, "%.1f %s", count, units);
  }
}
