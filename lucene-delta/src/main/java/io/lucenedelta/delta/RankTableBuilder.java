// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.util.ArrayUtil;

/**
 * Builds F_q for every query of a workload from an index: each query's matching pages are scored
 * and the scores at the knots selected, nothing is sorted.
 */
final class RankTableBuilder {
  private final Workload workload;
  private final DeltaConfig config;
  private final WorkloadTerms terms;
  private final TermScores scores;
  private float[] collected = new float[1024];
  private int length;

  RankTableBuilder(Workload workload, DeltaConfig config, WorkloadTerms terms, TermScores scores) {
    this.workload = workload;
    this.config = config;
    this.terms = terms;
    this.scores = scores;
  }

  OffHeapRankTable build(IndexReader reader) throws IOException {
    List<QueryMatches> segments = new ArrayList<>();
    for (LeafReaderContext leaf : reader.leaves()) {
      PageKeys keys = PageKeys.of(leaf.reader(), config.keyField());
      float[] importance =
          config.importance() == null ? null : keys.importance(config.importance());
      segments.add(
          new QueryMatches(leaf.reader(), config, terms, scores, keys.livePages(), importance));
    }
    OffHeapRankTable table = new OffHeapRankTable(workload.queryCount());
    for (int query = 0; query < workload.queryCount(); query++) {
      length = 0;
      for (QueryMatches segment : segments) {
        segment.forEach(query, this::add);
      }
      table.put(query, KnotSample.of(collected, length));
    }
    return table;
  }

  private void add(int doc, float score) {
    if (length == collected.length) {
      collected = ArrayUtil.grow(collected);
    }
    collected[length++] = score;
  }
}
