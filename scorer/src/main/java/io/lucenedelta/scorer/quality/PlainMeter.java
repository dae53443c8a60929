// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.function.IntFunction;

/**
 * Asks an estimate shift by shift and keeps nothing. Safe for several threads.
 *
 * @param functions by query
 */
record PlainMeter(QualityChange estimate, IntFunction<LogLogRankFunction> functions)
    implements ShiftMeter {
  @Override
  public ShiftEffect effect(int query, double before, double after) {
    return estimate.effect(functions.apply(query), before, after);
  }

  @Override
  public double change(int query, double before, double after, ShiftParts parts) {
    return parts.set(this, query, before, after);
  }
}
