// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
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

  @Test
  void aTextIsAKeyIfItIsIndexedAsThatKey() {
    List<String> texts = new ArrayList<>(List.of(""));
    for (int from = 0; texts.size() < 400; from++) { // of up to three of these
      for (String letter :
          List.of("a", "b", "\u007f", "\u0080", "é", "Ã", "©", "\ud83d", "\ude00")) {
        texts.add(texts.get(from) + letter);
      }
    }
    for (String key : texts) {
      BytesRef bytes = new BytesRef("-" + key);
      bytes.offset++;
      bytes.length--;
      for (String text : texts) {
        assertThat(PageKeys.isKey(text, bytes))
            .as("%s, indexed as %s, and %s", text, new BytesRef(text), bytes)
            .isEqualTo(new BytesRef(text).bytesEquals(bytes));
      }
    }
  }

  @Test
  void aKeyHasANameIfItIsUtf8WhereverItIsNotAscii() {
    for (int length = 0; length <= 20; length++) {
      for (int offset = 0; offset < 9; offset++) {
        byte[] bytes = new byte[offset + length + 9];
        Arrays.fill(bytes, (byte) 0x80); // not the key's
        Arrays.fill(bytes, offset, offset + length, (byte) 'a');
        BytesRef key = new BytesRef(bytes, offset, length);
        assertThat(PageKeys.isNamed(key)).as("%d letters at %d", length, offset).isTrue();
        for (int at = offset; at < offset + length; at++) {
          bytes[at] = (byte) 0x80;
          assertThat(PageKeys.isNamed(key)).as("no UTF-8 at %d of %s", at, key).isFalse();
          if (at > offset) {
            bytes[at - 1] = (byte) 0xc3;
            assertThat(PageKeys.isNamed(key)).as("À before %d of %s", at, key).isTrue();
            bytes[at - 1] = 'a';
          }
          bytes[at] = 'a';
        }
      }
    }
  }
}
