// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.workload.Workload;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.store.AlreadyClosedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WeekIndexingTest {
  @TempDir Path folder;

  @Test
  void aWeekThatCannotBeGivenUpFailsByWhatWasWrongWithIt() throws Exception {
    Path snapshot = Files.createDirectories(folder.resolve("crawl/2024-01-01"));
    Path page = Files.writeString(snapshot.resolve("a.html"), "<title>a</title>");
    SnapshotArchive archive = SnapshotArchive.open(folder.resolve("crawl"));
    Workload workload = Workload.builder().add(List.of("a"), 1).build();
    PrintWriter err = new PrintWriter(new StringWriter());
    try (Progress progress = Progress.start("indexing", 1, err);
        MeasuredIndex measured =
            MeasuredIndex.open(
                folder.resolve("index"),
                workload,
                new MeasuringOptions(),
                new DeltaListener() {})) {
      WeekIndexing weeks =
          new WeekIndexing(measured, archive, Silence.UNKNOWN, new SnapshotTally(), progress);
      Files.delete(page);
      Files.delete(snapshot);
      measured.writer().getDirectory().close(); // so that giving up fails, too
      Throwable failure = catchThrowable(() -> weeks.index(0, 0));
      assertThat(failure).hasMessageContaining("2024-01-01");
      assertThat(failure.getSuppressed())
          .singleElement()
          .isInstanceOf(AlreadyClosedException.class);
    }
  }
}
