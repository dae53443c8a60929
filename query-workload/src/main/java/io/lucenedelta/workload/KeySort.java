// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sorts keys by their unsigned bytes. Many keys lie in far memory, so they are first sorted by
 * three bytes at a time, which are read once and packed into a number each together with where the
 * key lies; when few keys with a common prefix are left, by three-way radix quicksort (Bentley and
 * Sedgewick, "Fast algorithms for sorting and searching strings", SODA 1997), which looks at each
 * byte of a common prefix once a partition instead of once a comparison.
 */
final class KeySort {
  private static final int INSERTION = 12;
  private static final int FEW = 48;
  private static final int PACKED = 3;

  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final byte[] bytes;
  private final int keyAt;

  /**
   * @param bytes entries that begin with the length of their key, a little-endian int
   * @param keyAt where in an entry its key begins
   */
  KeySort(byte[] bytes, int keyAt) {
    this.bytes = bytes;
    this.keyAt = keyAt;
  }

  /** Sorts entries, given by where they begin, by their keys. */
  void sort(int[] entries) {
    sort(entries, new long[entries.length], 0, entries.length, 0);
  }

  /**
   * Sorts keys that agree up to a depth; {@code packed} is room to work in. The most keys that
   * agree further are sorted by the loop and only others by a call: these are half of the keys at
   * most, so that calls do not nest deeply however long keys agree.
   */
  private void sort(int[] entries, long[] packed, int first, int last, int firstDepth) {
    int from = first;
    int to = last;
    int depth = firstDepth;
    while (to - from > FEW) {
      sortByPrefix(entries, packed, from, to, depth);
      int most = from;
      int mostEnd = from;
      for (int run = from; run < to; ) {
        int prefix = (int) (packed[run] >> 32);
        int end = run + 1;
        while (end < to && (int) (packed[end] >> 32) == prefix) {
          end++;
        }
        if (end - run > 1 && (prefix & PACKED) == PACKED) {
          boolean isMost = end - run > mostEnd - most;
          sort(entries, packed, isMost ? most : run, isMost ? mostEnd : end, depth + PACKED);
          most = isMost ? run : most;
          mostEnd = isMost ? end : mostEnd;
        }
        run = end;
      }
      from = most;
      to = mostEnd;
      depth += PACKED;
    }
    sort(entries, from, to, depth);
  }

  private void sortByPrefix(int[] entries, long[] packed, int from, int to, int depth) {
    for (int i = from; i < to; i++) {
      packed[i] = (long) prefix(entries[i], depth) << 32 | entries[i];
    }
    Arrays.sort(packed, from, to);
    for (int i = from; i < to; i++) {
      entries[i] = (int) packed[i];
    }
  }

  /**
   * Three bytes from a depth on, zero behind the end, and below them how many there are, so that of
   * keys that agree as far as they go the shorter comes first. In the order of signed numbers.
   */
  private int prefix(int entry, int depth) {
    int at = entry + keyAt + depth;
    int left = Math.min(length(entry) - depth, PACKED);
    int prefix = left;
    for (int i = 0; i < left; i++) {
      prefix |= (bytes[at + i] & 0xff) << (24 - 8 * i);
    }
    return prefix ^ Integer.MIN_VALUE;
  }

  private void sort(int[] entries, int first, int last, int firstDepth) {
    int from = first;
    int to = last;
    int depth = firstDepth;
    while (to - from > INSERTION) {
      int pivot = median(entries, from, to, depth);
      int below = from;
      int above = to;
      for (int i = from; i < above; ) {
        int b = at(entries[i], depth);
        if (b < pivot) {
          swap(entries, below++, i++);
        } else if (b > pivot) {
          swap(entries, i, --above);
        } else {
          i++;
        }
      }
      sort(entries, from, below, depth);
      sort(entries, above, to, depth);
      if (pivot < 0) {
        return;
      }
      from = below;
      to = above;
      depth++;
    }
    insertionSort(entries, from, to);
  }

  private void insertionSort(int[] entries, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int entry = entries[i];
      int j = i;
      for (; j > from && compare(entries[j - 1], entry) > 0; j--) {
        entries[j] = entries[j - 1];
      }
      entries[j] = entry;
    }
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(
        bytes, a + keyAt, a + keyAt + length(a), bytes, b + keyAt, b + keyAt + length(b));
  }

  private int length(int entry) {
    return (int) INTS.get(bytes, entry);
  }

  private int median(int[] entries, int from, int to, int depth) {
    int a = at(entries[from], depth);
    int b = at(entries[(from + to) >>> 1], depth);
    int c = at(entries[to - 1], depth);
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** The byte at a depth, -1 behind the end. */
  private int at(int entry, int depth) {
    return depth < length(entry) ? bytes[entry + keyAt + depth] & 0xff : -1;
  }

  private static void swap(int[] entries, int i, int j) {
    int entry = entries[i];
    entries[i] = entries[j];
    entries[j] = entry;
  }
}
