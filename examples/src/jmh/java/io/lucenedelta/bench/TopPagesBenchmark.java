// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.bench;

import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.TopPages;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The best B of ten million priorities; time for all of them.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=TopPagesBenchmark}
 *
 * <p>{@code heap} is the obvious version: it keeps the best B, the least of them on top. {@code
 * sorting} sorts the bare numbers, all of them, and does not even know which page each belongs to.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@Warmup(iterations = 2)
@Measurement(iterations = 5)
@Fork(1)
public class TopPagesBenchmark {
  private static final int PAGES = 10_000_000;

  /** B. */
  @Param({"1000", "100000"})
  public int budget;

  private final String[] page = new String[1 << 16];
  private double[] priority;

  /** Makes priorities that spread as ΔQ does: most tiny, few large. */
  @Setup
  public void prepare() {
    Random random = new Random(5);
    Arrays.setAll(page, i -> "https://www.example.org/section/page-" + i);
    priority = new double[PAGES];
    Arrays.setAll(priority, i -> Math.exp(3 * random.nextGaussian()));
  }

  /** One pass in bounded memory. */
  @Benchmark
  public List<RefreshCandidate> onePass() {
    TopPages best = new TopPages(budget, 1);
    for (int i = 0; i < PAGES; i++) {
      best.offer(page[i & page.length - 1], priority[i]);
    }
    return best.bestFirst();
  }

  /** The best so far in a heap of bounded size, sorted in the end. */
  @Benchmark
  public List<RefreshCandidate> heap() {
    Comparator<RefreshCandidate> byPriority =
        Comparator.comparingDouble(RefreshCandidate::priority);
    PriorityQueue<RefreshCandidate> best = new PriorityQueue<>(budget, byPriority);
    for (int i = 0; i < PAGES; i++) {
      if (best.size() == budget) {
        if (priority[i] <= best.peek().priority()) {
          continue;
        }
        best.poll();
      }
      best.add(new RefreshCandidate(page[i & page.length - 1], priority[i]));
    }
    return best.stream().sorted(byPriority.reversed()).toList();
  }

  /** Sorting all numbers. */
  @Benchmark
  public double[] sorting() {
    double[] sorted = priority.clone();
    Arrays.sort(sorted);
    return Arrays.copyOfRange(sorted, PAGES - budget, PAGES);
  }
}
