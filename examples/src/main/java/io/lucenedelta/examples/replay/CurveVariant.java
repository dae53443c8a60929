// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A way to draw F_q through the scores of a complete result: how many pieces, where the knots lie,
 * which scores they get.
 *
 * @param pieces number of straight pieces
 * @param placement where knots lie
 * @param fit which scores knots get
 */
record CurveVariant(int pieces, Placement placement, Fit fit) {
  /** Where knots lie. */
  enum Placement {
    /** At equal distances in ln rank, as in the 2005 paper. */
    EQUAL("equal"),
    /** One after the other where the curve so far is most wrong, errors weighted with 1/rank. */
    DATA("data-driven"),
    /** At each of the first ranks, at N and at two ranks between. */
    FIRST("the first ranks, two between, N"),
    /** The same, coded, as the product does it. */
    PRODUCT("the product's");

    private final String label;

    Placement(String label) {
      this.label = label;
    }
  }

  /** Which scores knots get. */
  enum Fit {
    /** The result's own score there. */
    INTERPOLATED("interpolated"),
    /** Least squares of ln score, weighted with 1/rank. */
    LEAST_SQUARES("least squares");

    private final String label;

    Fit(String label) {
      this.label = label;
    }
  }

  /** What the product does. */
  static final CurveVariant PRODUCT =
      new CurveVariant(RankTable.KNOTS - 1, Placement.PRODUCT, Fit.INTERPOLATED);

  /** The paper's: three equal pieces. */
  static final CurveVariant PAPER = new CurveVariant(3, Placement.EQUAL, Fit.INTERPOLATED);

  /** Every variant that is compared. */
  static List<CurveVariant> all() {
    List<CurveVariant> all = new ArrayList<>(List.of(PRODUCT));
    for (int first : new int[] {3, 6, 9, 12, 15, 18, 30}) {
      all.add(new CurveVariant(first + 2, Placement.FIRST, Fit.INTERPOLATED));
    }
    for (int pieces = 2; pieces <= 8; pieces++) {
      all.add(new CurveVariant(pieces, Placement.EQUAL, Fit.INTERPOLATED));
      all.add(new CurveVariant(pieces, Placement.EQUAL, Fit.LEAST_SQUARES));
      all.add(new CurveVariant(pieces, Placement.DATA, Fit.INTERPOLATED));
    }
    return all;
  }

  /** Positions whose scores such a curve keeps exactly. */
  int known() {
    return switch (placement) {
      case PRODUCT -> RankTable.KNOWN;
      case FIRST -> pieces - 2;
      default -> 1;
    };
  }

  String label() {
    return pieces + " pieces, " + placement.label + ", " + fit.label;
  }

  /**
   * Bytes a query: N, a float a knot, and the inner knots' ranks where they are the query's own.
   */
  int bytes() {
    int knots = pieces + 1;
    int inner = placement == Placement.DATA ? knots - 2 : 0;
    return placement == Placement.PRODUCT ? RankTable.BYTES : Integer.BYTES * (1 + knots + inner);
  }

  /** Draws the curve through the first {@code n} scores, which descend and are positive. */
  LogLogRankFunction draw(float[] scores, int n) {
    if (placement == Placement.PRODUCT || n == 0) {
      KnotSample sample = KnotSample.of(scores.clone(), n);
      return LogLogRankFunction.of(OnHeapRankTable.builder(1).put(0, sample).build(), 0);
    }
    double[] ranks =
        switch (placement) {
          case DATA -> dataDriven(scores, n);
          case FIRST -> first(n);
          default -> equal(n);
        };
    double[] knots = Arrays.stream(ranks).map(rank -> scoreAt(rank, scores, n)).toArray();
    if (fit == Fit.LEAST_SQUARES) {
      leastSquares(ranks, knots, scores, n);
    }
    return LogLogRankFunction.through(n, ranks, knots);
  }

  private double[] equal(int n) {
    double[] ranks = new double[pieces + 1];
    Arrays.setAll(ranks, knot -> Math.min(n, Math.exp(Math.log(n) * knot / pieces)));
    ranks[pieces] = n;
    return ranks;
  }

  private double[] first(int n) {
    double[] ranks = new double[pieces + 1];
    int known = known();
    for (int knot = 0; knot < ranks.length; knot++) {
      double share = Math.max(0, (knot - known + 1) / 3.0);
      ranks[knot] = Math.min(n, Math.min(knot + 1, known) * Math.pow((double) n / known, share));
    }
    ranks[pieces] = n;
    return ranks;
  }

  private static double scoreAt(double rank, float[] scores, int n) {
    int whole = (int) Math.min(n, Math.floor(rank + 1e-9));
    if (whole == n || rank - whole < 1e-9) {
      return scores[whole - 1];
    }
    double share = Math.log(rank / whole) / Math.log((whole + 1.0) / whole);
    return scores[whole - 1] * Math.pow(scores[whole] / (double) scores[whole - 1], share);
  }

  private double[] dataDriven(float[] scores, int n) {
    double[] ranks = {1, n};
    while (ranks.length <= pieces) {
      double[] more = Arrays.copyOf(ranks, ranks.length + 1);
      more[ranks.length] = worst(ranks, scores, n);
      Arrays.sort(more);
      ranks = more;
    }
    return ranks;
  }

  /** The rank at which the curve through whole ranks is most wrong; the last when nowhere. */
  private static double worst(double[] ranks, float[] scores, int n) {
    double largest = 0;
    double found = n;
    for (int piece = 0; piece + 1 < ranks.length; piece++) {
      int from = (int) ranks[piece];
      int to = (int) ranks[piece + 1];
      for (int rank = from + 1; rank < to; rank++) {
        double share = Math.log(rank / (double) from) / Math.log(to / (double) from);
        double top = Math.log(scores[from - 1]);
        double drawn = top + share * (Math.log(scores[to - 1]) - top);
        double error = Math.abs(Math.log(scores[rank - 1]) - drawn) / rank;
        if (error > largest) {
          largest = error;
          found = rank;
        }
      }
    }
    return found;
  }

  /** Replaces knot scores by the least squares ones; where there is no data they stay. */
  private static void leastSquares(double[] ranks, double[] knots, float[] scores, int n) {
    int size = ranks.length;
    double[] diagonal = new double[size];
    double[] beside = new double[size];
    double[] right = new double[size];
    for (int knot = 0; knot < size; knot++) {
      diagonal[knot] = 1e-6;
      right[knot] = 1e-6 * Math.log(knots[knot]);
    }
    int piece = 0;
    for (int rank = 1; rank <= n; rank++) {
      while (piece < size - 2 && ranks[piece + 1] < rank) {
        piece++;
      }
      double length = Math.log(ranks[piece + 1] / ranks[piece]);
      double share = length > 0 ? Math.min(1, Math.log(rank / ranks[piece]) / length) : 0;
      double lnScore = Math.log(scores[rank - 1]);
      diagonal[piece] += (1 - share) * (1 - share) / rank;
      diagonal[piece + 1] += share * share / rank;
      beside[piece] += share * (1 - share) / rank;
      right[piece] += (1 - share) * lnScore / rank;
      right[piece + 1] += share * lnScore / rank;
    }
    for (int knot = 1; knot < size; knot++) {
      double factor = beside[knot - 1] / diagonal[knot - 1];
      diagonal[knot] -= factor * beside[knot - 1];
      right[knot] -= factor * right[knot - 1];
    }
    for (int knot = size - 1; knot >= 0; knot--) {
      double next = knot + 1 < size ? beside[knot] * right[knot + 1] : 0;
      right[knot] = (right[knot] - next) / diagonal[knot];
    }
    for (int knot = 0; knot < size; knot++) {
      double score = Math.exp(right[knot]);
      knots[knot] = knot == 0 ? score : Math.min(score, knots[knot - 1]);
    }
  }
}
