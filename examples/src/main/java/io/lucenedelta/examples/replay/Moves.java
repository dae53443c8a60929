// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/** New scores of many slots, each slot once, to be made known to {@link Rankings} at once. */
final class Moves implements Matches.ShiftReader {
  private long[] moves = new long[256]; // slot, then the bits of its score
  private int size;

  @Override
  public void shift(int slot, float before, float after) {
    if (size == moves.length) { // doubled: there are millions, and all are copied each time
      moves = Arrays.copyOf(moves, (int) Math.min(2L * size, ArrayUtil.MAX_ARRAY_LENGTH));
    }
    moves[size++] = (long) slot << Integer.SIZE | Float.floatToIntBits(after);
  }

  /** Brings slots into ascending order, so that those of a query are together. */
  void sort() {
    Arrays.sort(moves, 0, size);
  }

  int size() {
    return size;
  }

  int slot(int move) {
    return (int) (moves[move] >>> Integer.SIZE);
  }

  /** The score a slot is to have, 0 when it leaves the result. */
  float score(int move) {
    return Float.intBitsToFloat((int) moves[move]);
  }
}
