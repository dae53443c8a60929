// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.util.BitSet;

/**
 * The queries whose first results are no longer known one by one, since more of them left than
 * came: what rank functions that follow pages lose, and a build finds again.
 *
 * <p>For one thread.
 */
final class LostPlaces {
  private final OffHeapRankTable table;
  private final Workload workload;
  private final BitSet lost = new BitSet();
  private final double asked; // frequencies of all queries
  private double askedOfLost;

  /** Looks at every query of a table. */
  LostPlaces(OffHeapRankTable table, Workload workload) {
    this.table = table;
    this.workload = workload;
    double sum = 0;
    for (int query = 0; query < table.size(); query++) {
      sum += workload.frequency(query);
      recheck(query);
    }
    this.asked = sum;
  }

  /** Looks at a query whose rank function moved. */
  void recheck(int query) {
    boolean now = !table.knowsFirst(query);
    if (now != lost.get(query)) {
      lost.set(query, now);
      askedOfLost += now ? workload.frequency(query) : -workload.frequency(query);
    }
  }

  /** The share of what is asked that goes to such queries, 0 to 1. */
  double share() {
    return lost.isEmpty() ? 0 : askedOfLost / asked;
  }
}
