// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
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
  private static final int LARGEST_MAPPED_BLOCK = 1 << 26;

  /** Where blocks come from. */
  @FunctionalInterface
  interface Blocks {
    /** A new block of so many bytes. */
    ByteBuffer add(int bytes) throws IOException;
  }

  private final Blocks source;
  private final int largest;
  private final List<ByteBuffer> blocks = new ArrayList<>();
  private int used; // bytes used in the last block
  private long size;

  /** Wherever the blocks come from, which are as large as the largest once there are many. */
  OffHeapBytes(Blocks source, int largest) {
    this.source = source;
    this.largest = largest;
  }

  /** In memory, no more than the JVM allows outside the heap. */
  static OffHeapBytes inMemory() {
    return new OffHeapBytes(ByteBuffer::allocateDirect, LARGEST_BLOCK);
  }

  /** In a file that is mapped: what memory has no room for waits on the disk. */
  static OffHeapBytes mapped(MappedBlocks file) {
    return new OffHeapBytes(file::add, LARGEST_MAPPED_BLOCK);
  }

  /** Appends a record and returns its address. */
  long append(byte[] bytes, int length) throws IOException {
    if (blocks.isEmpty() || used + length > blocks.get(blocks.size() - 1).capacity()) {
      // a small flush takes little
      long next = Math.min(largest, (long) FIRST_BLOCK << Math.min(blocks.size(), Integer.SIZE));
      blocks.add(source.add(Math.max(length, (int) next)));
      used = 0;
    }
    int block = blocks.size() - 1;
    blocks.get(block).put(used, bytes, 0, length);
    long address = (long) block << 32 | used;
    used += length;
    size += length;
    return address;
  }

  /** Writes over the start of a record, which is at least as long. */
  void overwrite(long address, byte[] bytes, int length) {
    blocks.get((int) (address >>> 32)).put((int) address, bytes, 0, length);
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
