// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/**
 * Where the knots of a {@link RankTable} lie: at each of the first {@value RankTable#KNOWN} ranks,
 * at N, and at two ranks between that divide that stretch into three equal parts in ln rank.
 *
 * <p>A departure from the 2005 paper, which takes three pieces of equal length in ln rank (section
 * 5.1.2). Attention falls as rank^-3/2, so nearly all of ΔQ happens at the first few positions, and
 * most queries have few results: exact scores there are worth more than anything further down. The
 * measurements are in the project's decision on the rank function. A shorter result has several
 * knots at its last rank.
 */
final class KnotRanks {
  /** Knots at whole ranks, from the first. */
  static final int WHOLE = RankTable.KNOWN;

  private static final double LN_LAST_WHOLE = Math.log(WHOLE);

  private KnotRanks() {}

  /** The natural logarithm of a knot's rank; 0 when there are no results. */
  static double lnRank(int results, int knot) {
    if (results <= WHOLE || knot < WHOLE) {
      return Math.log(Math.max(1, Math.min(results, knot + 1)));
    }
    double share = (knot - WHOLE + 1.0) / (RankTable.KNOTS - WHOLE);
    return LN_LAST_WHOLE + share * (Math.log(results) - LN_LAST_WHOLE);
  }

  /** The rank of a knot; a whole number exactly where rounding alone would make it another. */
  static double rank(int results, int knot) {
    if (results <= WHOLE || knot < WHOLE) {
      return Math.max(1, Math.min(results, knot + 1));
    }
    if (knot == RankTable.KNOTS - 1) {
      return results;
    }
    return wholeWhereNear(Math.exp(lnRank(results, knot)));
  }

  /** A positive rank, or the whole number that it is but for rounding. */
  static double wholeWhereNear(double rank) {
    double whole = Math.rint(rank);
    return Math.abs(rank - whole) < 1e-9 * whole ? whole : rank;
  }
}
