// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;

/**
 * {@link PaperSum} over the rank functions of many queries, for measuring many shifts: what lies
 * behind each position is added up once for a query, when its first shift is measured, so that a
 * shift costs the same however many positions it passes; 16 bytes for each position that {@link
 * PaperSum} adds up one by one. The sums run from behind, so that a difference of two of them is
 * exact to eleven digits.
 */
final class PaperSumMeter implements ShiftMeter {
  private final PaperSum sum;
  private final LogLogRankFunction[] functions;
  private final Behind[] behind; // two threads may make the same one, which does no harm

  PaperSumMeter(PaperSum sum, LogLogRankFunction[] functions) {
    this.sum = sum;
    this.functions = functions.clone();
    this.behind = new Behind[functions.length];
  }

  @Override
  public ShiftEffect effect(int query, double before, double after) {
    LogLogRankFunction function = functions[query];
    Behind known = behind[query];
    if (known == null) {
      known = new Behind(sum.oneByOne(function), Math.min(PaperSum.SUMMED, function.results()));
      behind[query] = known;
    }
    return sum.effect(function, before, after, known);
  }

  /** Sums from each position to the last one that is added up. */
  private static final class Behind implements PaperSum.Positions {
    private final double[] falling;
    private final double[] rising;

    Behind(PaperSum.Positions each, int last) {
      falling = new double[last + 2];
      rising = new double[last + 2];
      for (int r = last; r >= 1; r--) {
        falling[r] = r == 1 ? 0 : falling[r + 1] + each.falling(r, r);
        rising[r] = rising[r + 1] + each.rising(r, r);
      }
    }

    @Override
    public double falling(double first, double last) {
      return first > last ? 0 : falling[(int) first] - falling[(int) last + 1];
    }

    @Override
    public double rising(double first, double last) {
      return first > last ? 0 : rising[(int) first] - rising[(int) last + 1];
    }
  }
}
