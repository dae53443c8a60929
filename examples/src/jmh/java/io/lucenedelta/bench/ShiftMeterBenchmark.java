// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.bench;

import io.lucenedelta.scorer.quality.PageShifts;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.quality.ShiftParts;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One score shift to its part of ΔQ_A: the fast meter beside the plain form.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=ShiftMeterBenchmark}
 *
 * <p>Result lengths are spread evenly in logarithm from 1 to 3,000, scores as BM25 spreads them; of
 * the shifts 70 % move a score by up to 20 %, 15 % enter, 15 % leave. A shift is either of any
 * query, or of any posting: pages that change meet queries in proportion to their results. {@code
 * reads} reaches the same rank functions in the same order without measuring any shift.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(2)
public class ShiftMeterBenchmark {
  private static final int SHIFTS = 1 << 14;
  private static final int SHIFTS_A_PAGE = 64;
  private static final int LN_LONGEST = 8;
  private static final int LONGEST = (int) Math.exp(LN_LONGEST);

  /** Queries of the workload. */
  @Param({"8000", "30000"})
  public int queries;

  /** Each of these is drawn as often as any other. */
  @Param({"query", "posting"})
  public String drawn;

  private RankTable table;
  private LogLogRankFunction[] kept; // by query
  private PassedPages plain;
  private ShiftMeter fast;
  private int[] query;
  private double[] before;
  private double[] after;
  private final ShiftParts parts = new ShiftParts();
  private PageShifts shifts;

  /** Makes a table and a stream of shifts. */
  @Setup
  public void prepare() {
    Random random = new Random(5);
    OnHeapRankTable.Builder builder = OnHeapRankTable.builder(queries);
    float[][] examples = new float[queries][];
    for (int q = 0; q < queries; q++) {
      float[] scores = new float[(int) Math.exp(random.nextDouble() * LN_LONGEST)];
      float best = 2 + 10 * random.nextFloat();
      for (int i = 0; i < scores.length; i++) {
        scores[i] = best * (float) Math.pow(random.nextDouble(), 0.3);
      }
      examples[q] = scores.clone();
      builder.put(q, KnotSample.of(scores, scores.length));
    }
    table = builder.build();
    kept = new LogLogRankFunction[queries];
    Arrays.setAll(kept, q -> LogLogRankFunction.of(table, q));
    plain = new PassedPages(PowerLawViews.PAPER);
    fast = plain.over(table);
    double[] once = new double[queries];
    Arrays.fill(once, 1);
    shifts = new PageShifts(once);
    query = new int[SHIFTS];
    before = new double[SHIFTS];
    after = new double[SHIFTS];
    for (int i = 0; i < SHIFTS; i++) {
      query[i] = draw(random, examples);
      float[] scores = examples[query[i]];
      before[i] = scores[random.nextInt(scores.length)];
      after[i] = (float) (before[i] * (0.8 + 0.4 * random.nextDouble()));
      switch (random.nextInt(20)) {
        case 0, 1, 2 -> before[i] = 0;
        case 3, 4, 5 -> after[i] = 0;
        default -> {}
      }
    }
  }

  private int draw(Random random, float[][] results) {
    int query = random.nextInt(queries);
    while (drawn.equals("posting") && random.nextInt(LONGEST + 1) >= results[query].length) {
      query = random.nextInt(queries);
    }
    return query;
  }

  /** The fast meter. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double fast() {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      sum += fast.change(query[i], before[i], after[i]);
    }
    return sum;
  }

  /** Together with what the page gets before and after, as measuring a page needs it. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double fastWithEntries() {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      sum += fast.change(query[i], before[i], after[i], parts);
      sum += parts.entryAfter() - parts.entryBefore();
    }
    return sum;
  }

  /** The same page by page, as the product does it: all rank functions are reached first. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double fastByPage() {
    double sum = 0;
    for (int page = 0; page < SHIFTS; page += SHIFTS_A_PAGE) {
      for (int i = page; i < page + SHIFTS_A_PAGE; i++) {
        sum += fast.prefetch(query[i]);
      }
      for (int i = page; i < page + SHIFTS_A_PAGE; i++) {
        sum += fast.change(query[i], before[i], after[i], parts);
        sum += parts.entryAfter() - parts.entryBefore();
      }
    }
    return sum;
  }

  /** As the product does it: those far down roughly, of the others all are reached first. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double asMeasured() {
    double sum = 0;
    for (int page = 0; page < SHIFTS; page += SHIFTS_A_PAGE) {
      shifts.clear();
      for (int i = page; i < page + SHIFTS_A_PAGE; i++) {
        shifts.add(query[i], before[i], after[i]);
      }
      fast.measureDistant(shifts);
      for (int i = 0; i < shifts.nearCount(); i++) {
        sum += fast.prefetch(shifts.query(shifts.near(i)));
      }
      for (int i = 0; i < shifts.nearCount(); i++) {
        int shift = shifts.near(i);
        double change =
            fast.change(shifts.query(shift), shifts.before(shift), shifts.after(shift), parts);
        shifts.measured(shift, change, parts.entryBefore(), parts.entryAfter());
      }
      sum += shifts.sum() + shifts.entriesAfter() - shifts.entriesBefore();
    }
    return sum;
  }

  /** The plain form, which makes a rank function a shift. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double plain() {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      sum += plain.effect(LogLogRankFunction.of(table, query[i]), before[i], after[i]).total();
    }
    return sum;
  }

  /** The plain form with the rank function of each query kept: it does nothing but measure. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double plainKept() {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      sum += plain.effect(kept[query[i]], before[i], after[i]).total();
    }
    return sum;
  }

  /** The meter reads a word of the rank function of each query, and measures nothing. */
  @Benchmark
  @OperationsPerInvocation(SHIFTS)
  public double reads() {
    double sum = 0;
    for (int i = 0; i < SHIFTS; i++) {
      sum += fast.prefetch(query[i]) * (after[i] - before[i]);
    }
    return sum;
  }
}
