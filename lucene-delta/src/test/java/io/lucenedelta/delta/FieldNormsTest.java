// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.lucene.codecs.NormsProducer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field.Store;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.SlowImpactsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** Norms handed out from memory, against those that Lucene reads. */
class FieldNormsTest {
  private final FieldNorms norms = new FieldNorms(FlushHeap.unlimited());
  private final PassedPostings passed = new PassedPostings(FlushHeap.unlimited());

  @Test
  void theyAreThoseThatLuceneReadsInWhateverWayTheyAreAskedFor() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      NavigableMap<Integer, Long> expected = new TreeMap<>();
      int documents = 1 + random.nextInt(300);
      double share = random.nextInt(4) / 3.0;
      try (ByteBuffersDirectory directory = new ByteBuffersDirectory()) {
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
          for (int doc = 0; doc < documents; doc++) {
            Document document = new Document();
            if (random.nextDouble() < share) {
              String text = "word ".repeat(random.nextInt(500));
              document.add(new TextField("body", text, Store.NO));
            }
            writer.addDocument(document);
          }
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
          LeafReader leaf = reader.leaves().get(0).reader();
          NumericDocValues all = leaf.getNormValues("body");
          if (all != null) {
            for (int doc = all.nextDoc();
                doc != DocIdSetIterator.NO_MORE_DOCS;
                doc = all.nextDoc()) {
              expected.put(doc, all.longValue());
            }
          }
          norms.read(leaf.getFieldInfos().fieldInfo("body"), producer(leaf), documents);
        }
      }
      agrees(expected, documents, random, "seed %d, round %d".formatted(seed, round));
    }
  }

  private void agrees(NavigableMap<Integer, Long> expected, int documents, Random random, String as)
      throws IOException {
    NumericDocValues exact = iterator();
    for (int doc = 0; doc < documents; doc++) {
      assertThat(norms.of(doc)).as(as).isEqualTo(expected.getOrDefault(doc, FieldNorms.NONE));
      assertThat(exact.advanceExact(doc)).as(as).isEqualTo(expected.containsKey(doc));
      assertThat(exact.docID()).as(as).isEqualTo(doc);
      if (expected.containsKey(doc)) {
        assertThat(exact.longValue()).as(as).isEqualTo(expected.get(doc));
      }
    }
    NumericDocValues each = iterator();
    for (int doc : expected.keySet()) {
      assertThat(each.nextDoc()).as(as).isEqualTo(doc);
      assertThat(each.longValue()).as(as).isEqualTo(expected.get(doc));
    }
    assertThat(each.nextDoc()).as(as).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
    assertThat(each.docID()).as(as).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
    NumericDocValues some = iterator();
    assertThat(some.docID()).as(as).isEqualTo(-1);
    for (int at = -1; at != DocIdSetIterator.NO_MORE_DOCS; at = some.docID()) {
      int target = at + 1 + random.nextInt(20);
      Integer next = expected.ceilingKey(target);
      assertThat(some.advance(target))
          .as(as)
          .isEqualTo(next == null ? DocIdSetIterator.NO_MORE_DOCS : next);
    }
  }

  private NumericDocValues iterator() {
    return norms.iterator(passed);
  }

  private static NormsProducer producer(LeafReader leaf) {
    return new NormsProducer() {
      @Override
      public NumericDocValues getNorms(FieldInfo field) throws IOException {
        return leaf.getNormValues(field.name);
      }

      @Override
      public void checkIntegrity() {}

      @Override
      public void close() {}
    };
  }

  @Test
  void aSegmentWithoutTheFieldOrWithoutAnyNormsHasNone() throws IOException {
    norms.read(null, null, 3);
    assertThat(norms.of(2)).isEqualTo(FieldNorms.NONE);
    assertThat(iterator().advanceExact(2)).isFalse();
    assertThat(iterator().nextDoc()).isEqualTo(DocIdSetIterator.NO_MORE_DOCS);
  }

  @Test
  void whoAsksForADocumentPassesIt() throws IOException {
    norms.read(null, null, 9);
    passed.begin(9);
    passed.beginField(false);
    passed.iterate(new SlowImpactsEnum(null)); // asked nothing
    iterator().advanceExact(7);
    assertThat(passed.use()[0] >>> Integer.SIZE).isEqualTo(7);
  }
}
