// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;

/**
 * {@link PassedPages} for curves that have no {@link PassedPagesMeter}: by the plain form, one rank
 * function a shift. Safe for several threads.
 */
record PassedPagesByCurve(RankTable table, PassedPages plain) implements ShiftMeter {
  @Override
  public ShiftEffect effect(int query, double before, double after) {
    return plain.effect(LogLogRankFunction.of(table, query), before, after);
  }

  @Override
  public double entry(int query, double score) {
    return plain.entry(LogLogRankFunction.of(table, query), score);
  }

  @Override
  public double change(int query, double before, double after, ShiftParts parts) {
    LogLogRankFunction function = LogLogRankFunction.of(table, query);
    ShiftEffect effect = plain.effect(function, before, after);
    parts.setEntries(plain.entry(function, before), plain.entry(function, after));
    parts.setEffect(effect.rankBefore(), effect.rankAfter(), effect.own(), effect.total());
    return effect.total();
  }
}
