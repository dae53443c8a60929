// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What another thread does after Lucene's flush, before the batch is closed, is not lost. */
class ChangesDuringCommitTest {
  @TempDir Path folder;

  private DeltaIndexWriter writer;
  private Runnable meanwhile;

  /** Commit data that has another thread do something once, between flush and end of a batch. */
  private Iterator<Map.Entry<String, String>> data() {
    if (meanwhile != null) {
      CompletableFuture<Void> other = CompletableFuture.runAsync(meanwhile, Elsewhere.THREADS);
      meanwhile = null;
      other.orTimeout(30, TimeUnit.SECONDS).join();
    }
    return Map.of("application", "1").entrySet().iterator();
  }

  private static Document document(String page) {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
    return document;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Pages a, b and c, the last of them committed while another thread takes a step. */
  private DeltaIndexWriter open(Directory directory, Step other) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .build();
    IndexWriterConfig unmerged =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(NoMergePolicy.INSTANCE);
    writer = new DeltaIndexWriter(directory, unmerged, config);
    for (String page : List.of("a", "b")) {
      writer.updateDocument(new Term("url", page), document(page));
    }
    writer.commit();
    writer.updateDocument(new Term("url", "c"), document("c"));
    writer.setLiveCommitData(this::data);
    meanwhile =
        () -> {
          try {
            other.run();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    writer.commit();
    assertThat(meanwhile).as("the other thread ran").isNull();
    assertThat(writer.status().pages()).isEqualTo(3);
    return writer;
  }

  private Directory directory() throws IOException {
    return FSDirectory.open(folder.resolve("index"));
  }

  @Test
  void aSecondCopyAndADeletionDoNotHideEachOther() throws IOException {
    Step step =
        () -> {
          writer.addDocument(document("a"));
          writer.deleteDocuments(new Term("url", "b"));
        };
    try (Directory directory = directory();
        DeltaIndexWriter opened = open(directory, step)) {
      opened.commit();
      assertThat(opened.getDocStats().numDocs).isEqualTo(3);
      DeltaStatus status = opened.status();
      assertThat(status.pages()).isEqualTo(2);
      assertThat(status.extraCopies()).isEqualTo(1);
      assertThat(status.batchesIncomplete()).isZero();
    }
  }

  @Test
  void aDeletionThatIsAllTheNextCommitHoldsIsSettledWithIt() throws IOException {
    settlesWithNextCommit(() -> writer.deleteDocuments(new Term("url", "b")));
  }

  @Test
  void aDeletionByQueryThatIsAllTheNextCommitHoldsIsSettledWithIt() throws IOException {
    settlesWithNextCommit(() -> writer.deleteDocuments(new TermQuery(new Term("url", "b"))));
  }

  private void settlesWithNextCommit(Step deletion) throws IOException {
    try (Directory directory = directory();
        DeltaIndexWriter opened = open(directory, deletion)) {
      opened.commit();
      assertThat(opened.status().pages()).isEqualTo(2);
      assertThat(opened.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void aCommitOfNothingAfterADeletionIsNone() throws IOException {
    try (Directory directory = directory();
        DeltaIndexWriter opened = open(directory, () -> {})) {
      opened.deleteDocuments(new Term("url", "b"));
      opened.commit();
      long generation = opened.status().generation();
      String segments = SegmentInfos.getLastCommitSegmentsFileName(directory);
      opened.commit();
      assertThat(SegmentInfos.getLastCommitSegmentsFileName(directory)).isEqualTo(segments);
      assertThat(opened.status().generation()).isEqualTo(generation);
      assertThat(opened.status().pages()).isEqualTo(2);
    }
  }
}
