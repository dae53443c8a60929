// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How many refreshes a week a strategy needs to close a share of the gap between never refreshing
 * and a synchronised repository.
 *
 * @param policy the strategy, at its best settings for each budget
 * @param gapClosed the share, from 0 to 1
 * @param refreshesPerWeek interpolated between budgets, below the smallest one from nothing: then
 *     an upper bound where quality is concave in the budget, as it is for most strategies; empty
 *     when the share was not reached
 * @param relativeToUserCentric the ratio to what {@code user-centric} as in the 2005 paper needs,
 *     whatever other settings of it were tried; empty when either was not reached, or that was not
 *     replayed
 */
public record Requirement(
    String policy,
    double gapClosed,
    OptionalDouble refreshesPerWeek,
    OptionalDouble relativeToUserCentric) {
  private static final List<Double> SHARES = List.of(0.5, 0.8, 0.9, 0.95, 0.99);

  /** The requirements of every strategy of a replay but {@code never}. */
  public static List<Requirement> of(ReplayResult result) {
    Map<String, List<RunResult>> best = result.bestByPolicy();
    List<RunResult> paper = asInThePaper(result);
    List<Requirement> requirements = new ArrayList<>();
    best.forEach(
        (policy, runs) -> {
          if (!policy.equals(Strategies.NEVER)) {
            for (double share : SHARES) {
              OptionalDouble own = needed(result, runs, share);
              OptionalDouble reference = needed(result, paper, share);
              OptionalDouble ratio =
                  own.isPresent() && reference.isPresent()
                      ? OptionalDouble.of(own.getAsDouble() / reference.getAsDouble())
                      : OptionalDouble.empty();
              requirements.add(new Requirement(policy, share, own, ratio));
            }
          }
        });
    return requirements;
  }

  /** Whether there is anything to relate requirements to. */
  public static boolean areRelated(ReplayResult result) {
    return !asInThePaper(result).isEmpty();
  }

  private static List<RunResult> asInThePaper(ReplayResult result) {
    return result.runs().stream()
        .filter(run -> run.policy().equals("user-centric") && run.settings().isEmpty())
        .toList();
  }

  /**
   * Linear between budgets in order of refreshes spent, from (0 refreshes, 0 closed); the first
   * crossing counts.
   */
  private static OptionalDouble needed(ReplayResult result, List<RunResult> runs, double share) {
    double refreshes = 0;
    double closed = 0;
    List<RunResult> ascending = new ArrayList<>(runs);
    ascending.sort(Comparator.comparingDouble(RunResult::refreshesPerWeek));
    for (RunResult run : ascending) {
      double nextClosed = result.gapClosed(run);
      if (nextClosed >= share) {
        double part = (share - closed) / (nextClosed - closed); // the one before closed less
        return OptionalDouble.of(refreshes + part * (run.refreshesPerWeek() - refreshes));
      }
      refreshes = run.refreshesPerWeek();
      closed = nextClosed;
    }
    return OptionalDouble.empty();
  }
}
