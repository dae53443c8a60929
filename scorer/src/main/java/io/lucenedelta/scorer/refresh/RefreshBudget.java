// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;

/**
 * How many refreshes fit into a period, and the periods a plan is made for, which need not be of
 * the same length.
 *
 * @param perPeriod refreshes a period, B of the 2005 paper, 0 or more
 * @param since when the period before the first planned one spent its budget
 * @param times when each planned period spends its budget, at least one, increasing, after {@code
 *     since}, a second apart or more in the mean
 * @param atAnyTime whether decisions are made at any time, not only once a period: then the length
 *     of a period, which strategies that plan ahead need, does not say when the next one comes
 */
public record RefreshBudget(int perPeriod, Instant since, List<Instant> times, boolean atAnyTime) {
  private static final Duration LIVE_PERIOD = Duration.ofDays(1);
  private static final double EARLY = 0.01; // share of a period

  /**
   * Checks the ranges.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public RefreshBudget {
    times = List.copyOf(times);
    if (perPeriod < 0) {
      throw new IllegalArgumentException("perPeriod must not be negative, was " + perPeriod);
    }
    if (times.isEmpty()) {
      throw new IllegalArgumentException("times must name at least one planned period");
    }
    Instant before = since;
    for (Instant time : times) {
      if (!time.isAfter(before)) {
        throw new IllegalArgumentException(
            "times must increase from since on, %s was followed by %s".formatted(before, time));
      }
      before = time;
    }
    if (Duration.between(since, before).dividedBy(times.size()).toSeconds() < 1) {
      throw new IllegalArgumentException(
          "periods must last a second or more, as rates are known to the second; %d end %s after %s"
              .formatted(times.size(), before, since));
    }
  }

  /**
   * Decisions are made once a period.
   *
   * @throws IllegalArgumentException if a number is outside its range
   */
  public RefreshBudget(int perPeriod, Instant since, List<Instant> times) {
    this(perPeriod, since, times, false);
  }

  /**
   * Refreshes of a live index, which is asked for the next ones whenever somebody can fetch them,
   * be it every minute or once a month. Its plans are for a day: nobody knows how many refreshes
   * there will be.
   *
   * @param count refreshes asked for now, 0 or more
   * @throws IllegalArgumentException if it is negative
   * @throws java.time.DateTimeException if a day before or after {@code now} is no possible instant
   */
  public static RefreshBudget atAnyTime(int count, Instant now) {
    return new RefreshBudget(count, now.minus(LIVE_PERIOD), List.of(now), true);
  }

  /**
   * Periods of one length; the one before them spent its budget a length before {@code first}.
   *
   * @param perPeriod refreshes a period, 0 or more
   * @param first when the first planned period spends its budget
   * @param period length of a period, a second or more
   * @param periods number of planned periods, at least 1
   * @throws IllegalArgumentException if a number or the length is outside its range
   * @throws java.time.DateTimeException if one would spend its budget at no possible instant
   */
  public static RefreshBudget regular(int perPeriod, Instant first, Duration period, int periods) {
    List<Instant> times =
        IntStream.range(0, periods).mapToObj(i -> first.plus(period.multipliedBy(i))).toList();
    return new RefreshBudget(perPeriod, first.minus(period), times);
  }

  /** When the first planned period spends its budget. */
  public Instant first() {
    return times.get(0);
  }

  /** The end of the last planned period, one mean length after it spends its budget. */
  public Instant end() {
    return times.get(times.size() - 1).plus(period());
  }

  /** Number of planned periods, at least 1. */
  public int periods() {
    return times.size();
  }

  /** Mean length of a period, a second or more. */
  public Duration period() {
    return Duration.between(since, times.get(times.size() - 1)).dividedBy(times.size());
  }

  /** Mean length of a period in days. */
  public double periodDays() {
    return Days.of(period());
  }

  /** Days between two decisions: the mean length of a period, 0 where they are made at any time. */
  double decisionDays() {
    return atAnyTime ? 0 : periodDays();
  }

  /**
   * Days by which a page that waits for a number of periods may be early: a hundredth of the time
   * between two decisions, 0 where they are made at any time. Snapshots that are a week apart in
   * name begin some minutes early or late, and each is the only chance within a period.
   */
  public double earlyDays() {
    return EARLY * decisionDays();
  }

  /** The planned period that spends its budget at {@code now}, the one before if none does. */
  public int periodOf(Instant now) {
    int found = Collections.binarySearch(times, now);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }
}
