// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.workload.QueriesByTerm;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tells rank functions what became of a batch's pages, so that the next batch is measured against
 * the results as they are now. Made for one batch; for one thread, which may call others.
 */
final class RankUpkeep {
  /** Queries so near, by the bits of their number, lie in the same lines of the cache. */
  private static final int NEIGHBOURS = 4;

  private final OffHeapRankTable table;
  private final ShiftMeter meter;
  private final LostPlaces lost;
  private final TermScores scores;
  private final AffectedQueries.Comparison affected;
  private final BatchShifts kept;
  private final VectorBuffer nothing = new VectorBuffer();
  private final BitSet moved = new BitSet();
  private final QueriesByTerm.Shifts told = this::shift;

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

  /**
   * Candidates of the batch whose shifts are known are live now. Threads share the queries, and
   * each tells its own of every candidate, in order: a rank function becomes the same, however many
   * there are.
   */
  void arrived(int[] candidates, int count, MeasuringThreads threads, Costs costs)
      throws IOException {
    int shares = Integer.highestOneBit(threads.useful(count));
    AtomicInteger taken = new AtomicInteger();
    threads.run(
        shares,
        thread -> {
          for (int share = taken.getAndIncrement();
              share < shares;
              share = taken.getAndIncrement()) {
            long begin = costs.begin();
            tell(candidates, count, share, shares - 1);
            costs.end(Costs.Step.FOLLOW, begin);
          }
        });
  }

  private void tell(int[] candidates, int count, int share, int mask) {
    BatchShifts.Reader shifts = kept.reader();
    BitSet movedHere = new BitSet();
    QueriesByTerm.Shifts shareOnly =
        (query, before, after) -> {
          if ((query >>> NEIGHBOURS & mask) == share && moves(query, before, after)) {
            movedHere.set(query);
          }
        };
    for (int i = 0; i < count; i++) {
      shifts.forEach(candidates[i], shareOnly);
    }
    synchronized (moved) {
      moved.or(movedHere);
    }
  }

  /** A copy of a page is live now; {@code before} is empty for a page that was not there. */
  void arrived(VectorBuffer before, VectorBuffer after) {
    affected.compare(before, after, scores, told);
  }

  /** A page left the index. */
  void pageLeftIndex(VectorBuffer before) {
    affected.compare(before, nothing, scores, told);
  }

  private void shift(int query, double before, double after) {
    if (moves(query, before, after)) {
      moved.set(query);
    }
  }

  /** A score that is not finite is the largest there is: rank functions know no other. */
  private boolean moves(int query, double before, double after) {
    return table.move(query, finite(before), finite(after));
  }

  private static double finite(double score) {
    return score <= Float.MAX_VALUE ? score : Float.MAX_VALUE;
  }

  /** Renews the rank functions that moved, and what measuring keeps of them. */
  void finish() {
    for (int query = moved.nextSetBit(0); query >= 0; query = moved.nextSetBit(query + 1)) {
      table.renew(query);
      meter.renew(query);
      lost.recheck(query);
    }
  }
}
