// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range of snapshots as given on the command line: {@code 3-7} or {@code 5}, from 0, both ends
 * included.
 */
record WeekRange(int first, int last) {
  private static final Pattern RANGE = Pattern.compile("(\\d{1,6})(?:-(\\d{1,6}))?");

  /**
   * Reads a range.
   *
   * @throws IllegalArgumentException if it is none, or does not lie within the crawl
   */
  static WeekRange of(String range, int snapshots) {
    Matcher weeks = RANGE.matcher(range);
    if (!weeks.matches()) {
      throw new IllegalArgumentException("--weeks '" + range + "' is not a range such as 0-12");
    }
    int first = Integer.parseInt(weeks.group(1));
    int last = weeks.group(2) == null ? first : Integer.parseInt(weeks.group(2));
    if (first > last) {
      throw new IllegalArgumentException(
          "--weeks " + range + " runs backwards: name the earlier week first");
    }
    if (last >= snapshots) {
      throw new IllegalArgumentException(
          "--weeks " + range + " does not lie within the crawl's weeks 0-" + (snapshots - 1));
    }
    return new WeekRange(first, last);
  }

  /** As a subject with its verb: {@code weeks 3-7 are}. */
  String asSubject() {
    return first == last ? "week " + first + " is" : "weeks " + first + "-" + last + " are";
  }
}
