// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * F_q of all queries from an index, per posting, beside searching for each query's complete result.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=RankTableBenchmark}
 *
 * <p>20,000 pages with 100 different terms each of a workload of 20,000, frequent ones far more
 * often than rare ones, in a few segments.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class RankTableBenchmark {
  private static final int PAGES = 20_000;
  private static final int TERMS_A_PAGE = 100;
  private static final int POSTINGS = PAGES * TERMS_A_PAGE;
  private static final int WORDS = 20_000;

  private final ByteBuffersDirectory directory = new ByteBuffersDirectory();
  private final Similarity similarity = new BM25Similarity();
  private DirectoryReader reader;
  private DeltaConfig config;
  private WorkloadTerms terms;
  private TermScores scores;

  /** Makes an index. */
  @Setup
  public void prepare() throws IOException {
    WorkloadBuilder words = Workload.builder();
    for (int word = 0; word < WORDS; word++) {
      words.add(List.of("word" + word), 1);
    }
    config = DeltaConfig.builder(words.build()).keyField("url").scoredField("body").build();
    terms = WorkloadTerms.of(config.workload());
    Random random = new Random(5);
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int page = 0; page < PAGES; page++) {
        Document document = new Document();
        document.add(new StringField("url", "page" + page, Field.Store.NO));
        document.add(new TextField("body", text(random), Field.Store.NO));
        writer.addDocument(document);
        if (page % 6_000 == 0) {
          writer.commit();
        }
      }
    }
    reader = DirectoryReader.open(directory);
    FrozenStatistics statistics = FrozenStatistics.of(reader, config.scoredFields(), terms);
    scores = new TermScores(statistics, similarity, terms, 1);
  }

  private static String text(Random random) {
    Set<Integer> words = new HashSet<>();
    StringBuilder text = new StringBuilder();
    while (words.size() < TERMS_A_PAGE) {
      int word = (int) (WORDS * Math.pow(random.nextDouble(), 3));
      if (words.add(word)) {
        text.append(("word" + word + ' ').repeat(1 + random.nextInt(3)));
      }
    }
    return text.toString();
  }

  /** Closes it. */
  @TearDown
  public void close() throws IOException {
    reader.close();
    directory.close();
  }

  /** As a live index does it. */
  @Benchmark
  @OperationsPerInvocation(POSTINGS)
  public Object build() throws IOException {
    return new RankTableBuilder(config.workload(), config, terms, scores).build(reader);
  }

  /** Complete results, before anything is made of them. */
  @Benchmark
  @OperationsPerInvocation(POSTINGS)
  public float searching() throws IOException {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setSimilarity(similarity);
    float sum = 0;
    for (int word = 0; word < WORDS; word++) {
      TermQuery query = new TermQuery(new Term("body", "word" + word));
      for (ScoreDoc hit : searcher.search(query, PAGES).scoreDocs) {
        sum += hit.score;
      }
    }
    return sum;
  }
}
