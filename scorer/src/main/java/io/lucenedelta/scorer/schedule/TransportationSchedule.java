// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import java.util.Arrays;
import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Puts tasks into periods of limited capacity at the least total cost: the transportation problem
 * to which Wolf and others (2002) reduce scheduling under a hard budget.
 *
 * <p>Exact, by successive shortest paths: tasks enter one by one, each along the cheapest chain of
 * moves that ends in a period with room. The chain runs over periods alone, since between two
 * periods only the cheapest move counts, which a heap a pair of periods keeps at hand. Cost: for n
 * tasks and S periods about n·S·(S + log n) steps and at most 2·n·S + 16·S² entries of some 32
 * bytes. Ties go to the task or period of the lower number.
 */
final class TransportationSchedule {
  /** The cost of doing a task in a period. */
  interface Cost {
    double of(int task, int period);
  }

  private record Move(double cost, int task) implements Comparable<Move> {
    @Override
    public int compareTo(Move other) {
      int byCost = Double.compare(cost, other.cost);
      return byCost != 0 ? byCost : Integer.compare(task, other.task);
    }
  }

  /** Entries a queue may have beside twice those that count before it is swept. */
  private static final int SLACK = 15;

  private final Cost cost;
  private final int periods;
  private final int capacity;
  private final int[] room;
  private final int[] periodOf; // the periods of the tasks placed so far
  private final PriorityQueue<Move>[][] moves; // from × to, stale entries dropped when met or swept

  private TransportationSchedule(int tasks, int periods, int capacity, Cost cost) {
    this.cost = cost;
    this.periods = periods;
    this.capacity = capacity;
    this.room = new int[periods];
    Arrays.fill(room, capacity);
    this.periodOf = new int[tasks];
    this.moves = queues(periods);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of a generic type
  private static PriorityQueue<Move>[][] queues(int periods) {
    PriorityQueue<Move>[][] queues = new PriorityQueue[periods][periods];
    for (PriorityQueue<Move>[] row : queues) {
      Arrays.setAll(row, to -> new PriorityQueue<>());
    }
    return queues;
  }

  /**
   * The period of every task.
   *
   * @param tasks number of tasks
   * @param periods number of periods
   * @param capacity tasks a period can hold
   * @param cost finite
   * @throws IllegalArgumentException if the tasks do not fit
   */
  static int[] of(int tasks, int periods, int capacity, Cost cost) {
    return solved(tasks, periods, capacity, cost).periodOf;
  }

  /** As {@link #of}, with what was kept on the way. */
  static TransportationSchedule solved(int tasks, int periods, int capacity, Cost cost) {
    if (tasks > (long) periods * capacity) {
      throw new IllegalArgumentException(
          tasks + " tasks do not fit into " + periods + " periods of " + capacity);
    }
    TransportationSchedule schedule = new TransportationSchedule(tasks, periods, capacity, cost);
    for (int task = 0; task < tasks; task++) {
      schedule.insert(task);
    }
    return schedule;
  }

  private void insert(int task) {
    double[] distance = new double[periods];
    int[] from = new int[periods];
    int cheapest = 0;
    for (int period = 0; period < periods; period++) {
      distance[period] = cost.of(task, period);
      from[period] = -1;
      cheapest = distance[period] < distance[cheapest] ? period : cheapest;
    }
    if (room[cheapest] == 0) {
      relax(distance, from);
    }
    int end = -1;
    for (int period = 0; period < periods; period++) {
      if (room[period] > 0 && (end < 0 || distance[period] < distance[end])) {
        end = period;
      }
    }
    room[end]--;
    int to = end;
    while (from[to] >= 0) {
      Move move = best(from[to], to);
      place(move.task, to);
      to = from[to];
    }
    place(task, to);
  }

  /**
   * Bellman and Ford over the periods; moves out of periods with room never help. What rounding
   * feigns can look like a gain by going in a circle, whatever is asked of a gain: costs may differ
   * by more orders of magnitude than a number has digits. So no chain is led back to itself.
   */
  private void relax(double[] distance, int[] from) {
    boolean shorter = true;
    for (int pass = 0; shorter && pass < periods; pass++) {
      shorter = false;
      for (int full = 0; full < periods; full++) {
        for (int to = 0; room[full] == 0 && to < periods; to++) {
          Move move = best(full, to);
          if (move != null
              && distance[full] + move.cost < distance[to]
              && !isOnChain(to, full, from)) {
            distance[to] = distance[full] + move.cost;
            from[to] = full;
            shorter = true;
          }
        }
      }
    }
  }

  /** Whether the chain that ends in a period goes through another. */
  private static boolean isOnChain(int period, int end, int[] from) {
    int at = end;
    while (at >= 0 && at != period) {
      at = from[at];
    }
    return at == period;
  }

  private Move best(int from, int to) {
    PriorityQueue<Move> queue = moves[from][to];
    while (!queue.isEmpty() && periodOf[queue.element().task] != from) {
      queue.remove();
    }
    return queue.peek();
  }

  private void place(int task, int period) {
    periodOf[task] = period;
    double here = cost.of(task, period);
    for (int other = 0; other < periods; other++) {
      if (other != period) {
        PriorityQueue<Move> queue = moves[period][other];
        queue.add(new Move(cost.of(task, other) - here, task));
        if (queue.size() > 2 * (capacity - room[period]) + SLACK) {
          sweep(queue, period);
        }
      }
    }
  }

  /** Leaves one move of each task that is in a period; one that came back may have several. */
  private void sweep(PriorityQueue<Move> queue, int period) {
    Set<Integer> seen = new HashSet<>();
    queue.removeIf(move -> periodOf[move.task] != period || !seen.add(move.task));
  }

  // What follows is for tests.

  /** Number of moves that are kept, stale ones among them. */
  long entries() {
    return Arrays.stream(moves).flatMap(Arrays::stream).mapToLong(PriorityQueue::size).sum();
  }
}
