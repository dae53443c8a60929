// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.QueriesByTerm.Shifts;
import io.lucenedelta.workload.Workload;
import java.util.Arrays;

/**
 * Finds the queries for which a page's change moved its score.
 *
 * <p>A query of one term is found by that term. One of several is kept under its rarest term with
 * its other terms beside it, the rarer ones first, so that a page that lacks one is told with a
 * look at one or two of them. When the page's length, as its norms tell it, has not changed, terms
 * of the same frequency score as before and are not scored at all.
 *
 * <p>{@link QueriesByTerm.Matcher} finds the same from vectors of scores. This is the measuring
 * writer's: it is given vectors of frequencies, scores what may differ alone, and tells whether
 * every query of the page moved.
 *
 * <p>Memory: 8 bytes a term, and for each query of several terms 4 bytes and 4 for each of them;
 * each {@link Comparison} takes 5 bytes a term more. Immutable, safe for several threads; a
 * comparison serves one.
 */
final class AffectedQueries {
  private static final int NONE = -1;
  private static final byte BEFORE = 1;
  private static final byte AFTER = 2;
  private static final byte BOTH = BEFORE | AFTER;
  private static final byte CHANGED = 4;

  private final Workload workload;
  private final int[] alone; // by term: the query of that term only, or NONE
  private final int[] start; // by term: where the queries kept under it begin in kept
  private final int[] kept; // (query, number of other terms, other terms) ^ queries
  private final boolean severalTerms;
  private final boolean everyTermAlone; // each term is a query, and there are no others

  /**
   * The queries of a workload.
   *
   * @param documentFrequency by term: which terms are rare; stale numbers cost time, not truth
   */
  AffectedQueries(Workload workload, int[] documentFrequency) {
    this.workload = workload;
    this.alone = new int[workload.termCount()];
    this.start = new int[workload.termCount() + 1];
    Arrays.fill(alone, NONE);
    int[][] terms = new int[workload.queryCount()][];
    for (int query = 0; query < terms.length; query++) {
      int length = workload.queryLength(query);
      if (length == 1) {
        alone[workload.queryTerm(query, 0)] = query;
      } else {
        terms[query] = rarestFirst(query, documentFrequency);
        start[terms[query][0] + 1] += length + 1;
      }
    }
    for (int term = 0; term < alone.length; term++) {
      start[term + 1] += start[term];
    }
    this.kept = new int[start[alone.length]];
    this.severalTerms = kept.length > 0;
    this.everyTermAlone = !severalTerms && Arrays.stream(alone).noneMatch(query -> query == NONE);
    int[] next = start.clone();
    for (int query = 0; query < terms.length; query++) {
      if (terms[query] != null) {
        next[terms[query][0]] = keep(query, terms[query], next[terms[query][0]]);
      }
    }
  }

  private int[] rarestFirst(int query, int[] documentFrequency) {
    int[] terms = new int[workload.queryLength(query)];
    for (int i = 0; i < terms.length; i++) {
      int term = workload.queryTerm(query, i);
      int place = i;
      while (place > 0 && documentFrequency[term] < documentFrequency[terms[place - 1]]) {
        terms[place] = terms[place - 1];
        place--;
      }
      terms[place] = term;
    }
    return terms;
  }

  private int keep(int query, int[] terms, int at) {
    kept[at] = query;
    kept[at + 1] = terms.length - 1;
    System.arraycopy(terms, 1, kept, at + 2, terms.length - 1);
    return at + 1 + terms.length;
  }

  Comparison comparison() {
    return new Comparison();
  }

  /** Compares two vectors of a page; reusable, for one thread. */
  final class Comparison {
    private final SingleTerms singleTerms = new SingleTerms();
    private final TermChanges changes = new TermChanges();
    private final byte[] state = new byte[severalTerms ? alone.length : 0];
    private final int[] place = new int[state.length]; // where a term is among the changes
    private boolean everyScoreMoved;

    private Comparison() {}

    /**
     * Hands out every query whose score differs, each once.
     *
     * @param scores or null when every term scores 1
     */
    void compare(VectorBuffer oldVector, VectorBuffer newVector, TermScores scores, Shifts shifts) {
      boolean oneField = scores != null && FieldJoin.moveToOnlyField(oldVector, newVector);
      if (oneField && everyTermAlone) {
        everyScoreMoved = singleTerms.handOut(oldVector, newVector, scores, shifts);
        return;
      }
      changes.read(oldVector, newVector, scores, oneField);
      everyScoreMoved = changes.any() && changes.isEveryTermScored();
      compareSingleTerms(shifts);
      if (severalTerms && changes.any()) {
        compareSeveralTerms(shifts);
      }
    }

    private void compareSingleTerms(Shifts shifts) {
      for (int i = 0; i < changes.size(); i++) {
        int query = alone[changes.term(i)];
        if (query != NONE) {
          if (changes.differs(i)) {
            shifts.shift(query, changes.before(i), changes.after(i));
          } else {
            everyScoreMoved = false;
          }
        }
      }
    }

    /**
     * Whether every query that the page matched or matches was handed out by the last comparison;
     * false as well where no term's score differs.
     */
    boolean everyScoreMoved() {
      return everyScoreMoved;
    }

    private void compareSeveralTerms(Shifts shifts) {
      for (int i = 0; i < changes.size(); i++) {
        int term = changes.term(i);
        place[term] = i;
        state[term] =
            (byte)
                ((changes.isBefore(i) ? BEFORE : 0)
                    | (changes.isAfter(i) ? AFTER : 0)
                    | (changes.differs(i) ? CHANGED : 0));
      }
      for (int i = 0; i < changes.size(); i++) {
        int term = changes.term(i);
        if (start[term] != start[term + 1]) {
          compareKept(term, shifts);
        }
      }
      for (int i = 0; i < changes.size(); i++) {
        state[changes.term(i)] = 0;
      }
    }

    private void compareKept(int term, Shifts shifts) {
      int end = start[term + 1];
      for (int at = start[term]; at < end; at += 2 + kept[at + 1]) {
        int matches = state[term];
        int differs = matches;
        int last = at + 1 + kept[at + 1];
        for (int i = at + 2; i <= last && (matches & BOTH) != 0; i++) {
          matches &= state[kept[i]];
          differs |= state[kept[i]];
        }
        if ((matches & BOTH) != 0) {
          if ((differs & CHANGED) != 0) {
            handOut(kept[at], matches, shifts);
          } else {
            everyScoreMoved = false;
          }
        }
      }
    }

    private void handOut(int query, int matches, Shifts shifts) {
      double before = (matches & BEFORE) != 0 ? sum(query, true) : 0;
      double after = (matches & AFTER) != 0 ? sum(query, false) : 0;
      if (before != after) {
        shifts.shift(query, before, after);
      } else {
        everyScoreMoved = false;
      }
    }

    private double sum(int query, boolean old) {
      double sum = 0;
      for (int i = 0; i < workload.queryLength(query); i++) {
        int at = place[workload.queryTerm(query, i)];
        sum += old ? changes.before(at) : changes.after(at);
      }
      return sum;
    }
  }

  /**
   * With one field and queries of one term each, a query is handed out as soon as its term is
   * scored. That takes 0.13 µs a page of 150 terms less than to keep the scores in between.
   */
  private final class SingleTerms extends FieldJoin {
    private Shifts target;
    private boolean any;
    private boolean every;

    /** Returns whether every query that the page matched or matches was handed out. */
    boolean handOut(
        VectorBuffer oldVector, VectorBuffer newVector, TermScores scores, Shifts shifts) {
      target = shifts;
      any = false;
      every = oldVector.norm() != newVector.norm();
      join(oldVector, newVector, scores);
      return any && every;
    }

    @Override
    void scored(int term, float before, float after) {
      if (before != after) {
        any = true;
        target.shift(alone[term], before, after); // every term is in a query
      } else {
        every = false;
      }
    }

    @Override
    void unchanged(int[] terms, int[] frequencies, int from, int count) {}
  }
}
