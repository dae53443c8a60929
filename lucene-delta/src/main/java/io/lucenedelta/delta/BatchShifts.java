// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * The score shifts of a batch's candidates, kept outside the heap from being measured until the
 * batch is settled, when rank functions are told of those that became live: the 2005 paper's buffer
 * of score shifts (section 5.2), not written to disk.
 *
 * <pre>
 * candidate → query ^ shifts (int32), s1 ^ shifts (float32), s2 ^ shifts (float32)
 * </pre>
 *
 * <p>A candidate's numbers of one kind lie together, to be copied at once. Holds {@value
 * #MOST_BYTES} bytes at most: candidates that do not fit are not there, and their shifts are
 * computed again. Reused from batch to batch, for one thread.
 */
final class BatchShifts {
  private static final int MOST_BYTES = 1 << 28;
  private static final int FIRST_BYTES = 1 << 16;
  private static final int NUMBERS_A_SHIFT = 3; // of four bytes each
  private static final int NONE = -1;

  private ByteBuffer bytes;
  private IntBuffer ints; // the bytes as whole numbers
  private FloatBuffer floats; // the bytes as scores
  private int used; // numbers
  private int[] begin = new int[64]; // numbers
  private int[] size = new int[64]; // shifts
  private int candidates;
  private boolean refused; // more memory, in this batch
  private TermScores scores; // that they were computed with
  private int[] queries = new int[256]; // of one candidate, on their way in or out
  private float[] before = new float[queries.length];
  private float[] after = new float[queries.length];

  BatchShifts() {
    use(allocate(0));
  }

  private static ByteBuffer allocate(int size) {
    return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
  }

  private void use(ByteBuffer memory) {
    bytes = memory;
    ints = memory.asIntBuffer();
    floats = memory.asFloatBuffer();
  }

  /** Forgets everything; what comes is computed with the given scores. */
  void begin(TermScores newScores) {
    scores = newScores;
    refused = false;
    used = 0;
    Arrays.fill(begin, 0, candidates, NONE);
    candidates = 0;
  }

  /** Keeps the shifts of a candidate, unless there is no room; candidates come in order. */
  void add(int candidate, ShiftBuffer shifts) {
    if (candidate >= begin.length) {
      int longer = Math.max(candidate + 1, 2 * begin.length);
      begin = Arrays.copyOf(begin, longer);
      size = Arrays.copyOf(size, longer);
    }
    Arrays.fill(begin, candidates, candidate + 1, NONE);
    candidates = candidate + 1;
    int count = shifts.size();
    if (!makeRoom((long) NUMBERS_A_SHIFT * Integer.BYTES * count)) {
      return;
    }
    makeRoomOnTheWay(count);
    for (int i = 0; i < count; i++) {
      before[i] = (float) shifts.before(i);
      after[i] = (float) shifts.after(i);
    }
    ints.put(used, shifts.queries(), 0, count);
    floats.put(used + count, before, 0, count);
    floats.put(used + 2 * count, after, 0, count);
    begin[candidate] = used;
    size[candidate] = count;
    used += NUMBERS_A_SHIFT * count;
  }

  private void makeRoomOnTheWay(int count) {
    if (before.length < count) {
      int length = ArrayUtil.oversize(count, Integer.BYTES);
      queries = new int[length];
      before = new float[length];
      after = new float[length];
    }
  }

  private boolean makeRoom(long more) {
    long needed = (long) used * Integer.BYTES + more;
    return needed <= bytes.capacity() || (needed <= MOST_BYTES && !refused && grow(needed));
  }

  private boolean grow(long needed) {
    try {
      ByteBuffer larger = allocate((int) Math.min(MOST_BYTES, Math.max(FIRST_BYTES, 2 * needed)));
      larger.put(0, bytes, 0, used * Integer.BYTES);
      use(larger);
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
    int at = begin[candidate];
    int count = size[candidate];
    makeRoomOnTheWay(count);
    ints.get(at, queries, 0, count);
    floats.get(at + count, before, 0, count);
    floats.get(at + 2 * count, after, 0, count);
    for (int i = 0; i < count; i++) {
      taker.shift(queries[i], before[i], after[i]);
    }
  }
}
