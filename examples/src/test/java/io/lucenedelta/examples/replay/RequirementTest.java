// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.Knowledge;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequirementTest {
  private final ReplayResult result =
      new ReplayResult(
          Scoring.BM25,
          100,
          3,
          List.of(
              run("never", "", 0, 0.8),
              run("user-centric", "estimate=multi-term", 10, 0.92),
              run("user-centric", "", 20, 0.98),
              run("user-centric", "", 10, 0.9),
              run("slow", "a=1", 40, 0.9),
              run("slow", "a=1", 10, 0.82),
              run("slow", "a=2", 10, 0.85),
              run("fast", "", 50, 1)),
          List.of(),
          new Longevity(List.of(), List.of(), List.of(), List.of(), List.of()),
          1);

  @Test
  void requirementsAreInterpolatedBetweenBudgetsAtTheBestSettings() {
    // 0.6 at 10, 0.9 at 20
    assertThat(needed("user-centric", 0.8)).isCloseTo(50 / 3.0, within(1e-9));
    assertThat(needed("slow", 0.5)).isCloseTo(40, within(1e-9));
  }

  @Test
  void ratiosAreToThePaperWhateverElseWasTriedUnderItsName() {
    // as published user-centric closes 0.5 at 10, at its best settings 0.6
    assertThat(requirement("slow", 0.5).relativeToUserCentric().getAsDouble())
        .isCloseTo(4, within(1e-9));
    assertThat(requirement("user-centric", 0.5).relativeToUserCentric().getAsDouble())
        .isCloseTo(5 / 6.0, within(1e-9));
  }

  @Test
  void aShareThatNoBudgetReachesIsNotReached() {
    assertThat(requirement("slow", 0.8).refreshesPerWeek()).isEmpty();
    assertThat(requirement("slow", 0.8).relativeToUserCentric()).isEmpty();
    assertThat(requirement("user-centric", 0.99).refreshesPerWeek()).isEmpty();
  }

  @Test
  void thereIsNoRatioWhereThePapersDidNotReachTheShare() {
    assertThat(needed("fast", 0.99)).isCloseTo(49.5, within(1e-9));
    assertThat(requirement("fast", 0.99).relativeToUserCentric()).isEmpty();
    assertThat(requirement("fast", 0.5).relativeToUserCentric().getAsDouble())
        .isCloseTo(2.5, within(1e-9));
  }

  @Test
  void neverNeedsNothingAndRelatesToNothing() {
    assertThat(Requirement.of(result))
        .extracting(Requirement::policy)
        .containsOnly("user-centric", "slow", "fast");
    assertThat(Requirement.areRelated(result)).isTrue();
    assertThat(
            Requirement.areRelated(
                new ReplayResult(
                    Scoring.BM25,
                    100,
                    3,
                    List.of(
                        run("never", "", 0, 0.8),
                        run("user-centric", "estimate=multi-term", 10, 0.92)),
                    List.of(),
                    result.longevity(),
                    1)))
        .isFalse();
  }

  @Test
  void everyBudgetKeepsItsBestSettingsAndOfThoseThatReachTheSameTheFirst() {
    RunResult first = run("slow", "a=1", 10, 0.9);
    RunResult more = run("slow", "a=1", 20, 0.95);
    List<RunResult> runs =
        List.of(run("never", "", 0, 0.8), first, more, run("slow", "a=2", 10, 0.9));
    ReplayResult two =
        new ReplayResult(Scoring.BM25, 100, 3, runs, List.of(), result.longevity(), 1);
    assertThat(two.bestByPolicy().get("slow")).containsExactly(first, more);
  }

  private double needed(String policy, double share) {
    return requirement(policy, share).refreshesPerWeek().getAsDouble();
  }

  private Requirement requirement(String policy, double share) {
    return Requirement.of(result).stream()
        .filter(r -> r.policy().equals(policy) && r.gapClosed() == share)
        .findFirst()
        .orElseThrow();
  }

  private static RunResult run(String policy, String settings, int spent, double quality) {
    return new RunResult(
        policy,
        settings,
        Knowledge.HINDSIGHT,
        Budget.of(Integer.toString(spent)),
        1,
        new double[] {quality, quality},
        new double[2],
        new double[] {7, 7},
        new int[] {spent, spent},
        0,
        List.of());
  }
}
