// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.workload.Workload;
import java.util.Arrays;

/**
 * Finds the queries that a page version matches, touching only queries whose rarest term it holds.
 * Not safe for use by several threads.
 */
final class QueryFinder {
  /** Receives matches, ascending query numbers. */
  interface MatchReader {
    void match(int query, float score);
  }

  private final Workload workload;
  private final TermScores scores;
  private final int[] firstQuery; // by term, terms + 1 offsets into byRarest
  private final int[] byRarest;
  private final float[] termScore; // of the version at hand, 0 for terms it lacks
  private long[] matches = new long[64]; // query << 32 | bits of the score

  QueryFinder(Workload workload, TermScores scores) {
    this.workload = workload;
    this.scores = scores;
    this.firstQuery = new int[workload.termCount() + 1];
    this.byRarest = new int[workload.queryCount()];
    this.termScore = new float[workload.termCount()];
    for (int query = 0; query < workload.queryCount(); query++) {
      firstQuery[rarest(query) + 1]++;
    }
    for (int term = 0; term < workload.termCount(); term++) {
      firstQuery[term + 1] += firstQuery[term];
    }
    int[] next = firstQuery.clone();
    for (int query = 0; query < workload.queryCount(); query++) {
      byRarest[next[rarest(query)]++] = query;
    }
  }

  private int rarest(int query) {
    int rarest = workload.queryTerm(query, 0);
    for (int i = 1; i < workload.queryLength(query); i++) {
      int term = workload.queryTerm(query, i);
      rarest = scores.documents(term) < scores.documents(rarest) ? term : rarest;
    }
    return rarest;
  }

  /**
   * Hands out the queries a version matches.
   *
   * @param fixed score of every match, or 0 for the sum of the term scores
   */
  void find(PageVersion version, float fixed, MatchReader reader) {
    long norm = scores.norm(version);
    for (int i = 0; i < version.terms().length; i++) {
      int term = version.terms()[i];
      termScore[term] = scores.score(term, version.frequencies()[i], norm);
    }
    int found = 0;
    for (int term : version.terms()) {
      for (int i = firstQuery[term]; i < firstQuery[term + 1]; i++) {
        float score = score(byRarest[i]);
        if (score > 0) {
          matches = found == matches.length ? Arrays.copyOf(matches, 2 * found) : matches;
          int bits = Float.floatToIntBits(fixed > 0 ? fixed : score);
          matches[found++] = (long) byRarest[i] << 32 | bits;
        }
      }
    }
    Arrays.sort(matches, 0, found);
    for (int i = 0; i < found; i++) {
      reader.match((int) (matches[i] >>> 32), Float.intBitsToFloat((int) matches[i]));
    }
    for (int term : version.terms()) {
      termScore[term] = 0;
    }
  }

  /** The score of the version at hand, 0 when it lacks a term; summed as Lucene sums. */
  private float score(int query) {
    double sum = 0;
    for (int i = 0; i < workload.queryLength(query); i++) {
      float score = termScore[workload.queryTerm(query, i)];
      if (score == 0) {
        return 0;
      }
      sum += score;
    }
    return (float) sum;
  }
}
