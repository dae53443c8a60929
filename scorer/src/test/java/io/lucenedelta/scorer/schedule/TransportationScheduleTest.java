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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @ParameterizedTest
  @CsvSource({"400,20,2.6", "60,6,7"})
  void costsMayDifferByAnyOrdersOfMagnitude(int tasks, int periods, double orders) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      double[] weight = new double[tasks];
      double[] ideal = new double[tasks];
      for (int task = 0; task < tasks; task++) {
        weight[task] = Math.pow(10, orders * random.nextGaussian());
        ideal[task] = periods * random.nextDouble();
      }
      TransportationSchedule.Cost cost =
          (task, period) -> weight[task] * Math.pow(period - ideal[task], 2);
      int capacity = tasks / periods;
      int[] found = TransportationSchedule.of(tasks, periods, capacity, cost);
      int[] used = new int[periods];
      double total = 0;
      for (int task = 0; task < tasks; task++) {
        used[found[task]]++;
        total += cost.of(task, found[task]);
      }
      assertThat(used).as("seed %s, round %s", seed, round).containsOnly(capacity);
      assertThat(bestSwap(found, cost))
          .as("seed %s, round %s", seed, round)
          .isGreaterThan(-1e-9 * total);
    }
  }

  /** By how much the best exchange of two tasks changes the cost. */
  private static double bestSwap(int[] found, TransportationSchedule.Cost cost) {
    double best = 0;
    for (int a = 0; a < found.length; a++) {
      for (int b = 0; b < a; b++) {
        double now = cost.of(a, found[a]) + cost.of(b, found[b]);
        best = Math.min(best, cost.of(a, found[b]) + cost.of(b, found[a]) - now);
      }
    }
    return best;
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

  /**
   * Some periods are far cheaper than others, so that tasks come and go and queues of moves are
   * swept on the way. Where all periods are full, an assignment is the cheapest if no cycle of
   * moves from period to period lowers its cost.
   */
  @Test
  void noCycleOfMovesIsAGainHoweverOftenTasksWereMoved() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int periods = 10;
    int tasks = 400;
    for (int round = 0; round < 10; round++) {
      double[][] cost = new double[tasks][periods];
      for (double[] row : cost) {
        Arrays.setAll(row, period -> random.nextDouble() * Math.pow(1 + period, 3));
      }
      int[] found =
          TransportationSchedule.of(tasks, periods, tasks / periods, (t, p) -> cost[t][p]);
      double[][] least = new double[periods][periods]; // of all chains between two periods
      for (double[] row : least) {
        Arrays.fill(row, Double.POSITIVE_INFINITY);
      }
      for (int task = 0; task < tasks; task++) {
        double[] from = least[found[task]];
        for (int to = 0; to < periods; to++) {
          from[to] = Math.min(from[to], cost[task][to] - cost[task][found[task]]);
        }
      }
      for (int over = 0; over < periods; over++) {
        for (double[] from : least) {
          for (int to = 0; to < periods; to++) {
            from[to] = Math.min(from[to], from[over] + least[over][to]);
          }
        }
      }
      for (int period = 0; period < periods; period++) {
        assertThat(least[period][period])
            .as("seed %s, round %s, period %s", seed, round, period)
            .isCloseTo(0, within(1e-9));
      }
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
  void noMoreMovesAreKeptThanTwiceThoseThatCount() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int periods = 30;
    int tasks = 3000;
    double[] weight = random.doubles(tasks).map(x -> Math.pow(10, 4 * x - 2)).toArray();
    // all want the middle and are moved many times
    TransportationSchedule schedule =
        TransportationSchedule.solved(
            tasks, periods, tasks / periods, (t, p) -> weight[t] * Math.pow(p - 15, 2));
    assertThat(schedule.entries())
        .as("seed %s", seed)
        .isGreaterThanOrEqualTo(tasks * (periods - 1L))
        .isLessThanOrEqualTo(2L * tasks * periods + 16L * periods * periods);
  }

  @Test
  void tasksThatDoNotFitAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TransportationSchedule.of(7, 2, 3, (task, period) -> 0))
        .withMessage("7 tasks do not fit into 2 periods of 3");
  }

  @Test
  void tiesGoToTheTaskAndThePeriodOfTheLowerNumber() {
    assertThat(TransportationSchedule.of(3, 4, 1, (task, period) -> 0)).containsExactly(0, 1, 2);
    // of two that are in the first period, one has to leave it for a third
    assertThat(
            TransportationSchedule.of(
                3, 2, 2, (task, period) -> period == 0 ? 0 : task < 2 ? 1 : 9))
        .containsExactly(1, 0, 0);
  }

  @Test
  void nothingToDoIsNoProblem() {
    assertThat(TransportationSchedule.of(0, 5, 0, (task, period) -> 0)).isEmpty();
  }
}
