// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.WordEvidence;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * ΔQ_A of replacing one version of a page by another, estimated as the product does it: score
 * shifts against rank functions built from the first week's results.
 *
 * <p>With rank functions fixed, an estimate depends on the two versions alone, so it is computed
 * once and shared by all runs. 8 bytes a pair of versions. Safe for use by several threads: two may
 * compute the same value, which does no harm.
 */
final class GainTable {
  private static final long UNKNOWN = Double.doubleToRawLongBits(Double.NaN);

  private final Matches matches;
  private final GainFormula formula;
  private final GainFormula.Meter meter;
  private final AtomicLongArray known;
  private final AtomicLongArray usefulness; // by version serial

  private final WordEvidence words;

  private GainTable(GainFormula formula, Rankings rankings) {
    this.words = formula.words(rankings);
    this.matches = formula.matches();
    this.formula = formula;
    this.meter = formula.over(rankings);
    this.known = new AtomicLongArray(matches.corpus().pairCount());
    this.usefulness = new AtomicLongArray(matches.corpus().versionCount());
    forget(known);
    forget(usefulness);
  }

  private static void forget(AtomicLongArray values) {
    for (int i = 0; i < values.length(); i++) {
      values.setPlain(i, UNKNOWN);
    }
  }

  /** A table over the results of the first week. */
  static GainTable of(GainFormula formula) {
    Matches matches = formula.matches();
    Rankings first = new Rankings(matches);
    ReplayCorpus corpus = matches.corpus();
    for (int page = 0; page < corpus.pageCount(); page++) {
      matches.shifts(
          page,
          ReplayCorpus.ABSENT,
          corpus.liveVersion(page, 0),
          (slot, before, after) -> first.move(slot, after));
    }
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
    int pair = matches.corpus().pair(page, from, to);
    double gain = Double.longBitsToDouble(known.getOpaque(pair));
    if (Double.isNaN(gain)) {
      gain = meter.gain(page, from, to);
      known.setOpaque(pair, Double.doubleToRawLongBits(gain));
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
