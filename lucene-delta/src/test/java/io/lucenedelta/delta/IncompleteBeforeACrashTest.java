// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A batch is committed of which not all was measured, and its writer ends before the manifest can
 * say so.
 */
class IncompleteBeforeACrashTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private Predicate<String> full = file -> false; // of which files cannot be written
  private String failing = ""; // what a step of measuring is called that fails once
  @TempDir Path folder;

  private final class Full extends FilterDirectory {
    Full(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (full.test(name)) {
        throw new IOException("injected: no space left on device");
      }
      return in.createOutput(name, context);
    }
  }

  private DeltaIndexWriter open(String index) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .stateDirectory(Full::new)
            .faults(this::reached)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(
        FSDirectory.open(folder.resolve(index)),
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE),
        config);
  }

  private void reached(String point) {
    if (point.equals(failing)) {
      failing = "";
      throw new IllegalStateException("injected at " + point);
    }
  }

  private static void put(IndexWriter writer, String page, int week) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(week + 1) + page, Field.Store.NO));
    document.add(new StringField("fetched", START.plus(weeks(week)).toString(), Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private static Duration weeks(int weeks) {
    return Duration.ofDays(7L * weeks);
  }

  /** Two commits of the pages a and b. */
  private static void twoWeeks(DeltaIndexWriter writer) throws IOException {
    for (int week = 0; week < 2; week++) {
      put(writer, "a", week);
      put(writer, "b", week);
      writer.commit();
    }
  }

  private void kill() throws IOException {
    FolderCopy.make(folder.resolve("index"), folder.resolve("killed"));
    FolderCopy.make(folder.resolve("index.delta"), folder.resolve("killed.delta"));
  }

  private void killAfterAFlushIsNotCaptured() throws IOException {
    try (DeltaIndexWriter writer = open("index")) {
      twoWeeks(writer);
      put(writer, "a", 2);
      failing = FaultPoints.END_SEGMENT;
      writer.flush();
      put(writer, "b", 2);
      full = "pending_delta"::equals;
      writer.commit();
      kill();
      full = file -> false;
    }
  }

  private static List<Duration> intervals(DeltaIndexWriter writer, String page) throws IOException {
    return writer.explain(page).orElseThrow().refreshes().stream()
        .map(MeasuredRefresh::interval)
        .toList();
  }

  @Test
  void aFlushThatWasNotCapturedIsCountedThoughTheOthersOfItsBatchWereMeasured() throws IOException {
    killAfterAFlushIsNotCaptured();
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(intervals(writer, "b")).containsExactly(weeks(1), weeks(1), null);
      put(writer, "a", 3);
      writer.commit();
      assertThat(intervals(writer, "a")).containsExactly(weeks(1), weeks(1), null);
    }
  }

  private void killAfterABatchCouldNotBeMeasured() throws IOException {
    try (DeltaIndexWriter writer = open("index")) {
      twoWeeks(writer);
      put(writer, "a", 2);
      full = file -> file.equals("pending_delta") || file.equals("batch_3");
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isOne();
      put(writer, "b", 2);
      writer.commit();
      kill();
      full = file -> false;
    }
  }

  @Test
  void aBatchThatCouldNotBeMeasuredIsCountedThoughTheOneAfterItWas() throws IOException {
    killAfterABatchCouldNotBeMeasured();
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
      assertThat(intervals(writer, "b")).hasSize(3);
      put(writer, "a", 3);
      writer.commit();
      assertThat(intervals(writer, "a")).containsExactly(weeks(1), weeks(1), null);
    }
  }

  @Test
  void aFileThatIsGoneIsCountedBesideTheBatchesThatCouldNotBeMeasured() throws IOException {
    killAfterABatchCouldNotBeMeasured();
    Files.delete(folder.resolve("killed.delta/batch_1"));
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(3);
    }
  }

  private void replaceByAnotherWriter(String page) throws IOException {
    try (IndexWriter other =
        new IndexWriter(
            FSDirectory.open(folder.resolve("killed")),
            new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      put(other, page, 3);
    }
  }

  @Test
  void aRefreshWhoseDocumentAnotherWriterReplacedBeforeItWasSettledIsCounted() throws IOException {
    try (DeltaIndexWriter writer = open("index")) {
      twoWeeks(writer);
      put(writer, "a", 2);
      put(writer, "b", 2);
      full = "pending_delta"::equals;
      writer.commit();
      kill();
      full = file -> false;
    }
    replaceByAnotherWriter("a");
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.status().lastIncomplete()).contains("1 pages of batch 3 were replaced");
      assertThat(intervals(writer, "b")).containsExactly(weeks(1), weeks(1), null);
      put(writer, "a", 4);
      writer.commit();
      assertThat(intervals(writer, "a")).containsExactly(weeks(1), weeks(1), null);
      assertThat(writer.status().batchesIncomplete()).isOne();
    }
  }

  @Test
  void aBatchOfWhichSomethingIsLostInTwoWaysIsCountedOnce() throws IOException {
    killAfterAFlushIsNotCaptured();
    replaceByAnotherWriter("b");
    try (DeltaIndexWriter writer = open("killed")) {
      assertThat(writer.status().lastIncomplete()).contains("1 pages of batch 3 were replaced");
      assertThat(writer.status().batchesIncomplete()).isOne();
    }
  }
}
