// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/** The few numbers with the largest sizes among many, without allocating; for one thread. */
final class TopShifts {
  private final int[] number;
  private final double[] size;
  private int count;

  TopShifts(int limit) {
    number = new int[limit];
    size = new double[limit];
  }

  void clear() {
    count = 0;
  }

  int size() {
    return count;
  }

  /** The number at a place in descending order of sizes, from 0. */
  int number(int place) {
    return number[place];
  }

  /** Offers a number; among equal sizes the earlier one stays. Kept in descending order. */
  void offer(int candidate, double candidateSize) {
    if (count == number.length && candidateSize <= size[count - 1]) {
      return;
    }
    int place = count == number.length ? count - 1 : count++;
    while (place > 0 && size[place - 1] < candidateSize) {
      number[place] = number[place - 1];
      size[place] = size[place - 1];
      place--;
    }
    number[place] = candidate;
    size[place] = candidateSize;
  }

  /** The smallest one kept, which is then no longer kept. */
  int removeSmallest() {
    return number[--count];
  }
}
