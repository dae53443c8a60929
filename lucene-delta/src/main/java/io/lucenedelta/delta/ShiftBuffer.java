// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The 2005 paper's buffer of score shifts (section 5.2), outside the heap:
 *
 * <pre>
 * shift → query (int32), s1 (float64), s2 (float64)
 * </pre>
 *
 * Filled and emptied page by page, so it stays as small as the page with the most shifts needs. For
 * one thread.
 */
final class ShiftBuffer {
  private static final int BYTES = Integer.BYTES + 2 * Double.BYTES;

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
    bytes.putDouble(at + 4, before);
    bytes.putDouble(at + 12, after);
    size++;
  }

  int query(int shift) {
    return bytes.getInt(shift * BYTES);
  }

  double before(int shift) {
    return bytes.getDouble(shift * BYTES + 4);
  }

  double after(int shift) {
    return bytes.getDouble(shift * BYTES + 12);
  }
}
