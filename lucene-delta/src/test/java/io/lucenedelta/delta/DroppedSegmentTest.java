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
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A page changes, a reader is reopened, and it changes again: Lucene drops the segment of the first
 * change, which was captured, and no commit will ever have it.
 */
class DroppedSegmentTest {
  private final Directory index = new ByteBuffersDirectory();
  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private DeltaIndexWriter writer;
  @TempDir Path folder;

  @BeforeEach
  void commitAPageWithADroppedVersion() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .build();
    writer = new DeltaIndexWriter(index, settings(), config);
    for (int page = 0; page < 10; page++) {
      put(writer, "p" + page, "alpha");
    }
    writer.commit();
    nextWeek();
    for (int version = 0; version < 2; version++) { // that are equal
      put(writer, "p1", "alpha alpha");
      DirectoryReader.open(writer).close();
    }
    writer.commit();
    nextWeek();
  }

  @AfterEach
  void nothingWasAmiss() throws IOException {
    writer.close();
    assertThat(troubles).isEmpty();
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private static void put(IndexWriter writer, String page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private void nextWeek() {
    now = now.plus(Duration.ofDays(7));
  }

  private List<Instant> fetches(String page) throws IOException {
    return writer.explain(page).orElseThrow().refreshes().stream()
        .map(MeasuredRefresh::fetched)
        .toList();
  }

  @Test
  void aVisitInTheNextBatchIsRecorded() throws IOException {
    assertThat(fetches("p1")).hasSize(2);
    Instant visit = now.minusSeconds(60);
    writer.recordUnchanged("p1", visit);
    writer.commit();
    assertThat(fetches("p1")).hasSize(3).startsWith(visit);
  }

  @Test
  void whatIsSettledFromTheIndexNextDoesNotTakeTheDroppedVersionForTheLiveOne() throws IOException {
    Directory others = new ByteBuffersDirectory();
    try (IndexWriter other = new IndexWriter(others, settings())) {
      put(other, "q", "alpha");
    }
    List<Instant> before = fetches("p1");
    writer.addIndexes(others);
    writer.commit();
    assertThat(writer.status().pages()).isEqualTo(11);
    assertThat(fetches("p1")).isEqualTo(before);
  }

  @Test
  void commitsOfNothingMeasureNothing() throws IOException {
    List<String> before = files();
    for (int idle = 0; idle < 3; idle++) {
      writer.commit();
    }
    assertThat(files()).isEqualTo(before);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
