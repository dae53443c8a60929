// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Objects;

/** Rank functions in two arrays on the heap. Immutable once built. */
public final class OnHeapRankTable implements RankTable {
  private final int[] results;
  private final long[] knots; // LONGS a query

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
    return KnotCode.unpack(knots[KnotCode.LONGS * query + KnotCode.part(knot)], knot);
  }

  /** Collects samples. Distinct queries may be put by different threads. */
  public static final class Builder {
    private final int[] results;
    private final long[] knots;

    private Builder(int queries) {
      results = new int[queries];
      knots = new long[Math.multiplyExact(queries, KnotCode.LONGS)];
    }

    /** Sets the rank function of a query; the last call for a query counts. */
    public Builder put(int query, KnotSample sample) {
      results[query] = sample.results();
      for (int part = 0; part < KnotCode.LONGS; part++) {
        knots[KnotCode.LONGS * query + part] = KnotCode.pack(sample, part);
      }
      return this;
    }

    /** The table of what was put so far; later calls do not change it. */
    public OnHeapRankTable build() {
      return new OnHeapRankTable(results.clone(), knots.clone());
    }
  }
}
