// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.util.ArrayUtil;

/**
 * A page's score for each of its terms: fields summed, terms ascending. Reusable, for one thread.
 */
final class ScoredVector {
  private int[] terms = new int[256];
  private float[] scores = new float[256];
  private int length;
  private int[] otherTerms = new int[0];
  private float[] otherScores = new float[0];

  int[] terms() {
    return terms;
  }

  float[] scores() {
    return scores;
  }

  int length() {
    return length;
  }

  /** Scores a vector; without a scorer every term scores 1. */
  void score(VectorBuffer vector, TermScores scorer) {
    length = 0;
    int fieldStart = 0;
    int field = -1;
    vector.rewind();
    while (vector.next()) {
      if (vector.field() != field) {
        mergeFrom(fieldStart);
        fieldStart = length;
        field = vector.field();
      }
      float score =
          scorer == null
              ? 1
              : scorer.score(field, vector.term(), vector.frequency(), vector.norm());
      if (length == terms.length) {
        terms = ArrayUtil.grow(terms);
        scores = ArrayUtil.growExact(scores, terms.length);
      }
      terms[length] = vector.term();
      scores[length++] = score;
    }
    mergeFrom(fieldStart);
  }

  /** Merges the ascending run from {@code middle} on into the ascending run before it. */
  private void mergeFrom(int middle) {
    if (middle == 0 || middle == length) {
      return;
    }
    if (otherTerms.length < terms.length) {
      otherTerms = new int[terms.length]; // not longer: they change places
      otherScores = new float[terms.length];
    }
    int merged = 0;
    int a = 0;
    int b = middle;
    while (a < middle || b < length) {
      int term = Math.min(a < middle ? terms[a] : Integer.MAX_VALUE, termOrEnd(b));
      float score = 0;
      if (a < middle && terms[a] == term) {
        score += scores[a++];
      }
      if (b < length && terms[b] == term) {
        score += scores[b++];
      }
      otherTerms[merged] = term;
      otherScores[merged++] = score;
    }
    int[] swappedTerms = terms;
    terms = otherTerms;
    otherTerms = swappedTerms;
    float[] swappedScores = scores;
    scores = otherScores;
    otherScores = swappedScores;
    length = merged;
  }

  private int termOrEnd(int position) {
    return position < length ? terms[position] : Integer.MAX_VALUE;
  }
}
