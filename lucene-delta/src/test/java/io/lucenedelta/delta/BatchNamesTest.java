// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose the name of a batch is that an index holds. */
class BatchNamesTest {
  private final Directory index = new ByteBuffersDirectory();
  @TempDir Path folder;

  private DeltaIndexWriter open(String state) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve(state))
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private static void commit(DeltaIndexWriter writer, int alphas) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "a", Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(alphas), Field.Store.NO));
    writer.updateDocument(new Term("url", "a"), document);
    writer.commit();
  }

  /** The others count from 1: their number is no reason to forget later ones of one's own. */
  @Test
  void aBatchOfOtherMeasurementsIsNoneOfThese() throws IOException {
    try (DeltaIndexWriter writer = open("state")) {
      for (int batch = 1; batch < 4; batch++) {
        commit(writer, batch);
      }
    }
    try (DeltaIndexWriter others = open("others")) {
      assertThat(others.status().batchesIncomplete()).as("batch 3 is not theirs").isZero();
      commit(others, 7);
    }
    try (DeltaIndexWriter writer = open("state")) {
      assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(3);
      assertThat(writer.status().generation()).isEqualTo(3);
      commit(writer, 4);
      assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(4);
    }
  }
}
