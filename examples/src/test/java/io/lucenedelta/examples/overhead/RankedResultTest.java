// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

class RankedResultTest {
  @Test
  void documentsAreInTheOrderInWhichSearchingGivesThem() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    try (Directory directory = new ByteBuffersDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        for (int page = 0; page < 900; page++) {
          Document document = new Document();
          String text = "pond ".repeat(random.nextInt(4)) + "fern ".repeat(random.nextInt(9));
          document.add(new TextField("body", text, Field.Store.NO));
          writer.addDocument(document);
          if (page % 300 == 299) {
            writer.flush();
          }
        }
      }
      try (DirectoryReader reader = DirectoryReader.open(directory)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        for (String word : new String[] {"pond", "fern", "nowhere"}) {
          Query query = new TermQuery(new Term("body", word));
          int[] expected =
              Arrays.stream(searcher.search(query, reader.maxDoc()).scoreDocs)
                  .mapToInt(hit -> hit.doc)
                  .toArray();
          assertThat(RankedResult.of(searcher, query)).as(word).containsExactly(expected);
        }
      }
    }
  }
}
