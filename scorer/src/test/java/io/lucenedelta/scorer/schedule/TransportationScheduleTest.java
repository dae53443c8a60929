// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.junit.jupiter.api.Test;

class TransportationScheduleTest {
  @Test
  void noAssignmentIsCheaperThanTheOneFound() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      int periods = 2 + random.nextInt(3);
      int capacity = 1 + random.nextInt(3);
      int tasks = 1 + random.nextInt(Math.min(7, periods * capacity));
      double[][] cost = new double[tasks][periods];
      for (double[] row : cost) {
        for (int period = 0; period < periods; period++) {
          row[period] = random.nextInt(3) == 0 ? random.nextInt(4) : random.nextDouble() * 4;
        }
      }
      int[] found = TransportationSchedule.of(tasks, periods, capacity, (t, p) -> cost[t][p]);
      int[] used = new int[periods];
      double total = 0;
      for (int task = 0; task < tasks; task++) {
        used[found[task]]++;
        total += cost[task][found[task]];
      }
      assertThat(Arrays.stream(used).max().orElse(0))
          .as("seed %s", seed)
          .isLessThanOrEqualTo(capacity);
      assertThat(total)
          .as("seed %s, round %s", seed, round)
          .isCloseTo(cheapest(cost, 0, new int[periods], capacity), within(1e-9));
    }
  }

  @Test
  void largeCostsAreScheduledAsSmallOnesAre() {
    Random random = new Random(5);
    int tasks = 400;
    int periods = 20;
    double[] weight = new double[tasks];
    double[] ideal = new double[tasks];
    for (int task = 0; task < tasks; task++) {
      weight[task] = Math.exp(6 * random.nextGaussian());
      ideal[task] = periods * random.nextDouble();
    }
    double small = total(weight, ideal, 1e-6);
    assertThat(total(weight, ideal, 1e9) / 1e9)
        .isCloseTo(small / 1e-6, within(1e-9 * small / 1e-6));
  }

  /** The least cost when being early or late costs its square times a weight. */
  private static double total(double[] weight, double[] ideal, double scale) {
    TransportationSchedule.Cost cost =
        (task, period) -> scale * weight[task] * Math.pow(period - ideal[task], 2);
    int[] found = TransportationSchedule.of(weight.length, 20, weight.length / 20, cost);
    double total = 0;
    for (int task = 0; task < found.length; task++) {
      total += cost.of(task, found[task]);
    }
    return total;
  }

  /** Tries every assignment. */
  private static double cheapest(double[][] cost, int task, int[] used, int capacity) {
    if (task == cost.length) {
      return 0;
    }
    double best = Double.POSITIVE_INFINITY;
    for (int period = 0; period < used.length; period++) {
      if (used[period] < capacity) {
        used[period]++;
        best = Math.min(best, cost[task][period] + cheapest(cost, task + 1, used, capacity));
        used[period]--;
      }
    }
    return best;
  }

  /** Larger instances against the simplex method: transportation problems have whole optima. */
  @Test
  void theSimplexMethodFindsTheSameCost() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 10; round++) {
      int periods = 4 + random.nextInt(3);
      int capacity = 2 + random.nextInt(3);
      int tasks = periods * capacity - random.nextInt(4);
      double[][] cost = new double[tasks][];
      Arrays.setAll(cost, task -> random.doubles(periods, 0, 4).toArray());
      int[] found = TransportationSchedule.of(tasks, periods, capacity, (t, p) -> cost[t][p]);
      double total = 0;
      for (int task = 0; task < tasks; task++) {
        total += cost[task][found[task]];
      }
      assertThat(total)
          .as("seed %s, round %s", seed, round)
          .isCloseTo(bySimplex(cost, capacity), within(1e-6));
    }
  }

  private static double bySimplex(double[][] cost, int capacity) {
    int periods = cost[0].length;
    double[] all = new double[cost.length * periods];
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int task = 0; task < cost.length; task++) {
      System.arraycopy(cost[task], 0, all, task * periods, periods);
      double[] once = new double[all.length];
      Arrays.fill(once, task * periods, (task + 1) * periods, 1);
      constraints.add(new LinearConstraint(once, Relationship.EQ, 1));
    }
    for (int period = 0; period < periods; period++) {
      double[] used = new double[all.length];
      for (int task = 0; task < cost.length; task++) {
        used[task * periods + period] = 1;
      }
      constraints.add(new LinearConstraint(used, Relationship.LEQ, capacity));
    }
    return new SimplexSolver()
        .optimize(
            new LinearObjectiveFunction(all, 0),
            new LinearConstraintSet(constraints),
            GoalType.MINIMIZE,
            new NonNegativeConstraint(true))
        .getValue();
  }

  @Test
  void tasksThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransportationSchedule.of(7, 2, 3, (task, period) -> 0))
        .withMessage("7 tasks do not fit into 2 periods of 3");
  }

  @Test
  void nothingToDoIsNoProblem() {
    assertThat(TransportationSchedule.of(0, 5, 0, (task, period) -> 0)).isEmpty();
  }
}
