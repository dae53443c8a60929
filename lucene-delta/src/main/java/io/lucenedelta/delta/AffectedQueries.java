// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Finds the queries that a page's changed terms affect, for the common case that the page's length,
 * as its norms tell it, has not changed: then every other term scores as before, and only queries
 * with a changed term are looked at.
 *
 * <p>Memory: about 12 bytes for each term of each query, and 8 bytes a term and field for each
 * {@link Comparison}. Immutable, safe for several threads; a comparison serves one.
 */
final class AffectedQueries {
  private final int fields;
  private final int[] termStart; // terms + 1 offsets into queries
  private final int[] queries;
  private final int[] queryStart; // queries + 1 offsets into terms
  private final int[] terms; // ascending within a query

  AffectedQueries(Workload workload, int fields) {
    this.fields = fields;
    this.queryStart = new int[workload.queryCount() + 1];
    for (int query = 0; query < workload.queryCount(); query++) {
      queryStart[query + 1] = queryStart[query] + workload.queryLength(query);
    }
    this.terms = new int[queryStart[workload.queryCount()]];
    this.termStart = new int[workload.termCount() + 1];
    for (int query = 0; query < workload.queryCount(); query++) {
      for (int i = queryStart[query]; i < queryStart[query + 1]; i++) {
        terms[i] = workload.queryTerm(query, i - queryStart[query]);
        termStart[terms[i] + 1]++;
      }
    }
    for (int term = 0; term < workload.termCount(); term++) {
      termStart[term + 1] += termStart[term];
    }
    this.queries = new int[terms.length];
    int[] next = termStart.clone();
    for (int query = 0; query < workload.queryCount(); query++) {
      for (int i = queryStart[query]; i < queryStart[query + 1]; i++) {
        queries[next[terms[i]]++] = query;
      }
    }
  }

  Comparison comparison() {
    return new Comparison();
  }

  /** Takes a query and the page's score for it before and after; 0 means no match. */
  @FunctionalInterface
  interface Shifts {
    void shift(int query, double before, double after);
  }

  /** Compares two vectors of a page; reusable, for one thread. */
  final class Comparison {
    private final Side before = new Side();
    private final Side after = new Side();
    private int[] changed = new int[64]; // terms
    private int changes;

    private Comparison() {}

    /**
     * Hands out every query whose score differs, each once.
     *
     * @return false, and nothing handed out, if a norm differs
     */
    boolean compare(
        VectorBuffer oldVector, VectorBuffer newVector, TermScores scores, Shifts shifts) {
      before.read(oldVector);
      after.read(newVector);
      try {
        for (int field = 0; field < fields; field++) {
          boolean both = before.present[field] && after.present[field];
          if (both && before.norm[field] != after.norm[field]) {
            return false;
          }
        }
        collectChanges();
        for (int i = 0; i < changes; i++) {
          handOut(changed[i], scores, shifts);
        }
        return true;
      } finally {
        before.clear();
        after.clear();
      }
    }

    private void collectChanges() {
      changes = 0;
      for (int i = 0; i < before.length; i++) {
        int place = before.places[i];
        if (before.frequency[place] != after.frequency[place]) {
          add(place / fields);
        }
      }
      for (int i = 0; i < after.length; i++) {
        int place = after.places[i];
        if (before.frequency[place] == 0) {
          add(place / fields);
        }
      }
      Arrays.sort(changed, 0, changes);
      int distinct = 0;
      for (int i = 0; i < changes; i++) {
        if (i == 0 || changed[i] != changed[i - 1]) {
          changed[distinct++] = changed[i];
        }
      }
      changes = distinct;
    }

    private void add(int term) {
      changed = ArrayUtil.grow(changed, changes + 1);
      changed[changes++] = term;
    }

    private void handOut(int term, TermScores scores, Shifts shifts) {
      for (int i = termStart[term]; i < termStart[term + 1]; i++) {
        int query = queries[i];
        if (isFirstChange(query, term)) {
          double s1 = score(query, before, scores);
          double s2 = score(query, after, scores);
          if (s1 != s2) {
            shifts.shift(query, s1, s2);
          }
        }
      }
    }

    /** A query with several changed terms is handed out with the first of them. */
    private boolean isFirstChange(int query, int term) {
      for (int i = queryStart[query]; terms[i] < term; i++) {
        for (int place = terms[i] * fields; place < (terms[i] + 1) * fields; place++) {
          if (before.frequency[place] != after.frequency[place]) {
            return false;
          }
        }
      }
      return true;
    }

    private double score(int query, Side side, TermScores scores) {
      double sum = 0;
      for (int i = queryStart[query]; i < queryStart[query + 1]; i++) {
        float score = 0;
        for (int field = 0; field < fields; field++) {
          int frequency = side.frequency[terms[i] * fields + field];
          if (frequency > 0) {
            score += scores.score(field, terms[i], frequency, side.norm[field]);
          }
        }
        if (!(score > 0)) {
          return 0;
        }
        sum += score;
      }
      return sum;
    }
  }

  /** One vector, spread out by term and field. */
  private final class Side {
    private final int[] frequency = new int[(termStart.length - 1) * fields];
    private final boolean[] present = new boolean[fields];
    private final long[] norm = new long[fields];
    private int[] places = new int[256];
    private int length;

    void read(VectorBuffer vector) {
      vector.rewind();
      while (vector.next()) {
        int field = vector.field();
        int place = vector.term() * fields + field;
        present[field] = true;
        norm[field] = vector.norm();
        frequency[place] = vector.frequency();
        places = ArrayUtil.grow(places, length + 1);
        places[length++] = place;
      }
    }

    void clear() {
      for (int i = 0; i < length; i++) {
        frequency[places[i]] = 0;
      }
      Arrays.fill(present, false);
      length = 0;
    }
  }
}
