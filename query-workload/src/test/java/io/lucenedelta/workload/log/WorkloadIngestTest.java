// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.ClickCounts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WorkloadIngestTest {
  @TempDir private Path temporary;

  @Test
  void anIngestThatIsNeverClosedKeepsNoProgramFromEnding() throws Exception {
    ThreadGroup program = new ThreadGroup("a program");
    FutureTask<List<Thread>> reading = new FutureTask<>(() -> parsersAfterReading(program));
    new Thread(program, reading, "main").start();

    assertThat(reading.get()).isNotEmpty().allMatch(Thread::isDaemon);
  }

  @Test
  void whatAnErrorTellsAProgramToDoHelps() throws IOException {
    byte[] log = "1\tgarden pond\n3\tpond\n1\ttravel\n".getBytes(StandardCharsets.UTF_8);
    IngestSettings usual = IngestSettings.usual(temporary);
    LogFormats counts = LogFormats.usual().withColumns(List.of(Column.COUNT, Column.QUERY));
    assertThatThrownBy(() -> kept(usual, log))
        .hasMessageContaining("in a program LogFormats.withColumns")
        .hasMessageContaining("IngestSettings.withFormat");
    assertThat(kept(usual.withFormat(counts, ""), log)).isEqualTo(3);
    assertThat(kept(usual.withFormat(LogFormats.usual(), "trec"), log)).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anInterruptIsNoDamageOfTheLog(int threads) throws IOException {
    Path log = Files.writeString(temporary.resolve("log.csv"), "query,count\ngarden pond,2\n");
    try (WorkloadIngest ingest =
        new WorkloadIngest(IngestSettings.usual(temporary).withResources(threads, 1 << 20))) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> ingest.read(log))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("interrupted while reading a query log");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(ingest.sources()).isEmpty();

      ingest.read(log); // of which nothing was read
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(1);
    }
  }

  @Test
  void aLogOfWhichAPartWasReadIsNotReadAgain() throws IOException {
    Path full =
        Files.createFile(temporary.resolve("full")); // no folder for what the heap cannot hold
    Path log = temporary.resolve("log.csv");
    Files.writeString(
        log,
        IntStream.range(0, 50_000)
            .mapToObj(i -> "garden pond %d,1%n".formatted(i))
            .collect(Collectors.joining("", "query,count\n", "")));
    Path other = Files.writeString(temporary.resolve("other.csv"), "query,count\npond,2\n");
    try (WorkloadIngest ingest =
        new WorkloadIngest(IngestSettings.usual(full).withResources(1, 1 << 16))) {
      assertThatThrownBy(() -> ingest.read(log)).isInstanceOf(IOException.class);
      long kept = ingest.tally().of(Fate.KEPT);
      assertThat(kept).isBetween(1L, 49_999L);
      Files.delete(full); // so that it can be made
      assertThatThrownBy(() -> ingest.read(log))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("log.csv")
          .hasMessageEndingWith("read all logs by a new ingest");
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(kept);
      ingest.read(other);
      assertThat(ingest.tally().of(Fate.KEPT)).isEqualTo(kept + 1);
    }
  }

  @Test
  void whatWasToldDoesNotChangeWhenMoreIsReadAndNobodyChangesWhatIsTold() throws IOException {
    String log =
        """
        AnonID\tQuery\tQueryTime\tItemRank\tClickURL
        1\tgarden pond\t2006-03-01 07:17:12\t1\thttp://example.org
        2\ttravel\tno time\t\t
        3\tcaf\u00e9\t2006-03-01 07:17:12\t2\thttp://example.org
        """;
    byte[] western = log.getBytes(StandardCharsets.ISO_8859_1);
    try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
      ingest.read("first", new ByteArrayInputStream(western));
      ParseTally tally = ingest.tally();
      ClickCounts clicks = ingest.clicks();
      String told = tally.toString();
      List<String> samples = tally.samples(Fate.BAD_TIME);
      assertThat(tally.readAsWestern()).isEqualTo(1);
      assertThat(samples).hasSize(1);

      ingest.read("again", new ByteArrayInputStream(western));
      Path twice = Files.write(temporary.resolve("twice"), western);
      ingest.read(twice);
      ingest.read(twice);
      assertThat(tally).hasToString(told);
      assertThat(tally.samples(Fate.BAD_TIME)).isEqualTo(samples);
      assertThat(tally.damages()).isEmpty();
      assertThat(clicks.total()).isEqualTo(2);

      clicks.add(9, 1_000);
      assertThat(ingest.clicks().at(9)).isZero();
      assertThat(ingest.clicks().at(2)).isEqualTo(3);
      assertThat(ingest.clicks().total()).isEqualTo(6);
      assertThat(ingest.tally().read()).isEqualTo(3 * tally.read());
      assertThat(ingest.tally().damages()).hasSize(1);
    }
  }

  @Test
  void sessionsAreKnownFromTheFirstLineThatHasBothOneAndATimeAndNoRobotsBefore()
      throws IOException {
    IngestSettings settings =
        IngestSettings.usual(temporary).withSessions(Duration.ofMinutes(30), 100, true);
    String time = "2024-01-01T00:00:00Z";
    Path noTimes = log("times.tsv", "query\tsession\n" + "pond\tanna\n".repeat(200));
    Path noSessions =
        log("sessions.tsv", "query\ttimestamp\n" + ("pond\t" + time + "\n").repeat(200));
    Path both = log("both.tsv", "query\tsession\ttimestamp\npond\tanna\t" + time + "\n");
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      assertThat(ingest.knowsSessions()).isFalse();
      for (Path lacking : List.of(noTimes, noSessions)) {
        long before = ingest.tally().of(Fate.KEPT);
        ingest.read(lacking);
        assertThat(ingest.tally().of(Fate.KEPT)).as("%s", lacking).isEqualTo(before + 200);
        assertThat(ingest.robotSessions()).as("%s", lacking).isZero();
        assertThat(ingest.knowsSessions()).as("%s", lacking).isFalse();
      }
      ingest.read(both);
      assertThat(ingest.knowsSessions()).isTrue();
    }
  }

  private Path log(String name, String lines) throws IOException {
    return Files.writeString(temporary.resolve(name), lines);
  }

  private static long kept(IngestSettings settings, byte[] log) throws IOException {
    try (WorkloadIngest ingest = new WorkloadIngest(settings)) {
      ingest.read("log", new ByteArrayInputStream(log));
      return ingest.tally().of(Fate.KEPT);
    }
  }

  /** Run by a thread of the program, whose group is also that of the threads it starts. */
  @SuppressWarnings("resource") // which nobody closes
  private List<Thread> parsersAfterReading(ThreadGroup program) throws IOException {
    WorkloadIngest ingest =
        new WorkloadIngest(IngestSettings.usual(temporary).withResources(4, 1 << 20));
    byte[] log = "query,count\ngarden pond,5\n".getBytes(StandardCharsets.UTF_8);
    ingest.read("log", new ByteArrayInputStream(log));
    Thread[] threads = new Thread[10];
    program.enumerate(threads);
    return Arrays.stream(threads)
        .filter(Objects::nonNull)
        .filter(thread -> thread != Thread.currentThread())
        .toList();
  }
}
