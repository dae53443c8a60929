// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collection;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.CollectorManager;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.Scorable;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.NumericUtils;

/**
 * A whole result in order. {@code IndexSearcher.search(query, n)} would keep a heap of as many
 * places as the index has documents, however few the query finds.
 */
final class RankedResult extends SimpleCollector {
  private long[] found = new long[64]; // the better a document, the less
  private int size;
  private Scorable scorer;
  private int base;

  @Override
  public ScoreMode scoreMode() {
    return ScoreMode.COMPLETE;
  }

  @Override
  public void setScorer(Scorable scorer) {
    this.scorer = scorer;
  }

  @Override
  protected void doSetNextReader(LeafReaderContext segment) {
    base = segment.docBase;
  }

  @Override
  public void collect(int doc) throws IOException {
    found = ArrayUtil.grow(found, size + 1);
    long worse = ~NumericUtils.floatToSortableInt(scorer.score());
    found[size++] = worse << 32 | base + doc;
  }

  /**
   * Numbers of the documents of a query, the best first; of two with the same score the earlier.
   */
  static int[] of(IndexSearcher searcher, Query query) throws IOException {
    return searcher.search(
        query,
        new CollectorManager<RankedResult, int[]>() {
          @Override
          public RankedResult newCollector() {
            return new RankedResult();
          }

          @Override
          public int[] reduce(Collection<RankedResult> parts) {
            return parts.stream()
                .flatMapToLong(part -> Arrays.stream(part.found, 0, part.size))
                .sorted()
                .mapToInt(each -> (int) each)
                .toArray();
          }
        });
  }
}
