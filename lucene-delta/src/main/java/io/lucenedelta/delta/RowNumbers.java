// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.delta.ColumnBlocks.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.util.BytesRef;

/**
 * Finds the row of a key: row + 1 (int32) by the hash of the key, open addressing in a block
 * outside the heap, fewer than half of it taken, or three quarters of the largest there is; 0 is
 * free. The keys themselves are the rows' own.
 */
final class RowNumbers {
  private static final int FIRST = 1 << 12;
  private static final int LARGEST = 1 << 30; // bytes, a power of 2 as any block
  private static final int MOST = LARGEST / Integer.BYTES / 4 * 3; // rows
  private static final int TOGETHER = 1 << 10;

  /** Where the keys are. */
  interface Keys {
    byte[] key(int row);

    boolean isKey(int row, BytesRef key);
  }

  private final ColumnBlocks blocks;
  private final Keys keys;
  private final long seed;
  private ByteBuffer numbers;

  /**
   * No rows.
   *
   * @param seed by which keys are hashed, always the same over the blocks of a file
   */
  RowNumbers(ColumnBlocks blocks, Keys keys, long seed) {
    this.blocks = blocks;
    this.keys = keys;
    this.seed = seed;
  }

  /**
   * Begins with room for so many pages before there must be twice as much.
   *
   * @throws IOException if there are no numbers for so many, or no memory
   */
  void begin(long pages) throws IOException {
    if (pages > MOST) {
      throw tooMany();
    }
    long bytes = Integer.BYTES * FIRST;
    while (bytes / 8 <= pages && bytes < LARGEST) {
      bytes *= 2;
    }
    numbers = blocks.add(Kind.NUMBERS, (int) bytes);
  }

  /** Goes on with a block of a file that was described. */
  void take(ByteBuffer block) {
    numbers = block;
  }

  /** Whether so many rows are as many as there is room for. */
  boolean isFull(int rows) {
    return rows >= room();
  }

  private int room() {
    return numbers.capacity() == LARGEST ? MOST : numbers.capacity() / Integer.BYTES / 2;
  }

  /**
   * Twice as many numbers.
   *
   * @throws IOException if there are no more, or no memory for them
   */
  void grow(int rows) throws IOException {
    if (numbers.capacity() == LARGEST) {
      throw tooMany();
    }
    blocks.forget(Kind.NUMBERS);
    numbers = blocks.add(Kind.NUMBERS, 2 * numbers.capacity());
    for (int row = 0; row < rows; row++) {
      add(hash(new BytesRef(keys.key(row))), row);
    }
  }

  private static IOException tooMany() {
    return new IOException(
        "no order can be kept of more than %d pages, those included that left the index; divide them among several indexes"
            .formatted(MOST));
  }

  int hash(BytesRef key) {
    return NumberByKey.lower(key, seed);
  }

  /** Numbers a row whose key is not there yet. */
  void add(int hash, int row) {
    int mask = mask();
    int slot = hash & mask;
    while (at(slot) != 0) {
      slot = (slot + 1) & mask;
    }
    numbers.putInt(Integer.BYTES * slot, row + 1);
  }

  /** The row of a key, or −1. */
  int find(BytesRef key) {
    int mask = mask();
    for (int slot = hash(key) & mask; ; slot = (slot + 1) & mask) {
      int row = at(slot) - 1;
      if (row < 0 || keys.isKey(row, key)) {
        return row;
      }
    }
  }

  /** The row of the key with a {@link NumberByKey#hash hash}, or −1. */
  int find(long hash) {
    int mask = mask();
    for (int slot = (int) hash & mask; ; slot = (slot + 1) & mask) {
      int row = at(slot) - 1;
      if (row < 0 || NumberByKey.hash(new BytesRef(keys.key(row)), seed) == hash) {
        return row;
      }
    }
  }

  private int mask() {
    return numbers.capacity() / Integer.BYTES - 1;
  }

  private int at(int slot) {
    return numbers.getInt(Integer.BYTES * slot);
  }

  /**
   * Rows one behind the other whose keys are all different, so that none is looked for: to find
   * that a key is not there means to read others, each somewhere else in memory. They are numbered
   * many together, so that the processor waits for many places of memory at once.
   */
  final class Together {
    private final int[] hashes = new int[TOGETHER];
    private final int[] seen = new int[TOGETHER];
    private int count;
    private int next; // row

    /** Takes the key of the next row; there must be room for it. */
    void add(BytesRef key) {
      hashes[count++] = hash(key);
      if (count == TOGETHER) {
        number();
      }
    }

    /** Numbers what was taken. */
    void number() {
      int mask = mask();
      for (int i = 0; i < count; i++) {
        seen[i] = at(hashes[i] & mask);
      }
      for (int i = 0; i < count; i++) {
        int slot = hashes[i] & mask;
        if (seen[i] == 0 && at(slot) == 0) {
          numbers.putInt(Integer.BYTES * slot, next + 1);
        } else {
          RowNumbers.this.add(hashes[i], next);
        }
        next++;
      }
      count = 0;
    }
  }
}
