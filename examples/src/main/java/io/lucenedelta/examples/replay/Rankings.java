// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Arrays;

/**
 * The complete result of every query, kept in order while pages change: score descending, ties in
 * page order. 8 bytes a slot. Not safe for use by several threads.
 */
final class Rankings {
  private final Matches matches;
  private final float[] score; // by slot, 0 when not in the result
  private final int[] order; // by slot position: the slots of a query in rank order, then junk
  private final int[] size; // by query

  Rankings(Matches matches) {
    this(
        matches,
        new float[matches.slotCount()],
        new int[matches.slotCount()],
        new int[matches.workload().queryCount()]);
  }

  private Rankings(Matches matches, float[] score, int[] order, int[] size) {
    this.matches = matches;
    this.score = score;
    this.order = order;
    this.size = size;
  }

  Rankings copy() {
    return new Rankings(matches, score.clone(), order.clone(), size.clone());
  }

  /** Number of results of a query. */
  int size(int query) {
    return size[query];
  }

  /** The slot at a rank of a query's result, ranks counted from 0. */
  int slotAt(int query, int rank) {
    return order[matches.firstSlot(query) + rank];
  }

  float score(int slot) {
    return score[slot];
  }

  /** The rank, counted from 0, that a slot has or would have with a score. */
  int rank(int query, int slot, float itsScore) {
    int base = matches.firstSlot(query);
    int low = base;
    int high = base + size[query];
    while (low < high) {
      int middle = (low + high) >>> 1;
      int other = order[middle];
      boolean before = score[other] > itsScore || (score[other] == itsScore && other < slot);
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - base;
  }

  /** Gives a slot a new score, 0 taking it out of the result, and moves it to its rank. */
  void move(int slot, float after) {
    int query = matches.query(slot);
    int base = matches.firstSlot(query);
    float before = score[slot];
    int end = base + size[query];
    int from = before > 0 ? base + rank(query, slot, before) : end;
    int to = after > 0 ? base + rank(query, slot, after) : end;
    if (before > 0 && to > from) {
      to--; // leaving its old rank moves everything behind it up
      System.arraycopy(order, from + 1, order, from, to - from);
    } else {
      System.arraycopy(order, to, order, to + 1, from - to);
    }
    size[query] += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
    if (after > 0) {
      order[to] = slot;
    }
    score[slot] = after;
  }

  /**
   * Gives a slot that is in no result a score above 0, without looking for its rank: no rank counts
   * until {@link #sort}. Moved in one by one, n slots of a query would push each other n times.
   */
  void add(int slot, float itsScore) {
    int query = matches.query(slot);
    score[slot] = itsScore;
    order[matches.firstSlot(query) + size[query]++] = slot;
  }

  /** Brings the slots of every query into the order of their ranks. */
  void sort() {
    long[] ranked = new long[matches.longestResult()];
    for (int query = 0; query < size.length; query++) {
      int base = matches.firstSlot(query);
      for (int i = 0; i < size[query]; i++) {
        ranked[i] = rankedBy(order[base + i]);
      }
      Arrays.sort(ranked, 0, size[query]);
      for (int i = 0; i < size[query]; i++) {
        order[base + i] = (int) ranked[i];
      }
    }
  }

  /** Lower for a better rank: bits of scores above 0 rise with them; then the slot. */
  private long rankedBy(int slot) {
    return (long) -Float.floatToIntBits(score[slot]) << Integer.SIZE | slot;
  }
}
