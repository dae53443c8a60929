// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import java.util.Objects;

/** Rank functions in two arrays on the heap: 20 bytes a query. Immutable once built. */
public final class OnHeapRankTable implements RankTable {
  private final int[] results;
  private final float[] knotScores;

  private OnHeapRankTable(int[] results, float[] knotScores) {
    this.results = results;
    this.knotScores = knotScores;
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
    return knotScores[query * KNOTS + knot];
  }

  /** Collects samples. Distinct queries may be put by different threads. */
  public static final class Builder {
    private final int[] results;
    private final float[] knotScores;

    private Builder(int queries) {
      results = new int[queries];
      knotScores = new float[Math.multiplyExact(queries, KNOTS)];
    }

    /** Sets the rank function of a query; the last call for a query counts. */
    public Builder put(int query, KnotSample sample) {
      results[query] = sample.results();
      for (int knot = 0; knot < KNOTS; knot++) {
        knotScores[query * KNOTS + knot] = sample.score(knot);
      }
      return this;
    }

    /** The table of what was put so far; later calls do not change it. */
    public OnHeapRankTable build() {
      return new OnHeapRankTable(results.clone(), knotScores.clone());
    }
  }
}
