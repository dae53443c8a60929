// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;

/**
 * Joins the terms of one field of a page before and after a refresh, ascending, and hands out the
 * page's scores for those whose score may differ. When the field's norm has not moved, a term of
 * the same frequency scores as before. Reusable, for one thread.
 */
abstract class FieldJoin {
  /** A term that is in one of the two, or in both with another frequency or norm; 0: not in it. */
  abstract void scored(int term, float before, float after);

  /** Terms of the same frequency and norm in both, not scored; {@code count} of them in a row. */
  abstract void unchanged(int[] terms, int[] frequencies, int from, int count);

  /** Moves both vectors to the field they have, unless one has none or several or another one. */
  static boolean moveToOnlyField(VectorBuffer oldVector, VectorBuffer newVector) {
    oldVector.rewind();
    newVector.rewind();
    boolean had = oldVector.nextField();
    boolean has = newVector.nextField();
    return had
        && has
        && oldVector.field() == newVector.field()
        && oldVector.isLast()
        && newVector.isLast();
  }

  /** Joins the fields that the two vectors were moved to. */
  final void join(VectorBuffer oldVector, VectorBuffer newVector, TermScores scores) {
    int field = newVector.field();
    long oldNorm = oldVector.norm();
    long newNorm = newVector.norm();
    int oldCount = oldVector.count();
    int newCount = newVector.count();
    int[] oldTerms = oldVector.terms();
    int[] newTerms = newVector.terms();
    int[] oldFrequency = oldVector.frequencies();
    int[] newFrequency = newVector.frequencies();
    int a = 0;
    int b = 0;
    while (a < oldCount || b < newCount) {
      int oldTerm = a < oldCount ? oldTerms[a] : Integer.MAX_VALUE;
      int newTerm = b < newCount ? newTerms[b] : Integer.MAX_VALUE;
      if (oldTerm < newTerm) {
        scored(oldTerm, scores.score(field, oldTerm, oldFrequency[a++], oldNorm), 0);
      } else if (oldTerm > newTerm) {
        scored(newTerm, 0, scores.score(field, newTerm, newFrequency[b++], newNorm));
      } else if (oldNorm != newNorm || oldFrequency[a] != newFrequency[b]) {
        float factor = scores.factor(field, oldTerm);
        scored(
            oldTerm,
            scores.score(factor, field, oldTerm, oldFrequency[a++], oldNorm),
            scores.score(factor, field, oldTerm, newFrequency[b++], newNorm));
      } else { // passed with all that follow it and are the same, as most are
        int most = same(oldTerms, a, oldCount, newTerms, b, newCount);
        int alike = same(oldFrequency, a, a + most, newFrequency, b, b + most);
        unchanged(newTerms, newFrequency, b, alike);
        a += alike;
        b += alike;
      }
    }
  }

  /** How many numbers two ranges have in common from their beginnings on. */
  private static int same(int[] one, int from, int to, int[] other, int otherFrom, int otherTo) {
    int same = Arrays.mismatch(one, from, to, other, otherFrom, otherTo);
    return same < 0 ? to - from : same;
  }
}
