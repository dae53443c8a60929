// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.PageShifts;
import io.lucenedelta.workload.QueriesByTerm;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
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
 * <p>A candidate's numbers are copied at once, scores by their bits. Each thread that measures
 * keeps its candidates in a part of its own. Holds {@value #MOST_BYTES} bytes at most: candidates
 * that do not fit are not there, and their shifts are computed again. Reused from batch to batch,
 * for one thread but where a part says otherwise.
 */
final class BatchShifts {
  private static final int MOST_BYTES = 1 << 28;
  private static final int FIRST_BYTES = 1 << 16;
  private static final int NUMBERS_A_SHIFT = 3; // each takes four bytes
  private static final long NONE = -1;

  private final List<Part> parts = new ArrayList<>();
  private final int mostBytes; // a part
  private long[] place = new long[0]; // by candidate: part << 32 | number there, or NONE
  private int[] size = new int[0]; // shifts
  private int candidates;
  private TermScores scores; // the shifts were computed with these

  /** Shifts that at most so many threads keep. */
  BatchShifts(int threads) {
    mostBytes = MOST_BYTES / threads;
    for (int thread = 0; thread < threads; thread++) {
      parts.add(new Part(thread));
    }
  }

  /** Forgets everything; so many candidates may come, computed with the given scores. */
  void begin(TermScores newScores, int count) {
    scores = newScores;
    candidates = count;
    if (place.length < count) {
      place = new long[count];
      size = new int[count];
    }
    Arrays.fill(place, 0, count, NONE);
    parts.forEach(Part::clear);
  }

  /** What a thread keeps; threads are numbered from 0. */
  Part part(int thread) {
    return parts.get(thread);
  }

  /** Whether a candidate's shifts are here, and by these scores. */
  boolean has(int candidate, TermScores by) {
    return by == scores && candidate < candidates && place[candidate] != NONE;
  }

  /** Reads shifts when all are kept; each thread that does needs a reader of its own. */
  Reader reader() {
    return new Reader();
  }

  /** Copies out the shifts of one candidate after the other. */
  final class Reader {
    private int[] numbers = new int[NUMBERS_A_SHIFT * 256]; // as they lie outside the heap

    /** Hands out a candidate's shifts, which must be here. */
    void forEach(int candidate, QueriesByTerm.Shifts taker) {
      int count = read(candidate);
      for (int i = 0; i < count; i++) {
        taker.shift(
            numbers[i],
            Float.intBitsToFloat(numbers[count + i]),
            Float.intBitsToFloat(numbers[2 * count + i]));
      }
    }

    private int read(int candidate) {
      Part part = part((int) (place[candidate] >>> 32));
      int at = (int) place[candidate];
      int count = size[candidate];
      numbers = ArrayUtil.growNoCopy(numbers, NUMBERS_A_SHIFT * count);
      part.ints.get(at, numbers, 0, NUMBERS_A_SHIFT * count);
      return count;
    }
  }

  /** The shifts of some candidates, kept by one thread while others keep other candidates'. */
  final class Part {
    private final long number;
    private ByteBuffer bytes;
    private IntBuffer ints; // the bytes as whole numbers
    private int used; // numbers
    private boolean refused; // more memory, in this batch
    private int[] numbers = new int[NUMBERS_A_SHIFT * 256]; // of one candidate, on their way in

    private Part(int number) {
      this.number = number;
      use(allocate(0));
    }

    private static ByteBuffer allocate(int bytes) {
      return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private void use(ByteBuffer memory) {
      bytes = memory;
      ints = memory.asIntBuffer();
    }

    private void clear() {
      used = 0;
      refused = false;
    }

    /**
     * Keeps those shifts of a candidate that rank functions must be told of, unless there is no
     * room.
     */
    void add(int candidate, PageShifts shifts) {
      int count = shifts.movingCount();
      if (!makeRoom((long) NUMBERS_A_SHIFT * Integer.BYTES * count)) {
        return;
      }
      numbers = ArrayUtil.growNoCopy(numbers, NUMBERS_A_SHIFT * count);
      for (int i = 0; i < count; i++) {
        int shift = shifts.moving(i);
        numbers[i] = shifts.query(shift);
        numbers[count + i] = Float.floatToRawIntBits(shifts.before(shift));
        numbers[2 * count + i] = Float.floatToRawIntBits(shifts.after(shift));
      }
      ints.put(used, numbers, 0, NUMBERS_A_SHIFT * count);
      place[candidate] = number << 32 | used;
      size[candidate] = count;
      used += NUMBERS_A_SHIFT * count;
    }

    private boolean makeRoom(long more) {
      long needed = (long) used * Integer.BYTES + more;
      return needed <= bytes.capacity() || (needed <= mostBytes && !refused && grow(needed));
    }

    private boolean grow(long needed) {
      try {
        ByteBuffer larger = allocate((int) Math.min(mostBytes, Math.max(FIRST_BYTES, 2 * needed)));
        larger.put(0, bytes, 0, used * Integer.BYTES);
        use(larger);
        return true;
      } catch (OutOfMemoryError outsideTheHeap) {
        refused = true; // asking takes a collection each time
        return false;
      }
    }
  }
}
