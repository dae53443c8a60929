// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A commit cannot be settled before the next one, which fails in turn; then a question has the
 * pages read from the first.
 */
class UnsettledBeforeAFailedCommitTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private boolean unsettled; // the next batch to be settled is not
  private String busy = "none"; // the file of the state that cannot be opened
  private String unreadable = "none"; // the file of the index that cannot be
  private String unwritable = "none"; // the file of the state that cannot be
  private boolean full; // no file of the index can be made durable
  @TempDir Path folder;

  private DeltaIndexWriter open() throws IOException {
    return open("index");
  }

  private DeltaIndexWriter open(String index) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 2).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .faults(this::reached)
            .stateDirectory(Busy::new)
            .build();
    Directory directory = new Full(FSDirectory.open(folder.resolve(index)));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private void reached(String point) {
    if (unsettled && point.equals(FaultPoints.SETTLE)) {
      unsettled = false;
      throw new IllegalStateException("injected");
    }
  }

  private final class Busy extends FilterDirectory {
    Busy(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (name.equals(busy)) {
        throw new IOException("injected: too many open files");
      }
      return super.openInput(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.equals(unwritable)) {
        throw new IOException("injected: no space left on device");
      }
      return super.createOutput(name, context);
    }
  }

  private final class Full extends FilterDirectory {
    Full(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (name.equals(unreadable)) {
        throw new IOException("injected: too many open files");
      }
      return super.openInput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      if (full) {
        throw new IOException("injected: no space left on device");
      }
      super.sync(names);
    }
  }

  private void failToCommit(DeltaIndexWriter writer) {
    full = true;
    assertThatThrownBy(writer::commit).hasMessageContaining("injected: no space");
    full = false;
  }

  private static void put(DeltaIndexWriter writer, String page, int week) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(1 + 3 * week), Field.Store.NO));
    document.add(
        new StringField(
            "fetched", START.plus(Duration.ofDays(7L * week)).toString(), Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  @Test
  void noPageIsComparedWithItself() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      for (int week = 0; week < 2; week++) {
        for (int page = 0; page < 5; page++) {
          put(writer, "p" + page, week);
        }
        writer.commit();
      }
      put(writer, "p0", 2);
      unsettled = true;
      writer.commit();
      put(writer, "p1", 2);
      busy = "batch_3";
      failToCommit(writer);
      busy = "none";
      assertThat(writer.status().pages()).isEqualTo(5);
      assertThat(writer.status().lastIncomplete()).as("the next batch settles it").isEmpty();
      writer.commit();
      assertThat(refreshes(writer, "p0")).hasSize(3);
      assertThat(refreshes(writer, "p0").get(0).measured()).as("with what was there").isFalse();
      assertThat(refreshes(writer, "p1")).hasSize(3);
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.status().lastIncomplete())
          .contains("before batch 5 were settled by nobody");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void eachCommitThatWasNotSettledIsCountedThoughTheWriterIsClosedBeforeTheNext(boolean rebuilt)
      throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p0", 0);
      put(writer, "p1", 0);
      writer.commit();
      put(writer, "p0", 1);
      unsettled = true;
      writer.commit();
      put(writer, "p0", 2);
      busy = "batch_2";
      writer.commit();
      put(writer, "p1", 2);
      busy = "batch_3";
      failToCommit(writer);
      busy = "none";
      if (rebuilt) {
        writer.rebuild(); // once when it settles what it can, once more as it was asked to
      }
      writer.rollback();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
    }
  }

  /** No file tells of the first of them. */
  @Test
  void aCommitThatWasNotSettledIsCountedThoughTheWriterIsKilledAfterTheNext() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p0", 0);
      put(writer, "p1", 0);
      writer.commit();
      put(writer, "p0", 1);
      unwritable = "batch_2";
      writer.commit();
      put(writer, "p1", 1);
      unwritable = "batch_3";
      unreadable = "segments_2";
      failToCommit(writer);
      unreadable = "none";
      assertThat(writer.status().pages()).isEqualTo(2);
      unwritable = "pending_delta";
      writer.commit();
      FolderCopy.make(folder.resolve("index"), folder.resolve("killed"));
      FolderCopy.make(folder.resolve("index.delta"), folder.resolve("killed.delta"));
      unwritable = "none";
    }
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(refreshes(writer, "p1")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.status().lastIncomplete())
          .contains("before batch 4 were settled by nobody");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "batch_2"})
  void aVisitThatACommitWouldHaveRecordedIsRecordedByTheNextOne(String file) throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p0", 0);
      put(writer, "p1", 0);
      writer.commit();
      writer.recordUnchanged("p1", START.plus(Duration.ofDays(7)));
      put(writer, "p0", 1);
      unwritable = file;
      failToCommit(writer);
      writer.commit();
      assertThat(refreshes(writer, "p0")).hasSize(2);
      assertThat(refreshes(writer, "p1")).hasSize(2);
    }
  }

  private static List<MeasuredRefresh> refreshes(DeltaIndexWriter writer, String page)
      throws IOException {
    return writer.explain(page).orElseThrow().refreshes();
  }
}
