// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
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
  private final ShiftMeter meter;
  private final AtomicLongArray known;
  private final AtomicLongArray usefulness; // by version serial

  private GainTable(Matches matches, ShiftMeter meter) {
    this.matches = matches;
    this.meter = meter;
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
  static GainTable of(Matches matches, QualityChange formula) {
    Rankings first = new Rankings(matches);
    ReplayCorpus corpus = matches.corpus();
    for (int page = 0; page < corpus.pageCount(); page++) {
      matches.shifts(
          page,
          ReplayCorpus.ABSENT,
          corpus.liveVersion(page, 0),
          (slot, before, after) -> first.move(slot, after));
    }
    return new GainTable(matches, formula.over(rankFunctions(matches, first)));
  }

  private static OnHeapRankTable rankFunctions(Matches matches, Rankings rankings) {
    int queries = matches.workload().queryCount();
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(queries);
    float[] scores = new float[matches.longestResult()];
    for (int query = 0; query < queries; query++) {
      int results = rankings.size(query);
      for (int rank = 0; rank < results; rank++) {
        scores[rank] = rankings.score(rankings.slotAt(query, rank));
      }
      table.put(query, KnotSample.of(scores, results));
    }
    return table.build();
  }

  /** ΔQ_A of a page's step from one version to a later one; 0 when they are the same. */
  double gain(int page, int from, int to) {
    if (from == to) {
      return 0;
    }
    if (from == ReplayCorpus.ABSENT) {
      return measure(page, from, to);
    }
    int pair = matches.corpus().pair(page, from, to);
    double gain = Double.longBitsToDouble(known.getOpaque(pair));
    if (Double.isNaN(gain)) {
      gain = measure(page, from, to);
      known.setOpaque(pair, Double.doubleToRawLongBits(gain));
    }
    return gain;
  }

  private double measure(int page, int from, int to) {
    double[] sum = new double[1];
    matches.shifts(
        page,
        from,
        to,
        (slot, before, after) -> {
          int query = matches.query(slot);
          sum[0] += matches.workload().frequency(query) * meter.change(query, before, after);
        });
    return sum[0];
  }

  /**
   * What users get from a page in a version, by the same rank functions: sum of f_q · I(rank) ·
   * score, which is its own part of the change when it enters a result.
   */
  double usefulness(int page, int version) {
    int serial = matches.corpus().serial(page, version);
    double sum = Double.longBitsToDouble(usefulness.getOpaque(serial));
    if (Double.isNaN(sum)) {
      sum = ownPart(page, version);
      usefulness.setOpaque(serial, Double.doubleToRawLongBits(sum));
    }
    return sum;
  }

  private double ownPart(int page, int version) {
    double[] sum = new double[1];
    matches.shifts(
        page,
        ReplayCorpus.ABSENT,
        version,
        (slot, before, after) -> {
          int query = matches.query(slot);
          sum[0] += matches.workload().frequency(query) * meter.effect(query, 0, after).own();
        });
    return sum[0];
  }
}
