// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/**
 * The rank functions of a workload's queries, by query number: a port that storage implements.
 *
 * <p>{@value #BYTES} bytes a query: the number of results and, coded by {@link KnotCode}, the
 * scores of the first {@value #KNOWN} results and at three ranks from there to N. Implementations
 * are safe for reading by several threads.
 */
public interface RankTable {
  /** Results, from the first, whose own scores are kept. */
  int KNOWN = 12;

  /** Scores kept a query. */
  int KNOTS = KNOWN + 3;

  /** Points of the curve between the first results and the last, see {@link #pointScore}. */
  int POINTS = KNOTS - KNOWN - 1;

  /** Bytes a query takes: an int and the longs that {@link KnotCode} packs the scores into. */
  int BYTES = Integer.BYTES + KnotCode.LONGS * Long.BYTES;

  /** Number of queries. */
  int size();

  /** N of a query's result, 0 or more. */
  int results(int query);

  /** The score at a knot, {@code 0 <= knot < KNOTS}; 0 when the query has no results. */
  float knotScore(int query, int knot);

  /**
   * The score at a point of the curve between the first results and the last, {@code 0 <= point <
   * POINTS}. A shift that crosses neither of the two, stays in the result and does not become its
   * last moves nothing beyond the first results. At a knot, unless the table knows better.
   */
  default float pointScore(int query, int point) {
    return knotScore(query, KNOWN + point);
  }

  /** The rank of a point. */
  default double pointRank(int query, int point) {
    return KnotRanks.rank(results(query), KNOWN + point);
  }
}
