// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.Arrays;
import java.util.List;

/**
 * What one strategy reached with one budget.
 *
 * @param policy the policy's name
 * @param settings its parameters, empty for the defaults
 * @param knowledge what it could learn from
 * @param budget the budget as given
 * @param firstWeek the first replayed week
 * @param quality equation 5 at the end of each replayed week
 * @param staleness mean fragment staleness of the repository's copies between the refreshes of the
 *     week before and those of each replayed week
 * @param days days between the refreshes of the week before and those of each replayed week
 * @param refreshes refreshes spent in each replayed week
 * @param cpuSeconds processor time of the strategy's own decisions
 * @param measurements every refresh with its estimated and exact quality change; empty unless asked
 */
public record RunResult(
    String policy,
    String settings,
    Knowledge knowledge,
    Budget budget,
    int firstWeek,
    double[] quality,
    double[] staleness,
    double[] days,
    int[] refreshes,
    double cpuSeconds,
    List<Measurement> measurements) {
  /** The mean quality of the replayed weeks. */
  public double meanQuality() {
    return Arrays.stream(quality).average().orElse(1);
  }

  /** The lowest quality of a replayed week. */
  public double minQuality() {
    return Arrays.stream(quality).min().orElse(1);
  }

  /** The mean fragment staleness over the time of the replayed weeks (2008, equation 2). */
  public double meanStaleness() {
    return staleness(0, staleness.length);
  }

  /**
   * The mean fragment staleness over the time of the first half of the replayed weeks; NaN with one
   * week, which is the second half.
   */
  public double warmUpStaleness() {
    return staleness(0, staleness.length / 2);
  }

  /** The mean fragment staleness over the time of the second half of the replayed weeks. */
  public double steadyStaleness() {
    return staleness(staleness.length / 2, staleness.length);
  }

  /** The mean over a stretch of weeks, each as long as it is; NaN without a week. */
  private double staleness(int from, int to) {
    if (from == to) {
      return Double.NaN;
    }
    double sum = 0;
    double time = 0;
    for (int week = from; week < to; week++) {
      sum += days[week] * staleness[week];
      time += days[week];
    }
    return time > 0 ? sum / time : 0;
  }

  /** Refreshes a week over a stretch of replayed weeks, {@code to} left out; NaN without a week. */
  private double refreshesPerWeek(int from, int to) {
    return Arrays.stream(refreshes, from, to).average().orElse(Double.NaN); // no sum of ints
  }

  /** Refreshes a week in the first half of the replayed weeks; NaN with one week. */
  public double warmUpRefreshes() {
    return refreshesPerWeek(0, refreshes.length / 2);
  }

  /** Refreshes a week in the second half of the replayed weeks. */
  public double steadyRefreshes() {
    return refreshesPerWeek(refreshes.length / 2, refreshes.length);
  }

  /** Refreshes spent in all. */
  public long totalRefreshes() {
    return Arrays.stream(refreshes).asLongStream().sum();
  }

  /** Refreshes spent a week. */
  public double refreshesPerWeek() {
    return refreshes.length == 0 ? 0 : (double) totalRefreshes() / refreshes.length;
  }
}
