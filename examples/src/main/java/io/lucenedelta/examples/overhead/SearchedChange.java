// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.crawl.CrawledPage;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/**
 * The CPU it takes to learn the exact effect of a page's change: to rank the complete result of
 * every query that the page matched or matches, before the update and after it.
 *
 * <p>Which queries those are is found without searching, so the figure is on the low side. The
 * pages sampled are spread over the batch; all of them go there and back once before anything is
 * counted, as the compiler and what Lucene keeps in memory come to none of the other ways either.
 */
final class SearchedChange {
  private static final int SAMPLE = 20;

  /**
   * What searching takes.
   *
   * @param microsPerPage CPU a page of the batch, indexing the changed ones again included
   * @param sampled pages that were looked at
   * @param changed how many of them had changed, which alone take anything
   * @param ranked documents that were ranked, all searches together
   */
  record Searched(double microsPerPage, int sampled, int changed, long ranked) {}

  private final UpdateBatch batch;
  private final Workload workload;
  private final Arms writers;
  private final Path index;
  private final QueriesByTerm queries;
  private long ranked;

  SearchedChange(UpdateBatch batch, Workload workload, Arms writers, Path index) {
    this.batch = batch;
    this.workload = workload;
    this.writers = writers;
    this.index = index;
    this.queries = QueriesByTerm.of(workload, new int[workload.termCount()]);
  }

  /** Every so-many-th page of a batch, none twice. */
  static int[] sample(int size) {
    int sampled = Math.min(SAMPLE, size);
    return IntStream.range(0, sampled).map(i -> (int) ((long) i * size / sampled)).toArray();
  }

  /** Measures the changed pages among a sample. */
  Searched measure() throws IOException {
    try (Directory directory = FSDirectory.open(index);
        Analyzer analyzer = PageAnalysis.analyzer();
        IndexWriter writer = new IndexWriter(directory, writers.configuration(analyzer))) {
      for (int i = 0; i < batch.size(); i++) {
        Arms.update(writer, batch.page(i, 0));
      }
      writer.commit();
      int[] sampled = sample(batch.size());
      int[] changed = IntStream.of(sampled).filter(this::changes).toArray();
      for (int i : changed) { // not counted
        rankBeforeAndAfter(writer, batch.page(i, 0), batch.page(i, 1));
        rankBeforeAndAfter(writer, batch.page(i, 1), batch.page(i, 0));
      }
      long nanos = 0;
      for (int i : changed) {
        nanos += rankBeforeAndAfter(writer, batch.page(i, 0), batch.page(i, 1));
      }
      return new Searched(nanos / 1e3 / sampled.length, sampled.length, changed.length, ranked);
    }
  }

  private boolean changes(int page) {
    return !batch.page(page, 0).text().equals(batch.page(page, 1).text());
  }

  private long rankBeforeAndAfter(IndexWriter writer, CrawledPage before, CrawledPage after)
      throws IOException {
    List<BooleanQuery> affected = affected(before, after);
    long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    rankAll(writer, affected);
    Arms.update(writer, after);
    rankAll(writer, affected);
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - begin;
  }

  private void rankAll(IndexWriter writer, List<BooleanQuery> affected) throws IOException {
    try (DirectoryReader reader = DirectoryReader.open(writer)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      for (BooleanQuery query : affected) {
        ranked += RankedResult.of(searcher, query).length;
      }
    }
  }

  private List<BooleanQuery> affected(CrawledPage before, CrawledPage after) {
    int[] old = terms(before);
    int[] now = terms(after);
    List<BooleanQuery> affected = new ArrayList<>();
    queries
        .matcher()
        .compare(
            old,
            scores(old, 1),
            old.length,
            now,
            scores(now, 2),
            now.length,
            (query, s1, s2) -> affected.add(query(query)));
    return affected;
  }

  private int[] terms(CrawledPage page) {
    try (var analyzer = PageAnalysis.analyzer()) {
      return AnalyzedQueries.of(analyzer, PageAnalysis.BODY).terms(page.text()).stream()
          .mapToInt(workload::termNumber)
          .filter(term -> term >= 0)
          .sorted()
          .distinct()
          .toArray();
    }
  }

  /** Different before and after, so that every query the page matches counts as affected. */
  private static float[] scores(int[] terms, float score) {
    float[] scores = new float[terms.length];
    Arrays.fill(scores, score);
    return scores;
  }

  private BooleanQuery query(int number) {
    BooleanQuery.Builder query = new BooleanQuery.Builder();
    for (String term : workload.queryTerms(number)) {
      query.add(new TermQuery(new Term(PageAnalysis.BODY, term)), Occur.MUST);
    }
    return query.build();
  }
}
