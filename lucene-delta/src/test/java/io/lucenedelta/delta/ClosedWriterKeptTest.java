// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A reader refers to the writer that it was opened on, and may live much longer. */
@Timeout(60)
class ClosedWriterKeptTest {
  private static final Duration LEASE = Duration.ofDays(1);

  private Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private final List<String> troubles = new ArrayList<>();
  private final Directory index = new ByteBuffersDirectory();
  @TempDir Path folder;

  @Test
  void aReaderKeepsNothingOfTheMeasurementsOfItsClosedWriter() throws Exception {
    Map<String, WeakReference<?>> kept = new LinkedHashMap<>();
    try (DirectoryReader reader = readerOfAClosedWriter(kept)) {
      assertThat(reader.numDocs()).isEqualTo(2);
      for (Map.Entry<String, WeakReference<?>> each : kept.entrySet()) {
        for (int look = 0; look < 100 && each.getValue().get() != null; look++) {
          System.gc();
          Thread.sleep(10);
        }
        assertThat(each.getValue().get()).as(each.getKey()).isNull();
      }
      assertThat(reader.getIndexCommit()).as("the reader is of the writer still").isNotNull();
    }
    assertThat(troubles).isEmpty();
  }

  private DirectoryReader readerOfAClosedWriter(Map<String, WeakReference<?>> kept)
      throws IOException {
    try (DeltaIndexWriter writer = open()) {
      measureTwoBatches(writer);
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.take(1)).hasSize(1);
      List<PagePriority> best = writer.nextPages(1);
      assertThat(best).hasSize(1);
      kept.put("the order", new WeakReference<>(best.get(0).page()));
      kept.put("rank functions", new WeakReference<>(writer.measurer().ranks()));
      kept.put("all that is measured", new WeakReference<>(writer.measurer()));
      kept.put("the queue", new WeakReference<>(queue));
      return DirectoryReader.open(writer);
    }
  }

  @Test
  void aClosedWriterThatHasLetGoSaysThatItIsClosed() throws Exception {
    DeltaIndexWriter writer = open();
    measureTwoBatches(writer);
    assertThat(writer.fetchQueue(LEASE).take(1)).hasSize(1);
    writer.close();
    for (ThrowingCallable question :
        List.<ThrowingCallable>of(
            () -> writer.nextPages(1),
            () -> writer.nextPages(new UserUtility(0), 1, now),
            () -> writer.fetchQueue(LEASE),
            () -> writer.withHistories(histories -> {}),
            () -> writer.explain("a"),
            () -> writer.recordUnchanged("a", now),
            () -> writer.rebuild(),
            () -> writer.status())) {
      assertThatThrownBy(question).isInstanceOf(AlreadyClosedException.class);
    }
    writer.close();
    writer.rollback();
    assertThat(troubles).isEmpty();
  }

  private void measureTwoBatches(DeltaIndexWriter writer) throws IOException {
    for (int batch = 0; batch < 2; batch++) {
      now = now.plus(Duration.ofDays(1));
      for (String page : List.of("a", "b")) {
        Document document = new Document();
        document.add(new StringField("url", page, Field.Store.NO));
        document.add(new TextField("body", "alpha " + "beta ".repeat(batch), Field.Store.NO));
        writer.updateDocument(new Term("url", page), document);
      }
      writer.commit();
    }
    now = now.plus(Duration.ofDays(1));
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new SimpleAnalyzer()), config);
  }
}
