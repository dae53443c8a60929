// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * An estimate of what a score shift does to the quality of one query's result: the summand of ΔQ_A
 * (2005, section 5.1.2) without the query's frequency.
 *
 * <p>Implementations are immutable and safe for several threads.
 */
public interface QualityChange {
  /** I(r), which the estimate weighs positions with. */
  ViewingLikelihood views();

  /**
   * The effect of a page's score moving from {@code before} to {@code after}, 0 standing for not in
   * the result.
   *
   * @throws IllegalArgumentException if a score is negative or not finite
   */
  ShiftEffect effect(LogLogRankFunction function, double before, double after);

  /**
   * This estimate for the queries of a table, ready to measure many shifts. The table is read when
   * the meter is made or later. On a live index it changes between measurements, of which {@link
   * ShiftMeter#renew} tells for every query: a meter that keeps anything of it must make that anew
   * then.
   */
  default ShiftMeter over(RankTable table) {
    return new PlainMeter(this, query -> LogLogRankFunction.of(table, query));
  }

  /** This estimate for queries by their rank functions, ready to measure many shifts. */
  default ShiftMeter over(LogLogRankFunction[] functions) {
    LogLogRankFunction[] kept = functions.clone();
    return new PlainMeter(this, query -> kept[query]);
  }
}
