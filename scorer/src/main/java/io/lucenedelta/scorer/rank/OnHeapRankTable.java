// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Objects;

/** Rank functions in two arrays on the heap: 20 bytes a query. Immutable once built. */
public final class OnHeapRankTable implements RankTable {
  private final int[] results;
  private final long[] knots; // two a query

  private OnHeapRankTable(int[] results, long[] knots) {
    this.results = results;
    this.knots = knots;
  }

  /** A builder for the given number of queries, all without results until they are put. */
  public static Builder builder(int queries) {
    return new Builder(queries);
  }

  @Override
  public int size() {
    return results.length;
  }

  @Override
  public int results(int query) {
    return results[query];
  }

  @Override
  public float knotScore(int query, int knot) {
    Objects.checkIndex(knot, KNOTS);
    return KnotCode.unpack(knots[2 * query + KnotCode.half(knot)], knot);
  }

  /** Collects samples. Distinct queries may be put by different threads. */
  public static final class Builder {
    private final int[] results;
    private final long[] knots;

    private Builder(int queries) {
      results = new int[queries];
      knots = new long[Math.multiplyExact(queries, 2)];
    }

    /** Sets the rank function of a query; the last call for a query counts. */
    public Builder put(int query, KnotSample sample) {
      results[query] = sample.results();
      knots[2 * query] = KnotCode.pack(sample, 0);
      knots[2 * query + 1] = KnotCode.pack(sample, 1);
      return this;
    }

    /** The table of what was put so far; later calls do not change it. */
    public OnHeapRankTable build() {
      return new OnHeapRankTable(results.clone(), knots.clone());
    }
  }
}
