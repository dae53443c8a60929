// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.WordEvidence;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * ΔQ_A of replacing one version of a page by another, estimated as the product does it: score
 * shifts against rank functions built from the first week's results, which lack what is hidden
 * then.
 *
 * <p>With rank functions fixed, an estimate depends on the two versions alone, so it is computed
 * once and shared by all runs. 8 bytes for every pair of a version that some run has fetched and
 * one before it. Safe for use by several threads: two may compute the same value, which does no
 * harm.
 */
final class GainTable {
  private static final long UNKNOWN = Double.doubleToRawLongBits(Double.NaN);

  private final Matches matches;
  private final GainFormula formula;
  private final GainFormula.Meter meter;
  private final AtomicReferenceArray<AtomicLongArray> known; // by serial of the later, by earlier
  private final AtomicLongArray usefulness; // by version serial
  private final WordEvidence words;

  private GainTable(GainFormula formula, Rankings rankings) {
    this.words = formula.words(rankings);
    this.matches = formula.matches();
    this.formula = formula;
    this.meter = formula.over(rankings);
    this.known = new AtomicReferenceArray<>(matches.corpus().versionCount());
    this.usefulness = unknown(matches.corpus().versionCount());
  }

  private static AtomicLongArray unknown(int count) {
    AtomicLongArray values = new AtomicLongArray(count);
    for (int i = 0; i < count; i++) {
      values.setPlain(i, UNKNOWN);
    }
    return values;
  }

  /** Steps to a version, by the version before. */
  private AtomicLongArray stepsTo(int page, int version) {
    int serial = matches.corpus().serial(page, version);
    AtomicLongArray steps = known.get(serial);
    if (steps == null) {
      known.compareAndSet(serial, null, unknown(version));
      steps = known.get(serial);
    }
    return steps;
  }

  /**
   * A table over the results of the first week.
   *
   * @param hidden pages that no result has yet
   */
  static GainTable of(GainFormula formula, BitSet hidden) {
    Matches matches = formula.matches();
    Moves moves = new Moves();
    ReplayCorpus corpus = matches.corpus();
    for (int page = hidden.nextClearBit(0);
        page < corpus.pageCount();
        page = hidden.nextClearBit(page + 1)) {
      matches.shifts(page, ReplayCorpus.ABSENT, corpus.liveVersion(page, 0), moves);
    }
    Rankings first = new Rankings(matches);
    first.moveAll(moves);
    return new GainTable(formula, first);
  }

  /** What the words of a title let expect, given its terms, ascending. */
  double evidence(int[] terms) {
    return words.of(terms);
  }

  /** The formula, for rank functions of another moment. */
  GainFormula formula() {
    return formula;
  }

  /** ΔQ_A of a page's step from one version to a later one; 0 when they are the same. */
  double gain(int page, int from, int to) {
    if (from == to) {
      return 0;
    }
    if (from == ReplayCorpus.ABSENT) {
      return meter.gain(page, from, to);
    }
    AtomicLongArray steps = stepsTo(page, to);
    double gain = Double.longBitsToDouble(steps.getOpaque(from));
    if (Double.isNaN(gain)) {
      gain = meter.gain(page, from, to);
      steps.setOpaque(from, Double.doubleToRawLongBits(gain));
    }
    return gain;
  }

  /**
   * What users get from a page in a version, by the same rank functions: sum of f_q · I(rank) ·
   * score, which is its own part of the change when it enters a result.
   */
  double usefulness(int page, int version) {
    int serial = matches.corpus().serial(page, version);
    double sum = Double.longBitsToDouble(usefulness.getOpaque(serial));
    if (Double.isNaN(sum)) {
      sum = meter.usefulness(page, version);
      usefulness.setOpaque(serial, Double.doubleToRawLongBits(sum));
    }
    return sum;
  }
}
