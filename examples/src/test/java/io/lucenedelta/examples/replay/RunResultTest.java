// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunResultTest {
  private static RunResult run(double[] staleness, double... days) {
    return run(staleness, days, new int[staleness.length]);
  }

  private static RunResult run(double[] staleness, double[] days, int... refreshes) {
    return new RunResult(
        "uniform",
        "",
        Knowledge.ONLINE,
        Budget.of("1"),
        1,
        new double[staleness.length],
        staleness,
        days,
        refreshes,
        0,
        List.of());
  }

  @Test
  void stalenessIsAveragedOverTimeHoweverLongTheWeeksAre() {
    RunResult uneven = run(new double[] {0.1, 0.3, 0.2, 0.6}, 7, 21, 28, 4);
    assertThat(uneven.warmUpStaleness()).isCloseTo((0.7 + 6.3) / 28, within(1e-12));
    assertThat(uneven.steadyStaleness()).isCloseTo((5.6 + 2.4) / 32, within(1e-12));
    assertThat(uneven.meanStaleness()).isCloseTo(15.0 / 60, within(1e-12));
  }

  @Test
  void oneWeekHasNoFirstHalfThatCouldBeFresh() {
    RunResult one = run(new double[] {0.25}, 7);
    assertThat(one.warmUpStaleness()).isNaN();
    assertThat(one.warmUpRefreshes()).isNaN();
    assertThat(one.steadyStaleness()).isEqualTo(0.25);
    assertThat(one.steadyRefreshes()).isZero();
  }

  @Test
  void weeksOfOneLengthCountAlike() {
    RunResult even = run(new double[] {0.1, 0.3, 0.2, 0.6}, 7, 7, 7, 7);
    assertThat(even.meanStaleness()).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void refreshesAWeekAreThoseOfTheWeeksThatTheyAreTheMeanOf() {
    RunResult run = run(new double[5], new double[5], 1, 4, 2, 7, 9);
    assertThat(run.warmUpRefreshes()).isEqualTo(2.5);
    assertThat(run.steadyRefreshes()).isEqualTo(6);
    assertThat(run.refreshesPerWeek()).isEqualTo(4.6);
  }

  @Test
  void refreshesAreCountedBeyondTwoThousandMillions() {
    int most = Integer.MAX_VALUE;
    RunResult run = run(new double[4], new double[4], most, most, most, most);
    assertThat(run.totalRefreshes()).isEqualTo(4L * most);
    assertThat(run.refreshesPerWeek()).isEqualTo(most);
    assertThat(run.warmUpRefreshes()).isEqualTo(most);
    assertThat(run.steadyRefreshes()).isEqualTo(most);
  }
}
