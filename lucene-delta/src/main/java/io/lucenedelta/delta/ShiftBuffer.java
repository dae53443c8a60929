// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The 2005 paper's buffer of score shifts (section 5.2), outside the heap:
 *
 * <pre>
 * shift → query (int32), s1 (float32), s2 (float32)
 * </pre>
 *
 * Filled and emptied page by page, so it stays as small as the page with the most shifts needs. For
 * one thread.
 */
final class ShiftBuffer {
  /** Bytes of a shift. */
  static final int BYTES = Integer.BYTES + 2 * Float.BYTES;

  private ByteBuffer bytes = allocate(1024);
  private int size;

  private static ByteBuffer allocate(int shifts) {
    return ByteBuffer.allocateDirect(Math.multiplyExact(shifts, BYTES))
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  void clear() {
    size = 0;
  }

  int size() {
    return size;
  }

  void add(int query, double before, double after) {
    int at = size * BYTES;
    if (at == bytes.capacity()) {
      ByteBuffer larger = allocate(2 * size);
      larger.put(0, bytes, 0, bytes.capacity());
      bytes = larger;
    }
    bytes.putInt(at, query);
    bytes.putFloat(at + 4, (float) before);
    bytes.putFloat(at + 8, (float) after);
    size++;
  }

  int query(int shift) {
    return bytes.getInt(shift * BYTES);
  }

  double before(int shift) {
    return bytes.getFloat(shift * BYTES + 4);
  }

  double after(int shift) {
    return bytes.getFloat(shift * BYTES + 8);
  }

  /** Copies all shifts to a place in other memory. */
  void copyTo(ByteBuffer target, int at) {
    target.put(at, bytes, 0, size * BYTES);
  }
}
