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
import java.util.TreeMap;
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

  private interface Steps {
    void take(IndexWriter writer) throws IOException;
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

  /** The application's data of the last commit after some steps of a writer, then of another. */
  private static Map<String, String> after(Opener opener, Steps first, Steps second)
      throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      for (Steps steps : List.of(first, second)) {
        try (IndexWriter writer = opener.open(directory)) {
          steps.take(writer);
        }
      }
      Map<String, String> data =
          new TreeMap<>(SegmentInfos.readLatestCommit(directory).getUserData());
      data.remove(BatchNames.GENERATION);
      data.remove(BatchNames.STATE);
      return data;
    }
  }

  private void leaves(Map<String, String> expected, Steps first, Steps second) throws IOException {
    states++;
    assertThat(after(directory -> new IndexWriter(directory, lucenes()), first, second))
        .as("Lucene's")
        .isEqualTo(expected);
    assertThat(after(this::measured, first, second)).isEqualTo(expected);
    assertThat(troubles).isEmpty();
  }

  private static void commit(IndexWriter writer, String body, Map<String, String> data)
      throws IOException {
    writer.setLiveCommitData(data == null ? null : data.entrySet());
    put(writer, body);
    writer.commit();
  }

  @Test
  void nullLeavesWhatTheLastCommitHad() throws IOException {
    Map<String, String> one = Map.of("app", "1", "more", "2");
    Map<String, String> two = Map.of("app", "3");
    Steps none = writer -> {};
    leaves(
        one,
        writer -> {
          commit(writer, "alpha", one);
          commit(writer, "alpha alpha", null);
          commit(writer, "beta", null);
        },
        none);
    leaves(one, writer -> commit(writer, "alpha", one), writer -> commit(writer, "beta", null));
    leaves(Map.of(), writer -> commit(writer, "alpha", null), none);
    leaves(
        two,
        writer -> {
          commit(writer, "alpha", one);
          commit(writer, "alpha alpha", null);
          commit(writer, "beta", two);
        },
        writer -> {
          put(writer, "alpha");
          writer.commit();
          commit(writer, "beta", null);
        });
  }

  @Test
  void nullLeavesNothingThatWasSetWithoutACommit() throws IOException {
    Map<String, String> one = Map.of("app", "1");
    leaves(
        one,
        writer -> commit(writer, "alpha", one),
        writer -> {
          put(writer, "alpha alpha");
          writer.setLiveCommitData(Map.of("app", "2").entrySet());
          writer.getLiveCommitData().forEach(entry -> assertThat(entry.getValue()).isNotNull());
          DirectoryReader.open(writer).close();
          writer.getLiveCommitData().forEach(entry -> assertThat(entry.getValue()).isNotNull());
          commit(writer, "beta", null);
        });
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
