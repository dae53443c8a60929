// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import io.lucenedelta.examples.LengthOfTime;
import io.lucenedelta.scorer.refresh.Days;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How far apart the snapshots of a crawl are. Every snapshot counts as a week, in budgets and in
 * tables, whatever the time between them.
 *
 * @param days from one to the next, in the median
 * @param shortest the fewest days from one to the next
 * @param longest the most
 * @param even whether nine in ten of these times, or more, are half to twice the median
 */
public record SnapshotPace(double days, double shortest, double longest, boolean even) {
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
    return days.length == 0 ? Optional.empty() : Optional.of(of(days));
  }

  private static SnapshotPace of(double[] sorted) {
    int times = sorted.length;
    double median = (sorted[times / 2] + sorted[(times - 1) / 2]) / 2;
    long other = Arrays.stream(sorted).filter(d -> d < median / 2 || d > 2 * median).count();
    return new SnapshotPace(median, sorted[0], sorted[times - 1], 10 * other <= times);
  }

  /** What to say of a crawl that is not weekly. */
  public Optional<String> note() {
    return even && days >= SHORTEST_WEEK && days <= LONGEST_WEEK
        ? Optional.empty()
        : Optional.of(
            "snapshots are "
                + apart()
                + ": read \"a week\" as \"a snapshot\", but for settings of strategies, which"
                + " stay weeks and days");
  }

  private String apart() {
    return even
        ? length(days) + " apart"
        : "%s to %s apart, %s in the median"
            .formatted(length(shortest), length(longest), length(days));
  }

  private static String length(double days) {
    String length = LengthOfTime.of(Duration.ofMillis(Math.round(days * 86_400_000)));
    String whole = length.replaceFirst("\\.0 ", " ");
    return whole.startsWith("1 ") ? whole.substring(0, whole.length() - 1) : whole;
  }
}
