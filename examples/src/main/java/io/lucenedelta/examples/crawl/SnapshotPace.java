// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import io.lucenedelta.scorer.refresh.Days;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How far apart the snapshots of a crawl are. Every snapshot counts as a week, in budgets and in
 * tables, whatever the time between them.
 *
 * @param days from one to the next, in the median
 */
public record SnapshotPace(double days) {
  /** What varies less is weekly: jobs start late, and take their time. */
  private static final double SHORTEST_WEEK = 6;

  private static final double LONGEST_WEEK = 8;

  /** The pace of a crawl; nothing of a single snapshot. */
  public static Optional<SnapshotPace> of(SnapshotArchive crawl) {
    double[] days =
        IntStream.range(1, crawl.size())
            .mapToObj(next -> Duration.between(crawl.time(next - 1), crawl.time(next)))
            .mapToDouble(Days::of)
            .sorted()
            .toArray();
    return days.length == 0
        ? Optional.empty()
        : Optional.of(new SnapshotPace((days[days.length / 2] + days[(days.length - 1) / 2]) / 2));
  }

  /** What to say of a crawl that is not weekly. */
  public Optional<String> note() {
    return days >= SHORTEST_WEEK && days <= LONGEST_WEEK
        ? Optional.empty()
        : Optional.of("snapshots are " + length() + " apart: read \"a week\" as \"a snapshot\"");
  }

  private String length() {
    double hours = 24 * days;
    if (hours < 1) {
      return counted(60 * hours, "minute");
    }
    return days < 1 ? counted(hours, "hour") : counted(days, "day");
  }

  private static String counted(double count, String unit) {
    String number = String.format(Locale.ROOT, "%.1f", count).replaceFirst("\\.0$", "");
    return number + " " + unit + (number.equals("1") ? "" : "s");
  }
}
