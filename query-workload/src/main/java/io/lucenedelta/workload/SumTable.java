// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Sums by key in a fixed budget of heap, without an object a key: an open-addressing hash table
 * over entries that lie one behind the other in one array. A hit touches two places in memory, the
 * slot and the entry.
 *
 * <pre>
 * slot   8 bytes   upper half: hash of the key; lower half: where the entry begins, + 1; 0 if free
 * entry  4 bytes   length of the key, an int
 *        8 bytes   sum, a double
 *        n bytes   the key
 * </pre>
 */
final class SumTable {
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle DOUBLES =
      MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int SUM_AT = Integer.BYTES;
  private static final int KEY_AT = SUM_AT + Double.BYTES;
  private static final int FEWEST_SLOTS = 128;
  private static final long LOWER_HALF = 0xffff_ffffL;

  private final long budgetBytes;

  /** Unforeseeable, so that a log cannot be written to collide; the order of keys never shows. */
  private final long seed;

  private final long multiplier;

  private long[] slots;
  private byte[] entries;
  private int used; // bytes of entries
  private int size;

  SumTable(long budgetBytes) {
    this.budgetBytes = Math.min(budgetBytes, Integer.MAX_VALUE);
    SplittableRandom random = new SplittableRandom();
    seed = random.nextLong();
    multiplier = random.nextLong() | 1;
    release();
  }

  int size() {
    return size;
  }

  /** Bytes on the heap. */
  long heapBytes() {
    return (long) slots.length * Long.BYTES + entries.length;
  }

  /** Forgets the keys, keeps the room unless one key alone took more than the budget. */
  void clear() {
    if (heapBytes() > budgetBytes) {
      release();
      return;
    }
    used = 0;
    size = 0;
    Arrays.fill(slots, 0);
  }

  /** Forgets the keys and gives the room back. */
  void release() {
    slots = new long[FEWEST_SLOTS];
    entries = new byte[FEWEST_SLOTS * 16];
    used = 0;
    size = 0;
  }

  /**
   * Adds to the sum of the key in {@code [from, from + length)}, or returns false and does nothing
   * when a new key would be over the budget.
   *
   * @param hash of the key, by {@link #hash}
   */
  boolean add(int hash, byte[] key, int from, int length, double value) {
    int slot = find(hash, key, from, length);
    if (slots[slot] != 0) {
      int sumAt = entry(slots[slot]) + SUM_AT;
      DOUBLES.set(entries, sumAt, (double) DOUBLES.get(entries, sumAt) + value);
      return true;
    }
    if (size > 0 && !fits(length)) {
      return false;
    }
    if (2 * (size + 1) > slots.length) {
      grow();
      slot = find(hash, key, from, length);
    }
    slots[slot] = (long) hash << 32 | (used + 1);
    append(key, from, length, value);
    size++;
    return true;
  }

  private void append(byte[] key, int from, int length, double value) {
    int end = Math.addExact(used, KEY_AT + length);
    if (end > entries.length) {
      entries = Arrays.copyOf(entries, grown(end));
    }
    INTS.set(entries, used, length);
    DOUBLES.set(entries, used + SUM_AT, value);
    System.arraycopy(key, from, entries, used + KEY_AT, length);
    used = end;
  }

  /** Half as much again, or what the budget leaves when that is less. */
  private int grown(long end) {
    long left = budgetBytes - (long) slots.length * Long.BYTES;
    long wanted = Math.min(entries.length * 3L / 2, left);
    return (int) Math.min(Math.max(end, wanted), Integer.MAX_VALUE - 8);
  }

  private boolean fits(int length) {
    long slotCount = 2 * (size + 1) > slots.length ? 2L * slots.length : slots.length;
    long end = used + (long) KEY_AT + length;
    return slotCount * Long.BYTES + Math.max(end, entries.length) <= budgetBytes;
  }

  private void grow() {
    long[] old = slots;
    slots = new long[2 * old.length];
    for (long entry : old) {
      if (entry != 0) {
        int slot = first((int) (entry >>> 32));
        while (slots[slot] != 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = entry;
      }
    }
  }

  /** The slot of the key, or the free slot where it belongs. */
  private int find(int hash, byte[] key, int from, int length) {
    int slot = first(hash);
    for (long found = slots[slot]; found != 0; found = slots[slot]) {
      if ((int) (found >>> 32) == hash && holds(entry(found), key, from, length)) {
        return slot;
      }
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  /** What the first slot for a hash holds: reading it early fetches it into the cache. */
  long slot(int hash) {
    return slots[first(hash)];
  }

  /** A byte of the entry that a slot holds, to fetch the entry likewise. */
  int entryByte(long slot) {
    return slot == 0 ? 0 : entries[entry(slot)];
  }

  private int first(int hash) {
    return hash & (slots.length - 1);
  }

  private static int entry(long slot) {
    return (int) (slot & LOWER_HALF) - 1;
  }

  private boolean holds(int entry, byte[] key, int from, int length) {
    int keyAt = entry + KEY_AT;
    return (int) INTS.get(entries, entry) == length
        && Arrays.equals(entries, keyAt, keyAt + length, key, from, from + length);
  }

  /** Mixes eight bytes at a time, and the last up to eight of them once more. */
  int hash(byte[] key, int from, int length) {
    long hash = seed ^ length;
    int to = from + length;
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

  /** Both halves of a product: in the lower one alone the highest bits of a block hardly spread. */
  private long mix(long bits) {
    return Math.multiplyHigh(bits, multiplier) ^ bits * multiplier;
  }

  /** Passes on every key with its sum in the order of arrival. */
  void forEach(SpillingSums.Receiver receiver) throws IOException {
    forEach(inOrderOfArrival(), receiver);
  }

  /** Passes on every key with its sum, ascending by unsigned bytes. */
  void forEachSorted(SpillingSums.Receiver receiver) throws IOException {
    int[] order = inOrderOfArrival();
    new KeySort(entries, KEY_AT).sort(order);
    forEach(order, receiver);
  }

  private int[] inOrderOfArrival() {
    int[] order = new int[size];
    int entry = 0;
    for (int i = 0; i < size; i++) {
      order[i] = entry;
      entry += KEY_AT + (int) INTS.get(entries, entry);
    }
    return order;
  }

  private void forEach(int[] order, SpillingSums.Receiver receiver) throws IOException {
    byte[] key = new byte[64];
    for (int sorted : order) {
      int length = (int) INTS.get(entries, sorted);
      if (key.length < length) {
        key = new byte[2 * length];
      }
      System.arraycopy(entries, sorted + KEY_AT, key, 0, length);
      receiver.accept(key, length, (double) DOUBLES.get(entries, sorted + SUM_AT));
    }
  }
}
