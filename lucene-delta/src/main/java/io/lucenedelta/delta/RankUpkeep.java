// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ShiftMeter;
import java.util.BitSet;

/**
 * Tells rank functions what became of a batch's pages, so that the next batch is measured against
 * the results as they are now. Made for one batch, for one thread.
 */
final class RankUpkeep {
  private final OffHeapRankTable table;
  private final ShiftMeter meter;
  private final LostPlaces lost;
  private final TermScores scores;
  private final AffectedQueries.Comparison affected;
  private final BatchShifts kept;
  private final VectorBuffer nothing = new VectorBuffer();
  private final BitSet moved = new BitSet();
  private final AffectedQueries.Shifts told = this::shift;

  RankUpkeep(
      OffHeapRankTable table,
      ShiftMeter meter,
      LostPlaces lost,
      TermScores scores,
      AffectedQueries affected,
      BatchShifts kept) {
    this.table = table;
    this.meter = meter;
    this.lost = lost;
    this.scores = scores;
    this.affected = affected.comparison();
    this.kept = kept;
  }

  /** Whether a candidate's shifts are still known from measuring it. */
  boolean knows(int candidate) {
    return kept.has(candidate, scores);
  }

  /** A candidate of the batch whose shifts are known is live now. */
  void arrived(int candidate) {
    kept.forEach(candidate, told);
  }

  /** A copy of a page is live now; {@code before} is empty for a page that was not there. */
  void arrived(VectorBuffer before, VectorBuffer after) {
    affected.compare(before, after, scores, told);
  }

  /** A page left the index. */
  void left(VectorBuffer before) {
    affected.compare(before, nothing, scores, told);
  }

  private void shift(int query, double before, double after) {
    if (table.move(query, before, after)) {
      moved.set(query);
    }
  }

  /** Renews the rank functions that moved, and what measuring keeps of them. */
  void finish() {
    for (int query = moved.nextSetBit(0); query >= 0; query = moved.nextSetBit(query + 1)) {
      table.renew(query);
      meter.renew(query);
      lost.look(query);
    }
  }
}
