// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.delta.ColumnBlocks.Kind;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.util.BytesRef;

/**
 * The keys of pages, one behind the other in blocks outside the heap: length (int32) and bytes. A
 * key has an address of 56 bits, which the caller keeps; what its top byte holds is the caller's.
 */
final class KeyColumn {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int BLOCK = 1 << 22;

  private final ColumnBlocks blocks;
  private final List<ByteBuffer> keys = new ArrayList<>();
  private int used; // bytes used in the last block

  KeyColumn(ColumnBlocks blocks) {
    this.blocks = blocks;
  }

  /** Goes on with a block of a file that was described. */
  void take(ByteBuffer block) {
    keys.add(block);
  }

  /** Bytes of the last block that hold keys. */
  int used() {
    return used;
  }

  /** Goes on behind so many bytes of the last block. */
  void goOnBehind(int bytes) {
    used = bytes;
  }

  /** The address of the copy. */
  long append(BytesRef key) throws IOException {
    int length = Integer.BYTES + key.length;
    if (keys.isEmpty() || used + length > keys.get(keys.size() - 1).capacity()) {
      keys.add(blocks.add(Kind.KEYS, Math.max(BLOCK, length)));
      used = 0;
    }
    int last = keys.size() - 1;
    int offset = used;
    keys.get(last).putInt(offset, key.length);
    keys.get(last).put(offset + Integer.BYTES, key.bytes, key.offset, key.length);
    used += length;
    return (long) last << Integer.SIZE | offset;
  }

  byte[] key(long address) {
    ByteBuffer block = keys.get(block(address));
    int from = (int) address + Integer.BYTES;
    int length = block.getInt((int) address);
    Objects.checkFromIndexSize(from, length, block.capacity()); // or memory for any length
    byte[] bytes = new byte[length];
    block.get(from, bytes);
    return bytes;
  }

  boolean isKey(long address, BytesRef key) {
    ByteBuffer block = keys.get(block(address));
    int at = (int) address;
    if (block.getInt(at) != key.length) {
      return false;
    }
    int from = at + Integer.BYTES;
    int same = 0;
    for (; same <= key.length - Long.BYTES; same += Long.BYTES) { // eight at once: keys are long
      if (block.getLong(from + same) != (long) LONG.get(key.bytes, key.offset + same)) {
        return false;
      }
    }
    for (; same < key.length; same++) {
      if (block.get(from + same) != key.bytes[key.offset + same]) {
        return false;
      }
    }
    return true;
  }

  private static int block(long address) {
    return (int) (address >>> Integer.SIZE) & 0xFFFFFF;
  }
}
