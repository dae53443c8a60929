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
   * Moves many slots, sorting them first; what is between two of them is copied once for all that
   * leave and once for all that arrive, instead of once for each of them.
   */
  void moveAll(Moves moves) {
    moves.sort();
    for (int first = 0; first < moves.size(); ) {
      int query = matches.query(moves.slot(first));
      int end = first + 1;
      while (end < moves.size() && moves.slot(end) < matches.firstSlot(query + 1)) {
        end++;
      }
      if (end == first + 1) {
        move(moves.slot(first), moves.score(first));
      } else {
        takeOut(query, moves, first, end);
        putIn(query, moves, first, end);
      }
      first = end;
    }
  }

  private void takeOut(int query, Moves moves, int first, int end) {
    int[] places = new int[end - first];
    int n = 0;
    for (int i = first; i < end; i++) {
      int slot = moves.slot(i);
      if (score[slot] > 0) {
        places[n++] = matches.firstSlot(query) + rank(query, slot, score[slot]);
      }
    }
    Arrays.sort(places, 0, n);
    int endOfAll = matches.firstSlot(query) + size[query];
    for (int i = 0; i < n; i++) { // i slots are missing before what follows
      int from = places[i] + 1;
      int until = i + 1 < n ? places[i + 1] : endOfAll;
      System.arraycopy(order, from, order, places[i] - i, until - from);
    }
    size[query] -= n;
  }

  private void putIn(int query, Moves moves, int first, int end) {
    long[] arriving = new long[end - first];
    int n = 0;
    for (int i = first; i < end; i++) {
      int slot = moves.slot(i);
      score[slot] = moves.score(i);
      if (score[slot] > 0) {
        arriving[n++] = rankedBy(slot);
      }
    }
    Arrays.sort(arriving, 0, n);
    int base = matches.firstSlot(query);
    int stayed = size[query];
    for (int i = n - 1; i >= 0; i--) { // the last one first, into what was not copied away yet
      int slot = (int) arriving[i];
      int rank = rank(query, slot, score[slot]);
      System.arraycopy(order, base + rank, order, base + rank + i + 1, size[query] - rank);
      order[base + rank + i] = slot;
      size[query] = rank;
    }
    size[query] = stayed + n;
  }

  /** Lower for a better rank: bits of scores above 0 rise with them; then the slot. */
  private long rankedBy(int slot) {
    return (long) -Float.floatToIntBits(score[slot]) << Integer.SIZE | slot;
  }
}
