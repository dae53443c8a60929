// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.Bits;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageKeysTest {
  /** So that an audit can stop on the way. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void lookingForPagesAmongOtherDocumentsIsAStepForEach(boolean others) throws IOException {
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig settings = new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      try (IndexWriter writer = new IndexWriter(directory, settings)) {
        for (int page = 0; page < 9; page++) {
          Document document = new Document();
          document.add(new StringField("url", "page" + page, Field.Store.NO));
          writer.addDocument(document);
        }
        if (others) {
          writer.addDocument(new Document());
        }
        writer.commit();
        writer.deleteDocuments(new Term("url", "page4"));
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        LeafReader leaf = reader.leaves().get(0).reader();
        int[] steps = {0};
        Bits pages = PageKeys.of(leaf, "url").livePages(() -> steps[0]++);
        assertThat(steps[0]).isEqualTo(others ? 8 : 0);
        for (int doc = 0; doc < leaf.maxDoc(); doc++) {
          assertThat(pages.get(doc)).as("document %d", doc).isEqualTo(doc != 4 && doc < 9);
        }
      }
    }
  }
}
