// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sums by key in a fixed budget of heap: an open-addressing hash table over keys that lie one
 * behind the other in one byte array. About 28 bytes a key and its own bytes, no object.
 */
final class SumTable {
  private static final int BYTES_PER_KEY = 28;
  private static final int FEWEST_KEYS = 64;
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long budgetBytes;

  /** Unforeseeable, so that a log cannot be written to collide; the order of keys never shows. */
  private final long seed = new SplittableRandom().nextLong();

  private byte[] bytes;
  private int[] start; // where a key begins; one more for the end
  private double[] sum;
  private int[] slots; // key number + 1, 0 for none; twice as many as keys
  private int size;

  SumTable(long budgetBytes) {
    this.budgetBytes = budgetBytes;
    allocate();
  }

  private void allocate() {
    bytes = new byte[FEWEST_KEYS * 16];
    start = new int[FEWEST_KEYS + 1];
    sum = new double[FEWEST_KEYS];
    slots = new int[2 * FEWEST_KEYS];
    size = 0;
  }

  int size() {
    return size;
  }

  /** Forgets the keys, keeps the room. */
  void clear() {
    size = 0;
    Arrays.fill(slots, 0);
  }

  /** Forgets the keys and gives the room back. */
  void release() {
    allocate();
  }

  /** Returns false, and does nothing, when a new key would be over the budget. */
  boolean add(byte[] key, int length, double value) {
    int slot = find(key, length);
    if (slots[slot] != 0) {
      sum[slots[slot] - 1] += value;
      return true;
    }
    if (size > 0 && !fits(length)) {
      return false;
    }
    if (size == sum.length) {
      grow();
      slot = find(key, length);
    }
    int from = start[size];
    if (bytes.length - from < length) {
      bytes = Arrays.copyOf(bytes, (int) Math.max(from + (long) length, bytes.length * 3L / 2));
    }
    System.arraycopy(key, 0, bytes, from, length);
    sum[size] = value;
    slots[slot] = ++size;
    start[size] = from + length;
    return true;
  }

  private boolean fits(int length) {
    long keys = size < sum.length ? sum.length : 2L * sum.length;
    long room = start[size] + (long) length;
    long keyBytes = room <= bytes.length ? bytes.length : Math.max(room, bytes.length * 3L / 2);
    return keys * BYTES_PER_KEY + keyBytes <= budgetBytes;
  }

  private void grow() {
    sum = Arrays.copyOf(sum, 2 * size);
    start = Arrays.copyOf(start, 2 * size + 1);
    slots = new int[4 * size];
    for (int number = 0; number < size; number++) {
      int slot = hash(bytes, start[number], start[number + 1]) & (slots.length - 1);
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = number + 1;
    }
  }

  /** The slot of the key, or the free slot where it belongs. */
  private int find(byte[] key, int length) {
    int slot = hash(key, 0, length) & (slots.length - 1);
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      if (Arrays.equals(bytes, start[number], start[number + 1], key, 0, length)) {
        return slot;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  /** Mixes eight bytes at a time, and the last up to eight of them once more. */
  private int hash(byte[] key, int from, int to) {
    long hash = seed ^ (to - from);
    int at = from;
    for (; to - at > Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(key, at));
    }
    long tail = 0;
    for (; at < to; at++) {
      tail = tail << 8 | (key[at] & 0xff);
    }
    hash = mix(hash ^ tail);
    return (int) (hash ^ hash >>> 32);
  }

  private static long mix(long bits) {
    long product = bits * 0x9E3779B97F4A7C15L;
    return product ^ product >>> 29;
  }

  void forEachSorted(SpillingSums.Receiver receiver) throws IOException {
    int[] order = new int[size];
    Arrays.setAll(order, number -> number);
    new KeySort(bytes, start).sort(order);
    byte[] key = new byte[64];
    for (int number : order) {
      int length = start[number + 1] - start[number];
      if (key.length < length) {
        key = new byte[2 * length];
      }
      System.arraycopy(bytes, start[number], key, 0, length);
      receiver.accept(key, length, sum[number]);
    }
  }
}
