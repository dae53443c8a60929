// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index and measurements that do not belong together, as a reader sees them. */
class BelongingTest {
  private Runnable beforeManifest = () -> {};
  @TempDir Path folder;

  @Test
  void whatBelongsTogetherIsNoTrouble() throws IOException {
    index("a", 2);
    assertThat(troubles("a", "a.delta")).isEmpty();
  }

  @Test
  void anIndexFromBeforeIsTold() throws IOException {
    index("a", 2);
    FolderCopy.make(folder.resolve("a"), folder.resolve("before"));
    index("a", 3);
    assertThat(troubles("before", "a.delta"))
        .singleElement()
        .asString()
        .startsWith("the index is older than the measurements in ")
        .endsWith(
            "it holds batch 2, they go on to batch 5; the next writer forgets what was measured since");
  }

  @Test
  void measurementsFromBeforeAreTold() throws IOException {
    index("a", 2);
    FolderCopy.make(folder.resolve("a.delta"), folder.resolve("before"));
    index("a", 3);
    assertThat(troubles("a", "before"))
        .singleElement()
        .asString()
        .startsWith("the index is newer than the measurements in ")
        .contains("it holds batch 5, they go on to batch 2");
  }

  @Test
  void measurementsOfAnotherIndexAreTold() throws IOException {
    index("a", 2);
    index("b", 2);
    assertThat(troubles("a", "b.delta"))
        .singleElement()
        .asString()
        .endsWith("b.delta holds measurements of another index");
  }

  @Test
  void aReaderThatComesBetweenCommitAndMeasurementsWaitsForThem() throws Exception {
    index("a", 2);
    FutureTask<Long> reading =
        new FutureTask<>(
            () -> {
              try (DeltaState state = DeltaState.open(folder.resolve("a"))) {
                assertThat(state.troubles()).isEmpty();
                return state.status().generation();
              }
            });
    Thread reader = new Thread(reading);
    beforeManifest =
        () -> {
          reader.start();
          while (reader.getState() != Thread.State.TIMED_WAITING && !reading.isDone()) {
            Thread.onSpinWait();
          }
          beforeManifest = () -> {};
        };
    index("a", 1);
    assertThat(reading.get()).isEqualTo(3);
  }

  private List<String> troubles(String index, String state) throws IOException {
    try (DeltaState opened = DeltaState.open(folder.resolve(index), folder.resolve(state))) {
      return opened.troubles();
    }
  }

  private void index(String name, int batches) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .faults(
                point -> {
                  if (point.equals(FaultPoints.BEFORE_MANIFEST)) {
                    beforeManifest.run();
                  }
                })
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(new SimpleAnalyzer()), config)) {
      for (int batch = 0; batch < batches; batch++) {
        Document page = new Document();
        page.add(new StringField("url", "page", Field.Store.YES));
        page.add(new TextField("body", "alpha", Field.Store.NO));
        writer.updateDocument(new Term("url", "page"), page);
        writer.commit();
      }
    }
    assertThat(Files.isDirectory(folder.resolve(name + ".delta"))).isTrue();
  }
}
