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

  /** Bytes a query takes: an int and the longs that {@link KnotCode} packs the scores into. */
  int BYTES = Integer.BYTES + KnotCode.LONGS * Long.BYTES;

  /** Number of queries. */
  int size();

  /** N of a query's result, 0 or more. */
  int results(int query);

  /** The score at a knot, {@code 0 <= knot < KNOTS}; 0 when the query has no results. */
  float knotScore(int query, int knot);
}
