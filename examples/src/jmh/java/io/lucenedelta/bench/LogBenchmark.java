// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.bench;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.LogFormat;
import io.lucenedelta.workload.log.LogFormats;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A line of a query log, parsed, and all the way into a workload; time a line.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=LogBenchmark}
 *
 * <p>The log: 50,000 events of 10,000 different queries of one to four words, frequencies falling
 * as 1 / (rank + 20). {@code split} is what one would write first: split the line, count texts in a
 * map; it tells no sessions, robots, repeated views or damaged lines apart.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(1)
public class LogBenchmark {
  private static final int LINES = 50_000;
  private static final int QUERIES = 10_000;

  private final List<String> lines = new ArrayList<>();
  private byte[] log;
  private LogFormat format;
  private Path directory;

  /** Makes the log. */
  @Setup
  public void prepare() throws IOException {
    Random random = new Random(5);
    List<String> queries = new ArrayList<>();
    for (int query = 0; query < QUERIES; query++) {
      List<String> words = new ArrayList<>();
      for (int word = 0; word <= random.nextInt(4); word++) {
        words.add("word" + (int) Math.exp(random.nextDouble() * 9));
      }
      queries.add(String.join(" ", words));
    }
    for (int line = 0; line < LINES; line++) {
      int rank = (int) (20 * Math.exp(random.nextDouble() * Math.log(1 + QUERIES / 20.0)) - 20);
      lines.add(
          String.format(
              Locale.ROOT,
              "2024-01-%02dT%02d:%02d:00Z\ts%d\t%s\t0",
              1 + random.nextInt(28),
              random.nextInt(24),
              random.nextInt(60),
              random.nextInt(LINES / 3),
              queries.get(Math.min(QUERIES - 1, rank))));
    }
    log = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
    format = LogFormats.usual().recognise(lines.subList(0, 50)).orElseThrow();
    directory = Files.createTempDirectory("log-benchmark");
  }

  /** Removes the directory for temporary files. */
  @TearDown
  public void remove() throws IOException {
    Files.delete(directory);
  }

  /** A line parsed. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public void parse(Blackhole hole) {
    for (String line : lines) {
      hole.consume(format.read(line));
    }
  }

  /** A line split. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public void parseBySplit(Blackhole hole) {
    for (String line : lines) {
      hole.consume(line.split("\t", -1));
    }
  }

  /** From the bytes of a log to a workload, by one thread. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public Workload build() throws IOException {
    IngestSettings usual = IngestSettings.usual(directory);
    try (WorkloadIngest ingest =
        new WorkloadIngest(usual.withResources(1, usual.heapBytes()))) {
      ingest.read("log", new ByteArrayInputStream(log));
      return ingest.workload(LogBenchmark::words).workload();
    }
  }

  /** The same bytes split and counted in a map. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public Workload buildBySplit() {
    Map<String, Integer> counts = new HashMap<>();
    new String(log, StandardCharsets.UTF_8)
        .lines()
        .forEach(line -> counts.merge(line.split("\t", -1)[2], 1, Integer::sum));
    WorkloadBuilder builder = Workload.builder();
    counts.forEach((text, count) -> builder.add(words(text), count));
    return builder.build();
  }

  private static List<String> words(String text) {
    return List.of(text.split(" "));
  }
}
