// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the application gives commits as their data does what it does without us. */
class OwnCommitDataTest {
  private final List<String> troubles = new ArrayList<>();
  private int states;
  @TempDir Path folder;

  private interface Opener {
    IndexWriter open(Directory directory) throws IOException;
  }

  private static IndexWriterConfig lucenes() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private IndexWriter measured(Directory directory) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state" + states))
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(directory, lucenes(), config);
  }

  private static void put(IndexWriter writer, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "a", Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "a"), document);
  }

  /** As where a checkpoint that is put down with the index is not ready yet. */
  @Test
  void anExceptionOfItIsThrownByTheCommitAndNothingIsCommitted() throws IOException {
    states++;
    for (Opener opener :
        List.<Opener>of(directory -> new IndexWriter(directory, lucenes()), this::measured)) {
      int[] asked = {0};
      try (Directory directory = new ByteBuffersDirectory();
          IndexWriter writer = opener.open(directory)) {
        writer.setLiveCommitData(
            () -> {
              if (++asked[0] == 1) {
                throw new IllegalStateException("not ready");
              }
              return Map.of("asked", "" + asked[0]).entrySet().iterator();
            });
        put(writer, "alpha");
        assertThatThrownBy(writer::commit)
            .isInstanceOf(IllegalStateException.class)
            .hasMessage("not ready");
        assertThat(asked).as("asked").containsExactly(1);
        assertThat(DirectoryReader.indexExists(directory)).isFalse();
        assertThat(writer.isOpen()).isTrue();
        writer.commit();
        assertThat(SegmentInfos.readLatestCommit(directory).getUserData())
            .containsEntry("asked", "2");
        put(writer, "alpha alpha");
        writer.commit();
        if (writer instanceof DeltaIndexWriter delta) {
          assertThat(delta.status().batchesIncomplete()).isZero();
          assertThat(delta.explain("a").orElseThrow().refreshes()).hasSize(2);
        }
      }
    }
    assertThat(troubles).isEmpty();
  }
}
