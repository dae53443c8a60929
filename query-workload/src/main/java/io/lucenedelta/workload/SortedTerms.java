// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Terms by number, found by binary search over their UTF-8 bytes.
 *
 * @param start where a term begins in {@code bytes}, and one entry more for the end
 * @param bytes the terms, ascending as unsigned bytes, without separators
 */
record SortedTerms(IntBuffer start, ByteBuffer bytes) {

  int count() {
    return start.limit() - 1;
  }

  byte[] term(int number) {
    int from = start.get(number);
    int length = start.get(number + 1) - from;
    Objects.checkFromIndexSize(from, length, bytes.limit()); // or memory for any length
    byte[] term = new byte[length];
    bytes.get(from, term);
    return term;
  }

  /** The number of the term that lies in {@code [from, to)} of an array, or -1. */
  int number(byte[] array, int from, int to) {
    int low = 0;
    int high = count() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, array, from, to);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  /** How the term of a number compares with the bytes in {@code [from, to)} of an array. */
  int compare(int number, byte[] array, int from, int to) {
    int at = start.get(number);
    int length = start.get(number + 1) - at;
    for (int i = 0; i < Math.min(length, to - from); i++) {
      int order = Byte.compareUnsigned(bytes.get(at + i), array[from + i]);
      if (order != 0) {
        return order;
      }
    }
    return length - (to - from);
  }

  /**
   * The terms whose place in {@code number} holds a 1; each place then holds the new number of its
   * term, where the term is among them.
   */
  SortedTerms renumbered(int[] number) {
    IntBuffer starts = IntBuffer.allocate(IntStream.of(number).sum() + 1);
    ByteArrayOutputStream kept = new ByteArrayOutputStream();
    starts.put(0);
    for (int old = 0; old < number.length; old++) {
      if (number[old] == 1) {
        number[old] = starts.position() - 1;
        kept.writeBytes(term(old));
        starts.put(kept.size());
      }
    }
    return new SortedTerms(starts.rewind(), ByteBuffer.wrap(kept.toByteArray()));
  }
}
