// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;

/**
 * How well words about a page that are known before it is fetched tell how useful it will be;
 * learned from pages for which both are known.
 *
 * <p>Pages are put in classes by their evidence, a class for every power of four and one for none.
 * The factor of a class is (Σ usefulness + w·m) / (Σ usual + w·m): usual is what other pages of the
 * page's directory let expect, m its mean over all pages learned from, w = {@value #PAGES} pages.
 * It is 1 where nothing was learned. Not safe for use by several threads.
 */
public final class WordFactor {
  private static final int PAGES = 5;
  private static final int LOWEST = -8; // class 1 has the next power and all below
  private static final int CLASSES = 32;

  private final StableSum[] useful = new StableSum[CLASSES];
  private final StableSum[] usual = new StableSum[CLASSES];
  private final StableSum all = new StableSum();

  /** Nothing learned yet. */
  public WordFactor() {
    for (int number = 0; number < CLASSES; number++) {
      useful[number] = new StableSum();
      usual[number] = new StableSum();
    }
  }

  /**
   * Learns from a page.
   *
   * @param evidence of its words, 0 or more
   * @param usefulness as it was found, 0 or more
   * @param expected the usefulness that is usual in its directory {@linkplain
   *     LearnedGains#usualUsefulnessWithout without the page itself}, which would draw the factor
   *     towards 1; 0 or more
   */
  public void add(double evidence, double usefulness, double expected) {
    int number = classOf(evidence);
    useful[number].add(usefulness);
    usual[number].add(expected);
    all.add(expected);
  }

  /** By what factor a page promises to be more useful than is usual in its directory. */
  public double of(double evidence) {
    int number = classOf(evidence);
    double weight = PAGES * all.mean();
    double expected = usual[number].value() + weight;
    return expected > 0 ? (useful[number].value() + weight) / expected : 1;
  }

  private static int classOf(double evidence) {
    int power = Math.floorDiv(Math.getExponent(evidence), 2); // 4^power is at most the evidence
    return evidence > 0 ? Math.clamp(power - LOWEST, 1, CLASSES - 1) : 0;
  }

  /**
   * Writes what was learned.
   *
   * @throws IOException if it cannot be written
   */
  public void write(DataOutput out) throws IOException {
    all.write(out);
    for (int number = 0; number < CLASSES; number++) {
      useful[number].write(out);
      usual[number].write(out);
    }
  }

  /**
   * Goes on with what was written; begins anew where that is not finite.
   *
   * @throws IOException if it cannot be read
   */
  public void read(DataInput in) throws IOException {
    all.read(in);
    boolean finite = all.isFinite();
    for (int number = 0; number < CLASSES; number++) {
      useful[number].read(in);
      usual[number].read(in);
      finite &= useful[number].isFinite() && usual[number].isFinite();
    }
    if (!finite) {
      all.clear();
      Arrays.stream(useful).forEach(StableSum::clear);
      Arrays.stream(usual).forEach(StableSum::clear);
    }
  }
}
