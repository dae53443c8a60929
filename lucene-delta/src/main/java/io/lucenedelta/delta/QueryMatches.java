// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.Bits;

/**
 * The pages of one segment that match a query, with their scores under frozen statistics.
 *
 * <p>A single-term query reads every posting of its term once. A longer query leaps through the
 * postings of its terms, the rarest first. Only live pages count: documents with a key. An instance
 * serves any number of queries, one after the other; for one thread.
 */
final class QueryMatches {
  private final Workload workload;
  private final Importance role;
  private final Bits pages;
  private final float[] importance;
  private final TermPostings[] postings;

  /** Takes a page of the result. */
  @FunctionalInterface
  interface Taker {
    void match(int doc, float score) throws IOException;

    /**
     * Hears that one more document was looked at and does not match, for who must not take long.
     */
    default void pass() throws IOException {}
  }

  /**
   * The matches in a segment.
   *
   * @param pages the live pages, or null when that is every document
   * @param importance by document, or null when importance plays no part
   * @param places of the terms in this segment
   */
  QueryMatches(
      LeafReader reader,
      DeltaConfig config,
      WorkloadTerms terms,
      TermScores scores,
      Bits pages,
      float[] importance,
      TermPlaces places)
      throws IOException {
    this.workload = config.workload();
    this.role = config.importance();
    this.pages = pages;
    this.importance = importance;
    this.postings = new TermPostings[terms.longestQuery()];
    boolean needsScores = role == null || role.usesSimilarity();
    for (int i = 0; i < postings.length; i++) {
      postings[i] =
          new TermPostings(
              reader, config.scoredFields(), terms, needsScores ? scores : null, places);
    }
  }

  /** Hands out the pages of a query's result in this segment, documents ascending. */
  void forEach(int query, Taker taker) throws IOException {
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
      if (agreed == doc && (pages == null || pages.get(doc))) {
        taker.match(doc, score(n, doc));
      } else {
        taker.pass();
      }
      int next = Math.max(agreed, doc + 1);
      doc = next == DocIdSetIterator.NO_MORE_DOCS ? next : lead.advance(next);
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
    double sum = 0;
    if (role == null || role.usesSimilarity()) {
      for (int i = 0; i < n; i++) {
        sum += postings[i].score();
      }
    }
    return (float) (role == null ? sum : role.score(sum, importance[doc]));
  }
}
