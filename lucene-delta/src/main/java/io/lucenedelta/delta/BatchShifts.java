// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The score shifts of a batch's candidates, kept outside the heap from being measured until the
 * batch is settled, when rank functions are told of those that became live: the 2005 paper's buffer
 * of score shifts (section 5.2), not written to disk.
 *
 * <pre>
 * shift → query (int32), s1 (float32), s2 (float32)
 * </pre>
 *
 * <p>Holds {@value #MOST_BYTES} bytes at most: candidates that do not fit are not there, and their
 * shifts are computed again. Reused from batch to batch, for one thread.
 */
final class BatchShifts {
  private static final int MOST_BYTES = 1 << 28;
  private static final int FIRST_BYTES = 1 << 16;
  private static final int SHIFT_BYTES = Integer.BYTES + 2 * Float.BYTES;
  private static final int NONE = -1;

  private ByteBuffer bytes = allocate(0);
  private int[] begin = new int[64];
  private int[] end = new int[64];
  private int candidates;
  private boolean refused; // more memory, in this batch
  private TermScores scores; // that they were computed with

  private static ByteBuffer allocate(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Forgets everything; what comes is computed with the given scores. */
  void begin(TermScores newScores) {
    scores = newScores;
    refused = false;
    bytes.clear();
    Arrays.fill(begin, 0, candidates, NONE);
    candidates = 0;
  }

  /** Keeps the shifts of a candidate, unless there is no room; candidates come in order. */
  void add(int candidate, ShiftBuffer shifts) {
    if (candidate >= begin.length) {
      int longer = Math.max(candidate + 1, 2 * begin.length);
      begin = Arrays.copyOf(begin, longer);
      end = Arrays.copyOf(end, longer);
    }
    Arrays.fill(begin, candidates, candidate + 1, NONE);
    candidates = candidate + 1;
    int at = bytes.position();
    if (!makeRoom((long) shifts.size() * SHIFT_BYTES)) {
      return;
    }
    begin[candidate] = at;
    for (int i = 0; i < shifts.size(); i++) {
      bytes.putInt(at, shifts.query(i));
      bytes.putFloat(at + 4, (float) shifts.before(i));
      bytes.putFloat(at + 8, (float) shifts.after(i));
      at += SHIFT_BYTES;
    }
    end[candidate] = at;
    bytes.position(at);
  }

  private boolean makeRoom(long more) {
    long needed = bytes.position() + more;
    return needed <= bytes.capacity() || (needed <= MOST_BYTES && !refused && grow(needed));
  }

  private boolean grow(long needed) {
    try {
      ByteBuffer larger = allocate((int) Math.min(MOST_BYTES, Math.max(FIRST_BYTES, 2 * needed)));
      larger.put(bytes.flip());
      bytes = larger;
      return true;
    } catch (OutOfMemoryError outsideTheHeap) {
      refused = true; // asking takes a collection each time
      return false;
    }
  }

  /** Whether a candidate's shifts are here, and by these scores. */
  boolean has(int candidate, TermScores by) {
    return by == scores && candidate < candidates && begin[candidate] != NONE;
  }

  /** Hands out a candidate's shifts, which must be here. */
  void forEach(int candidate, AffectedQueries.Shifts taker) {
    for (int at = begin[candidate]; at < end[candidate]; at += SHIFT_BYTES) {
      taker.shift(bytes.getInt(at), bytes.getFloat(at + 4), bytes.getFloat(at + 8));
    }
  }
}
