// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.Objects;

/**
 * ΔQ_A by the sum of the 2005 paper (section 5.1.2) over the whole positions that the page passes.
 *
 * <p>r1 and r2 are rounded half up to whole positions i1 and i2. That is how we read the paper: it
 * has r1 = F(s1) and r2 = F(s2), real numbers, and a sum from r1 + 1 to r2, and says nothing of
 * rounding; {@link IntegralSum} does without. Own part (I(i2) − I(i1))·s2. The others: when the
 * page falls, the sum over i1 &lt; r ≤ i2 of (I(r−1) − I(r))·F⁻¹(r); when it rises, over i2 ≤ r
 * &lt; i1 of (I(r+1) − I(r))·F⁻¹(r). The sum ends at N when the page leaves or enters. Rounding
 * makes the result negative at times, which the true change never is: kept for comparison, {@link
 * PassedPages} agrees better with the exact change.
 *
 * <p>Positions are summed one by one where they are few and by an integral where they are many:
 * beyond rank 2,000, with a relative error below 1e-7. The paper goes further: on a piece of F it
 * takes the average difference of consecutive scores for each of them, and an integral wherever r2
 * − r1 is large.
 *
 * @param views I(r)
 */
public record PaperSum(ViewingLikelihood views) implements QualityChange {
  /** Positions up to here are summed one by one. */
  static final int SUMMED = 2000;

  /** What those between two positions, both included, gain or lose: 0 when there is none. */
  interface Positions {
    /** When the page falls past them. */
    double falling(double first, double last);

    /** When it rises past them. */
    double rising(double first, double last);
  }

  /**
   * Checks the argument.
   *
   * @throws NullPointerException if there is no I(r)
   */
  public PaperSum {
    Objects.requireNonNull(views, PowerLawViews.NONE_GIVEN);
  }

  @Override
  public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
    return effect(function, before, after, oneByOne(function));
  }

  @Override
  public ShiftMeter over(LogLogRankFunction[] functions) {
    return new PaperSumMeter(this, functions);
  }

  /**
   * The effect, given the sums over positions up to {@value #SUMMED}.
   *
   * @param near those of this function
   */
  ShiftEffect effect(LogLogRankFunction function, double before, double after, Positions near) {
    double rankBefore = function.rankOf(before);
    double rankAfter = function.rankOf(after);
    double from = Math.floor(rankBefore + 0.5);
    double to = Math.floor(rankAfter + 0.5);
    double own = (views.at(to) - views.at(from)) * after;
    double others =
        from < to ? falling(function, from, to, near) : rising(function, from, to, near);
    return new ShiftEffect(rankBefore, rankAfter, own, others);
  }

  /** Adds up positions of a function one by one. */
  Positions oneByOne(LogLogRankFunction function) {
    return new Positions() {
      @Override
      public double falling(double first, double last) {
        double sum = 0;
        for (double r = first; r <= last; r++) {
          sum += (views.at(r - 1) - views.at(r)) * function.scoreAt(r);
        }
        return sum;
      }

      @Override
      public double rising(double first, double last) {
        double sum = 0;
        for (double r = first; r <= last; r++) {
          sum += (views.at(r + 1) - views.at(r)) * function.scoreAt(r);
        }
        return sum;
      }
    };
  }

  private double falling(LogLogRankFunction function, double from, double to, Positions near) {
    double last = Math.min(to, function.results());
    double sum = near.falling(from + 1, Math.min(last, SUMMED));
    return sum + beyond(function, Math.max(from, SUMMED), last, -0.5);
  }

  private double rising(LogLogRankFunction function, double from, double to, Positions near) {
    double last = Math.min(from - 1, function.results());
    double sum = near.rising(to, Math.min(last, SUMMED));
    return sum - beyond(function, Math.max(to, SUMMED + 1.0), last + 1, 0.5);
  }

  /**
   * The sum from one whole rank to another of what I falls over each position, times the score at
   * one end of it. With w = |I′| and s = F⁻¹ it is the integral of w·s − shift·w·s′ + (w·s″ −
   * w′·s′)/12, but for terms of the third order: Taylor's series of both about the middle of each
   * position. On a piece s falls as r^-β and I as r^-a, so that the last term is β·(β − a)/12 ·
   * w·s/r².
   */
  private double beyond(LogLogRankFunction function, double from, double to, double shift) {
    double sum = 0;
    for (int piece = 0; piece < function.pieces(); piece++) {
      boolean lastPiece = piece == function.pieces() - 1;
      double low = Math.max(from, lastCell(function.rankOfKnot(piece), shift));
      double high = lastPiece ? to : lastCell(function.rankOfKnot(piece + 1), shift);
      high = Math.min(to, high);
      if (low < high) {
        double beta = function.exponent(piece);
        double knot = Math.max(1, function.rankOfKnot(piece));
        double score = function.scoreOfKnot(piece) * Math.pow(low / knot, -beta);
        double first = shift * beta / low;
        double second = beta * (beta - viewExponent(low, high)) / (12 * low * low);
        sum +=
            views.lostViews(low, high, score, beta)
                + first * views.lostViews(low, high, score, beta + 1)
                + second * views.lostViews(low, high, score, beta + 2);
      }
    }
    return sum;
  }

  /** a, if I falls as r^-a between two ranks; 0 where nobody looks any more. */
  private double viewExponent(double from, double to) {
    double last = views.at(to);
    return last > 0 ? Math.log(views.at(from) / last) / Math.log(to / from) : 0;
  }

  /** Where the positions end whose score lies on the pieces before a knot. */
  private static double lastCell(double knotRank, double shift) {
    return shift < 0 ? Math.floor(knotRank) : Math.ceil(knotRank);
  }
}
