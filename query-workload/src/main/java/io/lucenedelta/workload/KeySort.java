// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.Arrays;

/**
 * Sorts keys by their unsigned bytes: three-way radix quicksort (Bentley and Sedgewick, "Fast
 * algorithms for sorting and searching strings", SODA 1997), which looks at each byte of a common
 * prefix once a partition instead of once a comparison.
 */
final class KeySort {
  private static final int INSERTION = 12;

  private final byte[] bytes;
  private final int[] start;

  /**
   * @param bytes all keys
   * @param start where a key begins, by number; the next one's begin is its end
   */
  KeySort(byte[] bytes, int[] start) {
    this.bytes = bytes;
    this.start = start;
  }

  void sort(int[] numbers) {
    sort(numbers, 0, numbers.length, 0);
  }

  private void sort(int[] numbers, int first, int last, int firstDepth) {
    int from = first;
    int to = last;
    int depth = firstDepth;
    while (to - from > INSERTION) {
      int pivot = median(numbers, from, to, depth);
      int below = from;
      int above = to;
      for (int i = from; i < above; ) {
        int b = at(numbers[i], depth);
        if (b < pivot) {
          swap(numbers, below++, i++);
        } else if (b > pivot) {
          swap(numbers, i, --above);
        } else {
          i++;
        }
      }
      sort(numbers, from, below, depth);
      sort(numbers, above, to, depth);
      if (pivot < 0) {
        return;
      }
      from = below;
      to = above;
      depth++;
    }
    insertionSort(numbers, from, to);
  }

  private void insertionSort(int[] numbers, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      int number = numbers[i];
      int j = i;
      for (; j > from && compare(numbers[j - 1], number) > 0; j--) {
        numbers[j] = numbers[j - 1];
      }
      numbers[j] = number;
    }
  }

  private int compare(int a, int b) {
    return Arrays.compareUnsigned(bytes, start[a], start[a + 1], bytes, start[b], start[b + 1]);
  }

  private int median(int[] numbers, int from, int to, int depth) {
    int a = at(numbers[from], depth);
    int b = at(numbers[(from + to) >>> 1], depth);
    int c = at(numbers[to - 1], depth);
    return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
  }

  /** The byte at a depth, -1 behind the end. */
  private int at(int number, int depth) {
    int position = start[number] + depth;
    return position < start[number + 1] ? bytes[position] & 0xff : -1;
  }

  private static void swap(int[] numbers, int i, int j) {
    int number = numbers[i];
    numbers[i] = numbers[j];
    numbers[j] = number;
  }
}
