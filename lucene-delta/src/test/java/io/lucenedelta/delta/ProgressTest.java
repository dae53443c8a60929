// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What takes long tells how far it is, to the thread that waits for it. */
class ProgressTest {
  private static final int MANY = 20_001;

  @TempDir Path folder;
  private final List<String> told = new ArrayList<>(); // by the thread of the test alone

  private DeltaIndexWriter open(Directory index, Workload workload, int threads)
      throws IOException {
    Thread committing = Thread.currentThread();
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .measuringThreads(threads)
            .listener(
                new DeltaListener() {
                  @Override
                  public void progress(String task, long done, long total) {
                    boolean known = Thread.currentThread().equals(committing);
                    told.add("%s: %d of %d".formatted(known ? task : "elsewhere", done, total));
                  }
                })
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private static void commit(DeltaIndexWriter writer, int pages) throws IOException {
    for (int page = 0; page < pages; page++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + page, Field.Store.NO));
      document.add(new TextField("body", "word" + page, Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + page), document);
    }
    writer.commit();
  }

  @Test
  void theBuildingOfRankFunctionsTellsHowManyQueriesHaveThem() throws IOException {
    WorkloadBuilder workload = Workload.builder();
    IntStream.range(0, MANY).forEach(query -> workload.add(List.of("word" + query), 1));
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index, workload.build(), 1)) {
      commit(writer, 10);
      writer.rebuild();
    }
    assertThat(told)
        .containsExactly(
            "building rank functions: 10000 of 20001", "building rank functions: 20000 of 20001");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theMeasuringOfALargeBatchTellsHowManyPagesAre(int threads) throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            open(index, Workload.builder().add(List.of("word1"), 1).build(), threads)) {
      commit(writer, 9_999);
      assertThat(told).isEmpty();
      commit(writer, MANY);
    }
    told.removeIf(each -> each.startsWith("finding what users get"));
    assertThat(told).isNotEmpty().allMatch(each -> each.matches("measuring pages: \\d+ of 20001"));
    assertThat(told).last().isEqualTo("measuring pages: 20001 of 20001");
    if (threads == 1) { // else another thread may have the blocks in the middle
      assertThat(told)
          .containsExactly("measuring pages: 10240 of 20001", "measuring pages: 20001 of 20001");
    }
  }

  /** The children of blocks are none, nor is a page that was deleted. */
  @Test
  void theReadingBackOfAnIndexTellsHowManyOfItsPagesAreRead() throws IOException {
    try (Directory index = new ByteBuffersDirectory()) {
      try (IndexWriter plain =
          new IndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        Document child = new Document();
        child.add(new TextField("body", "word1", Field.Store.NO));
        for (int page = 0; page <= MANY; page++) {
          Document parent = new Document();
          parent.add(new StringField("url", "p" + page, Field.Store.NO));
          plain.addDocuments(List.of(child, child, parent));
        }
        plain.commit();
        plain.deleteDocuments(new Term("url", "p7"));
      }
      open(index, Workload.builder().add(List.of("word1"), 1).build(), 1).close();
    }
    assertThat(told)
        .containsExactly(
            "reading pages from the index: 10000 of 20001",
            "reading pages from the index: 20000 of 20001");
  }
}
