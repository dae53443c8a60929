// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import org.apache.lucene.search.DocAndFloatFeatureBuffer;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.similarities.Similarity.SimScorer;
import org.apache.lucene.util.BytesRef;

/**
 * Term scores under frozen statistics, by the index's own similarity, to 1e-6 of the score and what
 * BM25 itself loses in single precision. Always positive, see {@link #LEAST}; infinite where the
 * similarity's own score is no number.
 *
 * <p>In BM25 and TF-IDF a score is a weight of the term times a function of frequency and norm that
 * all terms of a field share. That is found out, not assumed: the scorer of a field's rarest term
 * gives a table of that function, and of every term a weight is kept, four bytes a field, when its
 * scorer agrees with the table at a few points, long pages and high frequencies among them. Asking
 * the scorer each time instead costs a kilobyte a term in BM25, more than fits a cache, and made
 * two thirds of the cost of measuring. Terms that do not agree (of other similarities) are asked
 * each time through scorers kept in a table of fixed size. So are all terms of a similarity that
 * refuses some norm or frequency: what no page has may be more than it bears to be asked for. For
 * one thread; another one takes {@linkplain #another scores of its own}.
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
  private static final float[] REFUSED = {}; // stands where there is no table
  private static final int[] PROBED_FREQUENCIES = {1, 2, 9, 40, 1_000};

  /** With Lucene's own similarities pages of 1, 12, 40, 1048, 40984, 983064, 2 billion words. */
  private static final byte[] PROBED_NORMS = {1, 12, 40, 88, (byte) 130, (byte) 167, (byte) 255};

  /**
   * How far BM25 is off by its own rounding, as a share of the largest score there is: it takes a
   * score as the difference of two numbers near that, in single precision.
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

  /**
   * The same scores for another thread, with what was found out up to now: 4 bytes a term and
   * field.
   */
  TermScores another() {
    return new TermScores(this);
  }

  float score(int field, int term, int frequency, long norm) {
    return score(factor(field, term), field, term, frequency, norm);
  }

  /** The same by the term's {@link #factor} in the field, for several scores of one term. */
  float score(float factor, int field, int term, int frequency, long norm) {
    if (factor == NONE || norm != (byte) norm || norm == 0) {
      return positive(scorer(field, term).score(frequency, norm));
    }
    return factor * shared(field, frequency, norm);
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
          frequency < FREQUENCIES && factor != NONE && norm != 0
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
    if (shared[field].length == 0) {
      return NONE;
    }
    try {
      float factor = weightOf(newScorer(field, term), field);
      return factor > 0 && factor <= Float.MAX_VALUE ? factor : NONE;
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable t) {
      return NONE; // an assertion, say: there may be no such page
    }
  }

  /** A scorer's share of the scores in the table, or {@link #NONE} where it has none. */
  private float weightOf(SimScorer own, int field) {
    float largest = own.score(FREQUENCIES - 1, PROBED_NORMS[0]);
    float factor = largest / shared(field, FREQUENCIES - 1, PROBED_NORMS[0]);
    float ownRounding = isBm25(own) ? OWN_ROUNDING * largest : 0;
    for (byte norm : PROBED_NORMS) {
      for (int frequency : PROBED_FREQUENCIES) {
        float exact = positive(own.score(frequency, norm));
        float product = factor * shared(field, frequency, norm);
        if (!(Math.abs(product - exact) <= 5e-7f * exact + ownRounding)) {
          return NONE;
        }
      }
    }
    return factor;
  }

  private float shared(int field, int frequency, long norm) {
    return frequency < FREQUENCIES
        ? shared[field][((int) norm & 0xFF) * FREQUENCIES + frequency]
        : positive(reference[field].score(frequency, norm));
  }

  /** Also of a similarity that asks another one, by field for example. */
  private static boolean isBm25(SimScorer scorer) {
    return scorer.getClass().getEnclosingClass() == BM25Similarity.class;
  }

  /**
   * The scorer of the rarest term: one that depended on who asks first would change when reopened.
   */
  private SimScorer referenceScorer(int field) {
    return scorer(field, statistics.rarestTerm(field));
  }

  /** By norm and frequency, from 1 on: Lucene scores no page with a norm of 0. */
  private static float[] tableOf(SimScorer scorer) {
    float[] table = new float[NORMS * FREQUENCIES];
    try {
      for (int norm = 1; norm < NORMS; norm++) {
        for (int frequency = 1; frequency < FREQUENCIES; frequency++) {
          table[norm * FREQUENCIES + frequency] = positive(scorer.score(frequency, (byte) norm));
        }
      }
    } catch (VirtualMachineError e) {
      throw e;
    } catch (Throwable t) {
      return REFUSED;
    }
    return table;
  }

  /**
   * What is no number counts as infinite, which costs the refreshes of its page: as 0, or as the
   * least, it would make the page fall to the end of the result.
   */
  private static float positive(float score) {
    if (score > 0) {
      return score;
    }
    return score <= 0 ? LEAST : Float.POSITIVE_INFINITY;
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
