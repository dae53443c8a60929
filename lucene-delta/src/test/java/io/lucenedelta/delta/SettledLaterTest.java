// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
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

/** What was measured of a batch that is settled by reading the index, when it cannot be read. */
class SettledLaterTest {
  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private String busy = "none"; // what the name of a file begins with that cannot be opened, once
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {StateFiles.BATCH, StateFiles.VISITS})
  void aFileThatCannotBeOpenedForAMomentIsReadTheNextTime(String file) throws IOException {
    try (DeltaIndexWriter writer = open()) {
      commitUnsettled(writer);
      busy = file;
      assertThat(writer.status().lastIncomplete())
          .contains("could not be settled yet")
          .contains("Too many open files");
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.explain("visited").orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void visitsInADamagedFileAreCountedAndTheFileIsKept() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      commitUnsettled(writer);
      flipMiddle("visits_3");
      assertThat(writer.status().lastIncomplete())
          .isEqualTo("visits of batch 3 that found nothing are lost: damaged");
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.explain("visited").orElseThrow().refreshes()).hasSize(2);
    }
    assertThat(folder.resolve("index.delta/damaged_visits_3")).exists();
    assertThat(troubles).hasSize(1).first().asString().contains("kept as damaged_visits_3");
  }

  @Test
  void visitsInADamagedFileAreCountedAlsoWhereTheFirstTryToSettleFails() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      commitUnsettled(writer);
      flipMiddle("visits_3");
      busy = StateFiles.REFRESHES;
      assertThat(writer.status().lastIncomplete()).contains("Too many open files");
      assertThat(folder.resolve("index.delta/damaged_visits_3")).exists();
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.status().lastIncomplete())
          .isEqualTo("visits of batch 3 that found nothing are lost: damaged");
      assertThat(writer.status().batchesIncomplete()).isOne();
    }
  }

  @Test
  void aDamagedBatchIsCountedAndTheFileIsKept() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      commitUnsettled(writer);
      flipMiddle("batch_3");
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
      assertThat(writer.explain("visited").orElseThrow().refreshes()).hasSize(3);
    }
    assertThat(folder.resolve("index.delta/damaged_batch_3")).exists();
  }

  /** Three batches, the last of which is settled by who asks next. */
  private void commitUnsettled(DeltaIndexWriter writer) throws IOException {
    for (int batch = 0; batch < 3; batch++) {
      put(writer, "p1", batch);
      if (batch < 2) {
        put(writer, "visited", batch);
      } else {
        writer.recordUnchanged("visited", now);
        writer.addIndexes(nothing());
      }
      writer.commit();
      now = now.plus(Duration.ofDays(7));
    }
  }

  private static Directory nothing() throws IOException {
    Directory empty = new ByteBuffersDirectory();
    new IndexWriter(empty, new IndexWriterConfig()).close();
    return empty;
  }

  private static void put(DeltaIndexWriter writer, String page, int batch) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", "alpha ".repeat(batch + 1), Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private void flipMiddle(String name) throws IOException {
    Path file = folder.resolve("index.delta").resolve(name);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 1;
    Files.write(file, bytes);
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 3).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .stateDirectory(Busy::new)
            .build();
    Directory directory = FSDirectory.open(folder.resolve("index"));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private final class Busy extends FilterDirectory {
    Busy(Directory in) {
      super(in);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      requireFree(name);
      return super.openInput(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      requireFree(name);
      return super.createOutput(name, context);
    }

    private void requireFree(String name) throws IOException {
      if (name.startsWith(busy)) {
        busy = "none";
        throw new FileSystemException(name, null, "Too many open files");
      }
    }
  }
}
