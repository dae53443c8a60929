// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * The terms of a page before and after a refresh, joined, with the page's score for each.
 *
 * <p>With one scored field whose norm has not moved, a term of the same frequency scores as before:
 * it is left out, or, when queries of several terms need to know of it, scored only when asked.
 * Reusable, for one thread.
 */
final class TermChanges {
  private static final float NOT_YET = -1;

  private final ScoredVector oldScores = new ScoredVector();
  private final ScoredVector newScores = new ScoredVector();
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
   * @param unchangedToo whether terms are needed that score as before
   */
  void read(
      VectorBuffer oldVector, VectorBuffer newVector, TermScores scores, boolean unchangedToo) {
    scorer = scores;
    size = 0;
    any = false;
    oldVector.rewind();
    newVector.rewind();
    boolean had = oldVector.nextField();
    boolean has = newVector.nextField();
    boolean oneField =
        had
            && has
            && oldVector.field() == newVector.field()
            && oldVector.isLast()
            && newVector.isLast();
    everyTermScored = !oneField || oldVector.norm() != newVector.norm();
    if (oneField && scores != null) {
      joinField(oldVector, newVector, unchangedToo);
    } else {
      everyTermScored = true;
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

  private void joinField(VectorBuffer oldVector, VectorBuffer newVector, boolean unchangedToo) {
    int oldCount = oldVector.count();
    int newCount = newVector.count();
    makeRoom(oldCount + newCount);
    field = newVector.field();
    norm = newVector.norm();
    long oldNorm = oldVector.norm();
    boolean sameNorm = norm == oldNorm;
    int[] oldTerms = oldVector.terms();
    int[] newTerms = newVector.terms();
    int[] oldFrequency = oldVector.frequencies();
    int[] newFrequency = newVector.frequencies();
    int a = 0;
    int b = 0;
    while (a < oldCount && b < newCount) {
      int term = oldTerms[a];
      if (term < newTerms[b]) {
        left(term, oldFrequency[a++], oldNorm);
      } else if (term > newTerms[b]) {
        came(newTerms[b], newFrequency[b++]);
      } else if (!sameNorm || oldFrequency[a] != newFrequency[b]) {
        stayed(term, oldFrequency[a++], oldNorm, newFrequency[b++]);
      } else { // passed with all that follow it and are the same, as most are
        int most = same(oldTerms, a, oldCount, newTerms, b, newCount);
        int alike = same(oldFrequency, a, a + most, newFrequency, b, b + most);
        if (unchangedToo) {
          keep(newTerms, newFrequency, b, alike);
        }
        a += alike;
        b += alike;
      }
    }
    joinRest(oldVector, a, newVector, b);
  }

  /** How many numbers two ranges have in common from their beginnings on. */
  private static int same(int[] one, int from, int to, int[] other, int otherFrom, int otherTo) {
    int same = Arrays.mismatch(one, from, to, other, otherFrom, otherTo);
    return same < 0 ? to - from : same;
  }

  private void joinRest(VectorBuffer oldVector, int oldFrom, VectorBuffer newVector, int newFrom) {
    for (int a = oldFrom; a < oldVector.count(); a++) {
      left(oldVector.terms()[a], oldVector.frequencies()[a], oldVector.norm());
    }
    for (int b = newFrom; b < newVector.count(); b++) {
      came(newVector.terms()[b], newVector.frequencies()[b]);
    }
  }

  private void stayed(int term, int oldFrequency, long oldNorm, int newFrequency) {
    float factor = scorer.factor(field, term);
    add(
        term,
        scorer.score(factor, field, term, oldFrequency, oldNorm),
        scorer.score(factor, field, term, newFrequency, norm));
  }

  private void left(int term, int oldFrequency, long oldNorm) {
    add(term, scorer.score(field, term, oldFrequency, oldNorm), 0);
  }

  private void came(int term, int newFrequency) {
    add(term, 0, scorer.score(field, term, newFrequency, norm));
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
