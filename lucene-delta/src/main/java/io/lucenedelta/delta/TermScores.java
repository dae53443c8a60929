// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;

/**
 * Term scores under frozen statistics, by the index's own similarity, to 1e-6 of the score and what
 * the similarity's own arithmetic in single precision loses. Always positive, see {@link #LEAST}.
 *
 * <p>In BM25 and TF-IDF a score is a weight of the term times a function of frequency and norm that
 * all terms of a field share. That is found out, not assumed: the first scorer of a field gives a
 * table of that function, and of every further term a weight is kept, four bytes, when its scorer
 * agrees with the table at a few points. Asking the scorer each time instead costs a kilobyte a
 * term in BM25, more than fits a cache, and made two thirds of the cost of measuring. Terms that do
 * not agree (of other similarities) are asked each time through scorers kept in a table of fixed
 * size. For one thread; another one takes {@linkplain #another scores of its own}.
 */
final class TermScores {
  /**
   * In place of scores that are not positive, which some similarities give a page that has the term
   * less often than most ({@code LMDirichletSimilarity}): it is in the result nevertheless, at its
   * end, and in that of a longer query where its other terms put it. Below what BM25 gives a term
   * that every one of a billion documents has.
   */
  static final float LEAST = 1e-15f;

  private static final int SLOTS = 1 << 13;
  private static final int FREQUENCIES = 64;
  private static final int NORMS = 256;
  private static final float UNKNOWN = 0;
  private static final float NONE = -1;
  private static final int[] PROBED_FREQUENCIES = {1, 2, 9, 40};
  private static final byte[] PROBED_NORMS = {1, 12, 40, 72, (byte) 130};

  /**
   * How far BM25 is off by its own rounding: it takes a score as the difference of two numbers near
   * the largest score there is, in single precision.
   */
  private static final float OWN_ROUNDING = 2.5e-7f;

  private final FrozenStatistics statistics;
  private final Similarity similarity;
  private final WorkloadTerms terms;
  private final int fields;
  private final float[][] shared; // by field: score of one term by norm and frequency
  private final SimScorer[] reference; // by field: the scorer of that term
  private final float[] weight; // term · fields + field
  private final SimScorer[] scorer = new SimScorer[SLOTS];
  private final long[] owner = new long[SLOTS]; // term · fields + field + 1
  private final BytesRef text = new BytesRef();

  TermScores(FrozenStatistics statistics, Similarity similarity, WorkloadTerms terms, int fields) {
    this.statistics = statistics;
    this.similarity = similarity;
    this.terms = terms;
    this.fields = fields;
    this.shared = new float[fields][];
    this.reference = new SimScorer[fields];
    this.weight = new float[Math.multiplyExact(terms.size(), fields)];
  }

  private TermScores(TermScores other) {
    statistics = other.statistics;
    similarity = other.similarity;
    terms = other.terms;
    fields = other.fields;
    shared = other.shared.clone();
    reference = new SimScorer[fields];
    weight = other.weight.clone();
    for (int field = 0; field < fields; field++) {
      reference[field] = shared[field] == null ? null : referenceScorer(field);
    }
  }

  /** The same scores for another thread, with what was found out up to now: 4 bytes a term. */
  TermScores another() {
    return new TermScores(this);
  }

  float score(int field, int term, int frequency, long norm) {
    return score(factor(field, term), field, term, frequency, norm);
  }

  /** The same by the term's {@link #factor} in the field, for several scores of one term. */
  float score(float factor, int field, int term, int frequency, long norm) {
    if (factor == NONE || norm != (byte) norm) {
      return positive(scorer(field, term).score(frequency, norm));
    }
    if (frequency >= FREQUENCIES) {
      return factor * positive(reference[field].score(frequency, norm));
    }
    return factor * shared[field][((int) norm & 0xFF) * FREQUENCIES + frequency];
  }

  /**
   * The scores of a block of a term's postings in the first field, with frequencies for features,
   * into {@code target} from {@code from} on.
   *
   * @param norms by document
   */
  void scoreAll(int term, DocAndFloatFeatureBuffer block, byte[] norms, float[] target, int from) {
    float factor = factor(0, term);
    SimScorer scorer = factor == NONE ? scorer(0, term) : reference[0];
    float scale = factor == NONE ? 1 : factor;
    float[] table = shared[0];
    int[] docs = block.docs;
    float[] frequencies = block.features;
    for (int i = 0; i < block.size; i++) {
      int frequency = (int) frequencies[i];
      byte norm = norms[docs[i]];
      target[from + i] =
          frequency < FREQUENCIES && factor != NONE
              ? factor * table[(norm & 0xFF) * FREQUENCIES + frequency]
              : scale * positive(scorer.score(frequency, norm));
    }
  }

  /** What a term's scores are of those that all terms of the field share. */
  float factor(int field, int term) {
    int key = term * fields + field;
    float factor = weight[key];
    if (factor == UNKNOWN) {
      factor = findWeight(field, term);
      weight[key] = factor;
    }
    return factor;
  }

  private float findWeight(int field, int term) {
    if (shared[field] == null) {
      reference[field] = referenceScorer(field);
      shared[field] = tableOf(reference[field]);
    }
    float[] table = shared[field];
    SimScorer own = newScorer(field, term);
    float largest = own.score(FREQUENCIES - 1, PROBED_NORMS[0]);
    float factor = largest / table[(PROBED_NORMS[0] & 0xFF) * FREQUENCIES + FREQUENCIES - 1];
    for (byte norm : PROBED_NORMS) {
      for (int frequency : PROBED_FREQUENCIES) {
        float exact = positive(own.score(frequency, norm));
        float product = factor * table[(norm & 0xFF) * FREQUENCIES + frequency];
        if (!(Math.abs(product - exact) <= 5e-7f * exact + OWN_ROUNDING * largest)) {
          return NONE;
        }
      }
    }
    return factor > 0 && factor <= Float.MAX_VALUE ? factor : NONE; // its scorer is done with
  }

  /** Of a term that does not depend on who asks first, or scores would differ after reopening. */
  private SimScorer referenceScorer(int field) {
    return scorer(field, statistics.rarestTerm(field));
  }

  private static float[] tableOf(SimScorer scorer) {
    float[] table = new float[NORMS * FREQUENCIES];
    for (int norm = 0; norm < NORMS; norm++) {
      for (int frequency = 1; frequency < FREQUENCIES; frequency++) {
        table[norm * FREQUENCIES + frequency] = positive(scorer.score(frequency, (byte) norm));
      }
    }
    return table;
  }

  private static float positive(float score) {
    return score > 0 ? score : LEAST;
  }

  /** The similarity's own scorer of a term in a field. */
  SimScorer scorer(int field, int term) {
    long key = (long) term * fields + field + 1;
    int slot = (int) (key & SLOTS - 1);
    if (owner[slot] != key) {
      scorer[slot] = newScorer(field, term);
      owner[slot] = key;
    }
    return scorer[slot];
  }

  private SimScorer newScorer(int field, int term) {
    terms.get(term, text);
    return statistics.scorer(similarity, field, term, text);
  }
}
