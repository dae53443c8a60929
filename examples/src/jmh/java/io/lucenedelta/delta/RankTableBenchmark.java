// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Building F_q for every query of a workload, beside running the queries: the complete result of
 * each through Lucene's searcher, and the knots of its scores.
 *
 * <p>{@code mvn -Pbench -pl examples -am verify -DskipTests -Dbench=RankTableBenchmark}
 *
 * <p>20,000 pages of 300 words with Zipf's frequencies. {@code terms} asks 5,000 words, every one
 * alone; {@code pairs} asks 5,000 pairs of neighbours among them. The number of results of the
 * workload is printed at the end of each fork, to divide by.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 6, time = 1)
@Fork(1)
public class RankTableBenchmark {
  private static final int PAGES = 20_000;
  private static final int WORDS = 300;
  private static final int VOCABULARY = 50_000;
  private static final int ASKED = 5_000;

  /** What is asked. */
  @Param({"terms", "pairs"})
  public String queries;

  private ByteBuffersDirectory directory;
  private DirectoryReader reader;
  private RankTableBuilder builder;
  private IndexSearcher searcher;
  private List<Query> asked;
  private final float[] scores = new float[PAGES];

  /** Makes the index. */
  @Setup
  public void prepare() throws IOException {
    directory = new ByteBuffersDirectory();
    Random random = new Random(5);
    try (IndexWriter writer =
        new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (int page = 0; page < PAGES; page++) {
        writer.addDocument(page(page, random));
      }
    }
    reader = DirectoryReader.open(directory);
    WorkloadBuilder workload = Workload.builder();
    asked = new ArrayList<>();
    for (int i = 0; i < ASKED; i++) {
      List<String> words =
          queries.equals("terms") ? List.of(word(i)) : List.of(word(i), word(i + 1));
      workload.add(words, 1);
      BooleanQuery.Builder query = new BooleanQuery.Builder();
      words.forEach(w -> query.add(new TermQuery(new Term("body", w)), BooleanClause.Occur.MUST));
      asked.add(query.build());
    }
    DeltaConfig config =
        DeltaConfig.builder(workload.build()).keyField("url").scoredField("body").build();
    WorkloadTerms terms = WorkloadTerms.of(config.workload());
    TermScores termScores =
        new TermScores(
            FrozenStatistics.of(reader, config.scoredFields(), terms),
            new BM25Similarity(),
            terms,
            config.scoredFields().size());
    builder = new RankTableBuilder(config.workload(), config, terms, termScores, null);
    searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
  }

  private static Document page(int number, Random random) {
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < WORDS; i++) {
      body.append(word((int) Math.pow(VOCABULARY, random.nextDouble()))).append(' ');
    }
    Document page = new Document();
    page.add(new StringField("url", "https://example.org/" + number, Field.Store.YES));
    page.add(new TextField("body", body.toString(), Field.Store.NO));
    return page;
  }

  private static String word(int place) {
    return "w" + Integer.toString(place, 36);
  }

  /** Says what to divide by, and closes the index. */
  @TearDown
  public void close() throws IOException {
    OffHeapRankTable table = builder.build(reader);
    long results = 0;
    for (int query = 0; query < table.size(); query++) {
      results += table.results(query);
    }
    System.out.printf("%n%s: %,d results%n", queries, results);
    reader.close();
    directory.close();
  }

  /** In one pass. */
  @Benchmark
  public Object build() throws IOException {
    return builder.build(reader);
  }

  /** By running the queries. */
  @Benchmark
  public int search() throws IOException {
    int results = 0;
    for (Query query : asked) {
      int length = searcher.search(query, new Collecting());
      results += KnotSample.of(scores, length).results();
    }
    return results;
  }

  /** Collects the scores of a result, and says how many there are; the searcher has one thread. */
  private final class Collecting implements CollectorManager<Collected, Integer> {
    @Override
    public Collected newCollector() {
      return new Collected();
    }

    @Override
    public Integer reduce(Collection<Collected> collectors) {
      return collectors.iterator().next().length;
    }
  }

  private final class Collected extends SimpleCollector {
    private Scorable scorer;
    private int length;

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE;
    }

    @Override
    public void setScorer(Scorable scorer) {
      this.scorer = scorer;
    }

    @Override
    protected void doSetNextReader(LeafReaderContext context) {}

    @Override
    public void collect(int doc) throws IOException {
      scores[length++] = scorer.score();
    }
  }
}
