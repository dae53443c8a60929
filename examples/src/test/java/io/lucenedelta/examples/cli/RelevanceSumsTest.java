// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One pass over the postings gives what searching for every query gives. */
class RelevanceSumsTest {
  private static final int WORDS = 40;

  @TempDir Path index;

  @Test
  void everySumIsTheSumOfTheScoresThatLuceneGives() throws IOException {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    writePages(random, 20_000);
    Workload workload = queries(random, 300);
    double[] sums = RelevanceSums.of(workload, index, new PrintWriter(new StringWriter()));

    int answered = 0;
    try (FSDirectory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory)) {
      assertThat(reader.leaves()).as("seed %d", seed).hasSizeGreaterThan(1);
      assertThat(reader.numDeletedDocs()).as("seed %d", seed).isPositive();
      IndexSearcher searcher = new IndexSearcher(reader);
      for (int query = 0; query < sums.length; query++) {
        double searched = searched(searcher, workload, query);
        answered += searched > 0 ? 1 : 0;
        assertThat(sums[query])
            .as("seed %d, query %s", seed, workload.queryText(query))
            .isCloseTo(searched, within(1e-5 * searched));
      }
    }
    assertThat(answered).as("seed %d", seed).isBetween(1, sums.length - 1);
  }

  @Test
  void anIndexWithoutTextAnswersNothing() throws IOException {
    try (FSDirectory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
      Document page = new Document();
      page.add(new StringField(PageAnalysis.KEY, "a", Field.Store.YES));
      writer.addDocument(page);
    }
    Workload workload = queries(new Random(1), 3);

    assertThat(RelevanceSums.of(workload, index, new PrintWriter(new StringWriter())))
        .containsOnly(0);
  }

  private void writePages(Random random, int pages) throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig(PageAnalysis.analyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setMaxBufferedDocs(pages * 9 / 10);
    try (FSDirectory directory = FSDirectory.open(index);
        IndexWriter writer = new IndexWriter(directory, config)) {
      for (int i = 0; i < pages; i++) {
        Document page = new Document();
        page.add(new StringField(PageAnalysis.KEY, String.valueOf(i), Field.Store.NO));
        page.add(new TextField(PageAnalysis.BODY, text(random), Field.Store.NO));
        writer.addDocument(page);
      }
      for (int i = 0; i < pages; i += 7) {
        writer.deleteDocuments(new Term(PageAnalysis.KEY, String.valueOf(i)));
      }
    }
  }

  /** Up to a dozen words, few of them frequent. */
  private static String text(Random random) {
    return Stream.generate(() -> word(random))
        .limit(random.nextInt(12))
        .collect(Collectors.joining(" "));
  }

  private static String word(Random random) {
    return "w" + (int) (WORDS * Math.pow(random.nextDouble(), 3));
  }

  /** One to four words, some of which are on no page. */
  private static Workload queries(Random random, int count) {
    WorkloadBuilder builder = Workload.builder();
    for (int i = 0; i < count; i++) {
      builder.add(
          Stream.generate(() -> random.nextInt(20) == 0 ? "unknown" : word(random))
              .limit(1 + random.nextInt(4))
              .toList(),
          1 + random.nextInt(9));
    }
    return builder.build();
  }

  private static double searched(IndexSearcher searcher, Workload workload, int query)
      throws IOException {
    BooleanQuery.Builder conjunction = new BooleanQuery.Builder();
    for (String term : workload.queryTerms(query)) {
      conjunction.add(new TermQuery(new Term(PageAnalysis.BODY, term)), Occur.MUST);
    }
    double sum = 0;
    for (ScoreDoc hit : searcher.search(conjunction.build(), Integer.MAX_VALUE).scoreDocs) {
      sum += hit.score;
    }
    return sum;
  }
}
