// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.bench;

import io.lucenedelta.scorer.rank.KnotSample;
import java.util.Arrays;
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
 * F_q from the scores of a complete result, beside sorting it. Divide by {@code results}
 * for the cost a posting; copying the scores, which both need, is measured alone.
 *
 * <p>Results come in turn out of a ring of up to some thousand: the same one each time would have
 * the processor learn which way each branch goes.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=KnotSampleBenchmark}
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class KnotSampleBenchmark {
  /** Length of the result. */
  @Param({"10", "1000", "100000"})
  public int results;

  private static final int MOST_IN_RING = 1 << 12;

  /** 16 MB, since what comes from memory is waited for. */
  private static final int MOST_SCORES = 1 << 22;

  private float[][] ring; // as many as a power of two
  private int next;
  private float[] buffer;

  /** Makes results of random scores. */
  @Setup
  public void prepare() {
    Random random = new Random(5);
    ring = new float[Integer.highestOneBit(Math.min(MOST_IN_RING, MOST_SCORES / results))][results];
    for (float[] scores : ring) {
      for (int i = 0; i < results; i++) {
        scores[i] = 10 * (float) Math.pow(random.nextDouble(), 0.3);
      }
    }
    buffer = new float[results];
  }

  /** Copying alone. */
  @Benchmark
  public float[] copy() {
    System.arraycopy(ring[next++ & ring.length - 1], 0, buffer, 0, results);
    return buffer;
  }

  /** By selection. */
  @Benchmark
  public KnotSample selection() {
    copy();
    return KnotSample.of(buffer, results);
  }

  /** Sorting, before anything is read from the sorted scores. */
  @Benchmark
  public float[] sorting() {
    copy();
    Arrays.sort(buffer);
    return buffer;
  }
}
