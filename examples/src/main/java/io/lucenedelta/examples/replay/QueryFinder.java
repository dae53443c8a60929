// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.util.Arrays;

/** Finds the queries that page versions match. Not safe for use by several threads. */
final class QueryFinder {
  private static final int[] NO_TERMS = {};
  private static final float[] NO_SCORES = {};

  /** Receives matches, ascending query numbers. */
  interface MatchReader {
    void match(int query, float score);
  }

  private final TermScores scores;
  private final QueriesByTerm.Matcher matcher;
  private int[] terms = new int[64];
  private float[] termScores = new float[64];
  private long[] matches = new long[64]; // query << 32 | bits of the score
  private int found;

  QueryFinder(QueriesByTerm queries, TermScores scores) {
    this.scores = scores;
    this.matcher = queries.matcher();
  }

  /** The queries of a workload by their rarest terms, for finders on any number of threads. */
  static QueriesByTerm index(Workload workload, TermScores scores) {
    int[] documents = new int[workload.termCount()];
    Arrays.setAll(documents, term -> (int) scores.documents(term));
    return QueriesByTerm.of(workload, documents);
  }

  /**
   * Hands out the queries a version matches.
   *
   * @param fixed score of every match, or 0 for the sum of the term scores, rounded as Lucene does
   */
  void find(PageVersion version, float fixed, MatchReader reader) {
    int size = version.terms().size();
    if (terms.length < size) {
      terms = new int[2 * size];
      termScores = new float[2 * size];
    }
    long norm = scores.norm(version);
    version
        .terms()
        .forEach(
            (i, term, frequency) -> {
              terms[i] = term;
              termScores[i] = scores.score(term, frequency, norm);
            });
    found = 0;
    matcher.compare(
        NO_TERMS,
        NO_SCORES,
        0,
        terms,
        termScores,
        size,
        (query, before, after) -> keep(query, fixed > 0 ? fixed : (float) after));
    Arrays.sort(matches, 0, found);
    for (int i = 0; i < found; i++) {
      reader.match((int) (matches[i] >>> 32), Float.intBitsToFloat((int) matches[i]));
    }
  }

  private void keep(int query, float score) {
    if (found == matches.length) {
      matches = Arrays.copyOf(matches, 2 * found);
    }
    matches[found++] = (long) query << 32 | Float.floatToIntBits(score);
  }
}
