// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;

/**
 * Term scores under frozen statistics, by the index's own similarity.
 *
 * <p>Scorers are made when first asked for and kept in a table of fixed size: BM25's alone holds a
 * kilobyte, too much for every term of a large workload, while a few thousand terms make up most
 * postings. For one thread.
 */
final class TermScores {
  private static final int SLOTS = 1 << 13;

  private final FrozenStatistics statistics;
  private final Similarity similarity;
  private final WorkloadTerms terms;
  private final int fields;
  private final SimScorer[] scorer = new SimScorer[SLOTS];
  private final long[] owner = new long[SLOTS]; // term · fields + field + 1
  private final BytesRef text = new BytesRef();

  TermScores(FrozenStatistics statistics, Similarity similarity, WorkloadTerms terms, int fields) {
    this.statistics = statistics;
    this.similarity = similarity;
    this.terms = terms;
    this.fields = fields;
  }

  SimScorer scorer(int field, int term) {
    long key = (long) term * fields + field + 1;
    int slot = (int) (key & SLOTS - 1);
    if (owner[slot] != key) {
      terms.get(term, text);
      scorer[slot] = statistics.scorer(similarity, field, term, text);
      owner[slot] = key;
    }
    return scorer[slot];
  }

  float score(int field, int term, int frequency, long norm) {
    return scorer(field, term).score(frequency, norm);
  }
}
