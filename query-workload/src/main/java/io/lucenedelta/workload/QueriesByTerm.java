// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.function.IntConsumer;

/**
 * Finds the queries that a page can match without touching any other: each query is kept under its
 * rarest term, and a page that lacks that term cannot match.
 *
 * <p>Queries are conjunctive: a page matches when it has every term, and scores the sum of its
 * scores for them. The index is two arrays, {@code 4·(terms + queries)} bytes. Immutable, safe for
 * several threads; a {@link Matcher} serves one.
 */
public final class QueriesByTerm {
  private final Workload workload;
  private final int[] start; // termCount + 1 offsets into queries
  private final int[] queries;

  private QueriesByTerm(Workload workload, int[] start, int[] queries) {
    this.workload = workload;
    this.start = start;
    this.queries = queries;
  }

  /**
   * The index of a workload's queries.
   *
   * @param documentFrequency by term number, the number of pages that have the term; only their
   *     order matters, and stale numbers cost time, not truth
   * @throws IllegalArgumentException if there is not one document frequency a term
   */
  public static QueriesByTerm of(Workload workload, int[] documentFrequency) {
    if (documentFrequency.length != workload.termCount()) {
      throw new IllegalArgumentException(
          "every term needs a document frequency: %d terms, %d document frequencies"
              .formatted(workload.termCount(), documentFrequency.length));
    }
    int[] start = new int[workload.termCount() + 1];
    for (int query = 0; query < workload.queryCount(); query++) {
      start[rarestTerm(workload, query, documentFrequency) + 1]++;
    }
    for (int term = 0; term < workload.termCount(); term++) {
      start[term + 1] += start[term];
    }
    int[] next = start.clone();
    int[] queries = new int[workload.queryCount()];
    for (int query = 0; query < queries.length; query++) {
      queries[next[rarestTerm(workload, query, documentFrequency)]++] = query;
    }
    return new QueriesByTerm(workload, start, queries);
  }

  private static int rarestTerm(Workload workload, int query, int[] documentFrequency) {
    int rarest = workload.queryTerm(query, 0);
    for (int i = 1; i < workload.queryLength(query); i++) {
      int term = workload.queryTerm(query, i);
      if (documentFrequency[term] < documentFrequency[rarest]) {
        rarest = term;
      }
    }
    return rarest;
  }

  /** Hands out the queries of which a term is the rarest. */
  public void forEachUnder(int term, IntConsumer reader) {
    for (int i = start[term]; i < start[term + 1]; i++) {
      reader.accept(queries[i]);
    }
  }

  /** A matcher for one thread; it needs {@code 8·terms} bytes, so keep it. */
  public Matcher matcher() {
    return new Matcher();
  }

  /** Takes what a page's change did to its scores. */
  @FunctionalInterface
  public interface Shifts {
    /**
     * A query for which the page's score changed.
     *
     * @param query number of the query
     * @param before sum of the page's term scores before; 0 when it did not match
     * @param after the sum after; 0 when it does not match
     */
    void shift(int query, double before, double after);
  }

  /** Compares the old vector of a page with the new one, query by query. Serves one thread. */
  public final class Matcher {
    // Writers that measure compare by AffectedQueries of lucene-delta, which finds the same without
    // scoring the terms that score as before.

    private final float[] scoreBefore = new float[workload.termCount()];
    private final float[] scoreAfter = new float[workload.termCount()];

    private Matcher() {}

    /**
     * Hands to {@code shifts} every query whose score differs between the two vectors, each once,
     * in the order of their rarest terms. A vector is the first {@code length} elements of two
     * arrays: the numbers of the page's terms, ascending, and its score for each, positive. Either
     * may be empty. Nothing is allocated.
     *
     * <p>Cost: a step for each term and for each query kept under one of them.
     */
    public void compare(
        int[] termsBefore,
        float[] scoresBefore,
        int lengthBefore,
        int[] termsAfter,
        float[] scoresAfter,
        int lengthAfter,
        Shifts shifts) {
      spread(termsBefore, scoresBefore, lengthBefore, scoreBefore);
      spread(termsAfter, scoresAfter, lengthAfter, scoreAfter);
      try {
        int a = 0;
        int b = 0;
        while (a < lengthBefore || b < lengthAfter) {
          int term =
              Math.min(
                  a < lengthBefore ? termsBefore[a] : Integer.MAX_VALUE,
                  b < lengthAfter ? termsAfter[b] : Integer.MAX_VALUE);
          compareQueriesUnder(term, shifts);
          a += a < lengthBefore && termsBefore[a] == term ? 1 : 0;
          b += b < lengthAfter && termsAfter[b] == term ? 1 : 0;
        }
      } finally {
        clear(termsBefore, lengthBefore, scoreBefore);
        clear(termsAfter, lengthAfter, scoreAfter);
      }
    }

    private void compareQueriesUnder(int term, Shifts shifts) {
      for (int i = start[term]; i < start[term + 1]; i++) {
        double before = score(queries[i], scoreBefore);
        double after = score(queries[i], scoreAfter);
        if (before != after) {
          shifts.shift(queries[i], before, after);
        }
      }
    }

    private double score(int query, float[] scoreByTerm) {
      double sum = 0;
      int length = workload.queryLength(query);
      for (int i = 0; i < length; i++) {
        float score = scoreByTerm[workload.queryTerm(query, i)];
        if (score == 0) {
          return 0;
        }
        sum += score;
      }
      return sum;
    }

    private static void spread(int[] terms, float[] scores, int length, float[] byTerm) {
      for (int i = 0; i < length; i++) {
        byTerm[terms[i]] = scores[i];
      }
    }

    private static void clear(int[] terms, int length, float[] byTerm) {
      for (int i = 0; i < length; i++) {
        byTerm[terms[i]] = 0;
      }
    }
  }
}
