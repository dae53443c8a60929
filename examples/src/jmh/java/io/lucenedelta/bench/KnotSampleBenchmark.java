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

  private float[] scores;
  private float[] buffer;

  /** Makes a result of random scores. */
  @Setup
  public void prepare() {
    Random random = new Random(5);
    scores = new float[results];
    for (int i = 0; i < results; i++) {
      scores[i] = 10 * (float) Math.pow(random.nextDouble(), 0.3);
    }
    buffer = new float[results];
  }

  /** Copying alone. */
  @Benchmark
  public float[] copy() {
    System.arraycopy(scores, 0, buffer, 0, results);
    return buffer;
  }

  /** By selection. */
  @Benchmark
  public KnotSample selection() {
    System.arraycopy(scores, 0, buffer, 0, results);
    return KnotSample.of(buffer, results);
  }

  /** Sorting, before anything is read from the sorted scores. */
  @Benchmark
  public float[] sorting() {
    System.arraycopy(scores, 0, buffer, 0, results);
    Arrays.sort(buffer);
    return buffer;
  }
}
