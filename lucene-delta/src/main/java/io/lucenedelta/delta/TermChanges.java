// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * The terms of a page before and after a refresh, joined, with the page's score for each.
 *
 * <p>With one scored field whose norm has not moved, a term of the same frequency scores as before:
 * it is scored only when asked. Reusable, for one thread.
 */
final class TermChanges {
  private static final float NOT_YET = -1;

  private final ScoredVector oldScores = new ScoredVector();
  private final ScoredVector newScores = new ScoredVector();
  private final FieldJoin join =
      new FieldJoin() {
        @Override
        void scored(int term, float oldScore, float newScore) {
          add(term, oldScore, newScore);
        }

        @Override
        void unchanged(int[] itsTerms, int[] itsFrequencies, int from, int count) {
          keep(itsTerms, itsFrequencies, from, count);
        }
      };
  private TermScores scorer;
  private boolean everyTermScored;
  private boolean any;
  private int size;
  private int[] terms = new int[512];
  private float[] before = new float[512];
  private float[] after = new float[512];

  // terms not yet scored: one field, the same frequency and norm before and after
  private int field;
  private long norm;
  private int[] frequency = new int[512];

  /**
   * Joins two vectors.
   *
   * @param scores or null when every term scores 1
   * @param oneField whether they were {@linkplain FieldJoin#moveToOnlyField moved to the only
   *     field} of both and scores are not null
   */
  void read(VectorBuffer oldVector, VectorBuffer newVector, TermScores scores, boolean oneField) {
    scorer = scores;
    size = 0;
    any = false;
    everyTermScored = !oneField || oldVector.norm() != newVector.norm();
    if (oneField) {
      field = newVector.field();
      norm = newVector.norm();
      makeRoom(oldVector.count() + newVector.count());
      join.join(oldVector, newVector, scores);
    } else {
      oldScores.score(oldVector, scores);
      newScores.score(newVector, scores);
      joinScores();
    }
  }

  /** Whether every term of both vectors is here with its scores. */
  boolean isEveryTermScored() {
    return everyTermScored;
  }

  /** Whether any term's score differs. */
  boolean any() {
    return any;
  }

  int size() {
    return size;
  }

  int term(int i) {
    return terms[i];
  }

  boolean isBefore(int i) {
    return before[i] != 0;
  }

  boolean isAfter(int i) {
    return after[i] != 0;
  }

  boolean differs(int i) {
    return before[i] != after[i];
  }

  float before(int i) {
    return before[i] == NOT_YET ? score(i) : before[i];
  }

  float after(int i) {
    return after[i] == NOT_YET ? score(i) : after[i];
  }

  private float score(int i) {
    float score = scorer.score(field, terms[i], frequency[i], norm);
    before[i] = score;
    after[i] = score;
    return score;
  }

  /** Terms that score as before, scored when asked for. */
  private void keep(int[] newTerms, int[] newFrequency, int from, int count) {
    System.arraycopy(newTerms, from, terms, size, count);
    System.arraycopy(newFrequency, from, frequency, size, count);
    Arrays.fill(before, size, size + count, NOT_YET);
    Arrays.fill(after, size, size + count, NOT_YET);
    size += count;
  }

  private void joinScores() {
    makeRoom(oldScores.length() + newScores.length());
    int a = 0;
    int b = 0;
    while (a < oldScores.length() || b < newScores.length()) {
      int old = a < oldScores.length() ? oldScores.terms()[a] : Integer.MAX_VALUE;
      int now = b < newScores.length() ? newScores.terms()[b] : Integer.MAX_VALUE;
      int term = Math.min(old, now);
      add(
          term,
          old == term ? oldScores.scores()[a++] : 0,
          now == term ? newScores.scores()[b++] : 0);
    }
  }

  /** A score of 0 means no match. */
  private void add(int term, float oldScore, float newScore) {
    terms[size] = term;
    before[size] = oldScore;
    after[size] = newScore;
    any |= oldScore != newScore;
    size++;
  }

  private void makeRoom(int most) {
    if (terms.length < most) {
      int length = ArrayUtil.oversize(most, Integer.BYTES);
      terms = new int[length];
      before = new float[length];
      after = new float[length];
      frequency = new int[length];
    }
  }
}
