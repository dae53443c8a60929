// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Append-only bytes outside the heap, in blocks; a record never straddles two blocks.
 *
 * <p>One thread appends; several may read what was appended before it was handed to them.
 */
final class OffHeapBytes {
  private static final int FIRST_BLOCK = 1 << 12;
  private static final int LARGEST_BLOCK = 1 << 18;

  private final List<ByteBuffer> blocks = new ArrayList<>();
  private int used; // of the last block
  private long size;

  /** Appends a record and returns its address. */
  long append(byte[] bytes, int length) {
    if (blocks.isEmpty() || used + length > blocks.get(blocks.size() - 1).capacity()) {
      int next = FIRST_BLOCK << Math.min(blocks.size(), 6); // a small flush takes little
      blocks.add(ByteBuffer.allocateDirect(Math.max(length, Math.min(next, LARGEST_BLOCK))));
      used = 0;
    }
    int block = blocks.size() - 1;
    blocks.get(block).put(used, bytes, 0, length);
    long address = (long) block << 32 | used;
    used += length;
    size += length;
    return address;
  }

  /** Copies a record to the start of {@code target}. */
  void read(long address, byte[] target, int length) {
    blocks.get((int) (address >>> 32)).get((int) address, target, 0, length);
  }

  /** Bytes appended. */
  long size() {
    return size;
  }
}
