// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.Bits;

/**
 * Builds F_q for every query of a workload from an index: each query's matching pages are scored
 * and the scores at the knots selected, nothing is sorted.
 *
 * <p>Single-term queries read every posting of their term once. A longer query leaps through the
 * postings of its terms, the rarest first. Only live pages count: documents with a key.
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
    List<Segment> segments = new ArrayList<>();
    int longest = 1;
    for (int query = 0; query < workload.queryCount(); query++) {
      longest = Math.max(longest, workload.queryLength(query));
    }
    for (LeafReaderContext leaf : reader.leaves()) {
      segments.add(new Segment(leaf.reader(), longest));
    }
    OffHeapRankTable table = new OffHeapRankTable(workload.queryCount());
    for (int query = 0; query < workload.queryCount(); query++) {
      length = 0;
      for (Segment segment : segments) {
        segment.collect(query);
      }
      table.put(query, KnotSample.of(collected, length));
    }
    return table;
  }

  private void add(float score) {
    if (length == collected.length) {
      collected = ArrayUtil.grow(collected);
    }
    collected[length++] = score;
  }

  /** The part of a query's result that lies in one segment. */
  private final class Segment {
    private final Bits pages;
    private final float[] importance; // by document, or null
    private final TermPostings[] postings;

    Segment(LeafReader reader, int longest) throws IOException {
      PageKeys keys = PageKeys.of(reader, config.keyField());
      this.pages = keys.livePages();
      this.importance = config.importance() == null ? null : keys.importance(config.importance());
      this.postings = new TermPostings[longest];
      boolean needsScores = config.importance() == null || config.importance().usesSimilarity();
      for (int i = 0; i < longest; i++) {
        postings[i] =
            new TermPostings(reader, config.scoredFields(), terms, needsScores ? scores : null);
      }
    }

    void collect(int query) throws IOException {
      int n = workload.queryLength(query);
      int rarest = 0;
      for (int i = 0; i < n; i++) {
        if (!postings[i].seek(workload.queryTerm(query, i))) {
          return;
        }
        rarest = postings[i].cost() < postings[rarest].cost() ? i : rarest;
      }
      TermPostings lead = postings[rarest];
      int doc = lead.advance(0);
      while (doc != DocIdSetIterator.NO_MORE_DOCS) {
        int agreed = align(doc, n, lead);
        if (agreed == doc) {
          if (pages == null || pages.get(doc)) {
            add(score(n, doc));
          }
          agreed = doc + 1;
        }
        doc = agreed == DocIdSetIterator.NO_MORE_DOCS ? agreed : lead.advance(agreed);
      }
    }

    /** Brings the other terms to {@code doc}; returns it, or where the first of them stopped. */
    private int align(int doc, int n, TermPostings lead) throws IOException {
      for (int i = 0; i < n; i++) {
        TermPostings other = postings[i];
        if (other != lead) {
          int at = other.doc() < doc ? other.advance(doc) : other.doc();
          if (at > doc) {
            return at;
          }
        }
      }
      return doc;
    }

    private float score(int n, int doc) throws IOException {
      Importance role = config.importance();
      double sum = 0;
      if (role == null || role.usesSimilarity()) {
        for (int i = 0; i < n; i++) {
          sum += postings[i].score();
        }
      }
      return (float) (role == null ? sum : role.score(sum, importance[doc]));
    }
  }
}
