// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.Trouble;
import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a plan promises of the work ahead. */
class OverheadPlanTest {
  private static final int NEVER = Integer.MAX_VALUE;

  @TempDir Path directory;

  @Test
  void whatWouldBeMeasuredTwiceOrFailLateIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(List.of(1.0, 2.0, 1.0), List.of(1), 1))
        .withMessage("--batches names 1.0 twice: name each once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(List.of(1.0), List.of(2, 2), 1))
        .withMessage("--threads names 2 twice: name each once");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(List.of(1.0), List.of(1), 10_001))
        .withMessage("--measuring-threads must be 1 to 10000, was 10001");
    Workload workload = Workload.builder().add(List.of("the"), 1).build();
    int most = plan(List.of(1.0), List.of(1), 10_000).measuringThreads();
    assertThatCode(() -> DeltaConfig.builder(workload).measuringThreads(most))
        .doesNotThrowAnyException();
  }

  private static OverheadPlan plan(List<Double> batches, List<Integer> threads, int measuring) {
    return new OverheadPlan(batches, 0, NEVER, threads, measuring, 1, 1, 0.65, 16);
  }

  @Test
  void asManyTurnsAreTakenAsAnnouncedAndOnlyTheFirstBatchWarmsUp() throws IOException {
    DemoCrawl demo = new DemoCrawl(50, 4, 10, 10, 1);
    demo.write(directory);
    SnapshotArchive crawl = SnapshotArchive.open(DemoCrawl.snapshots(directory));
    Workload workload = Workload.builder().add(List.of("the"), 1).build();
    OverheadPlan plan =
        new OverheadPlan(List.of(0.1, 1.6), 0, NEVER, List.of(1), 1, 3, 1, 0.65, 16);
    AtomicInteger turns = new AtomicInteger();
    List<List<OverheadRow>> told = new ArrayList<>();
    OverheadProbe probe = OverheadProbe.of(crawl, workload, plan, directory.resolve("work"));
    List<OverheadRow> rows = probe.run(turns::incrementAndGet, new DeltaListener() {}, told::add);
    assertThat(rows).hasSize(2).hasSize(plan.rows());
    assertThat(probe.notes()).as("all was measured").isEmpty();
    assertThat(told)
        .as("the last as well: alternatives that come next may be broken off")
        .containsExactly(rows.subList(0, 1), rows);
    assertThat(turns)
        .as("a large batch takes four turns, a small one one")
        .hasValue((int) probe.turns())
        .hasValue((1 + 3 + 1) + 4 * (1 + 1 + 1));
  }

  /** They would seem to cost little. */
  @Test
  void batchesThatCouldNotBeMeasuredAreToldAtOnceAndOfTheRow() throws IOException {
    new DemoCrawl(50, 4, 10, 10, 1).write(directory);
    SnapshotArchive crawl = SnapshotArchive.open(DemoCrawl.snapshots(directory));
    Workload workload = Workload.builder().add(List.of("the"), 1).build();
    OverheadPlan plan = plan(List.of(0.1), List.of(1), 1);
    OverheadProbe probe = OverheadProbe.of(crawl, workload, plan, directory.resolve("work"));
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    DeltaListener listener =
        new DeltaListener() {
          @Override
          public void trouble(Trouble kind, String sentence, Throwable cause) {
            heard.add(kind + ": " + sentence);
          }
        };
    Path inTheWay = directory.resolve("work/measured.delta/batch_2");
    AtomicInteger turns = new AtomicInteger();
    probe.run(() -> stand(inTheWay, turns.incrementAndGet() == 1), listener, rows -> {});
    assertThat(heard).anyMatch(told -> told.startsWith("LOST: "));
    assertThat(probe.notes())
        .singleElement()
        .asString()
        .startsWith("1 of the batches could not be measured whole")
        .contains("batch_2");
  }

  private static void stand(Path folder, boolean inTheWay) {
    try {
      if (inTheWay) {
        Files.createDirectories(folder.resolve("not empty"));
      } else {
        Files.deleteIfExists(folder.resolve("not empty"));
        Files.deleteIfExists(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
