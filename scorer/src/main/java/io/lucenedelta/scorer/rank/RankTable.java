// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/**
 * The rank functions of a workload's queries, by query number: a port that storage implements.
 *
 * <p>20 bytes a query: the number of results and, coded by {@link KnotCode}, the scores at six
 * ranks from 1 to N. Implementations are safe for reading by several threads.
 */
public interface RankTable {
  /** Scores kept a query. */
  int KNOTS = 6;

  /** Bytes a query takes: an int and two longs. */
  int BYTES = Integer.BYTES + 2 * Long.BYTES;

  /** Number of queries. */
  int size();

  /** N of a query's result, 0 or more. */
  int results(int query);

  /** The score at a knot, {@code 0 <= knot < KNOTS}; 0 when the query has no results. */
  float knotScore(int query, int knot);
}
