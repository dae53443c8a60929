// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Collector;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.LeafCollector;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.FSDirectory;

/**
 * The sum of each query's scores over all pages of an index, a page scoring when it holds every
 * term (2005 paper, sections 1.2 and 6); with the index's default scoring, BM25.
 */
final class RelevanceSums {
  private RelevanceSums() {}

  /** One sum a query; searches the index once a query. */
  static double[] of(Workload workload, Path index, PrintWriter err) throws IOException {
    double[] sums = new double[workload.queryCount()];
    try (FSDirectory directory = FSDirectory.open(index);
        DirectoryReader reader = DirectoryReader.open(directory);
        Progress progress = Progress.start("relevance", Math.max(1, sums.length), err)) {
      IndexSearcher searcher = new IndexSearcher(reader);
      int longest = IndexSearcher.getMaxClauseCount();
      for (int query = 0; query < sums.length; query++) {
        if (workload.queryLength(query) <= longest) {
          sums[query] = searcher.search(conjunction(workload, query), new Summing());
        }
        progress.step();
      }
    }
    return sums;
  }

  private static BooleanQuery conjunction(Workload workload, int query) {
    BooleanQuery.Builder conjunction = new BooleanQuery.Builder();
    for (String term : workload.queryTerms(query)) {
      conjunction.add(new TermQuery(new Term(PageAnalysis.BODY, term)), Occur.MUST);
    }
    return conjunction.build();
  }

  /** Adds up scores instead of collecting pages. */
  private static final class Summing implements CollectorManager<Sum, Double> {
    @Override
    public Sum newCollector() {
      return new Sum();
    }

    @Override
    public Double reduce(Collection<Sum> sums) {
      return sums.stream().mapToDouble(sum -> sum.total).sum();
    }
  }

  private static final class Sum implements Collector {
    private double total;

    @Override
    public LeafCollector getLeafCollector(LeafReaderContext leaf) {
      return new LeafCollector() {
        private Scorable scorer;

        @Override
        public void setScorer(Scorable ofLeaf) {
          scorer = ofLeaf;
        }

        @Override
        public void collect(int page) throws IOException {
          total += scorer.score();
        }
      };
    }

    @Override
    public ScoreMode scoreMode() {
      return ScoreMode.COMPLETE;
    }
  }
}
