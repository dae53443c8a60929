// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Grows the arrays in which one flush is noted, and counts what they take of the heap: a flush that
 * would need too much is refused before the JVM runs out of memory, which may end the application
 * ({@code -XX:+ExitOnOutOfMemoryError}).
 *
 * <p>The small arrays that a flush begins with are not counted, nor flags of its documents. For one
 * thread.
 */
final class FlushHeap {
  private final long most;
  private long bytes;

  /** So many bytes may be taken. */
  FlushHeap(long most) {
    this.most = most;
  }

  /** Nothing is refused. */
  static FlushHeap unlimited() {
    return new FlushHeap(Long.MAX_VALUE);
  }

  /** Bytes of the arrays that were grown. */
  long bytes() {
    return bytes;
  }

  /** An array of at least the given length with the same contents. */
  int[] grow(int[] array, int length) {
    return length <= array.length
        ? array
        : Arrays.copyOf(array, larger(array.length, length, Integer.BYTES));
  }

  /** An array of at least the given length with the same contents. */
  long[] grow(long[] array, int length) {
    return length <= array.length
        ? array
        : Arrays.copyOf(array, larger(array.length, length, Long.BYTES));
  }

  /** An array of at least the given length with the same contents. */
  byte[] grow(byte[] array, int length) {
    return length <= array.length
        ? array
        : Arrays.copyOf(array, larger(array.length, length, Byte.BYTES));
  }

  /** An array of at least the given length with whatever contents. */
  int[] growNoCopy(int[] array, int length) {
    return length <= array.length ? array : new int[larger(array.length, length, Integer.BYTES)];
  }

  /** An array of at least the given length with whatever contents. */
  long[] growNoCopy(long[] array, int length) {
    return length <= array.length ? array : new long[larger(array.length, length, Long.BYTES)];
  }

  /**
   * The length of the array that replaces one which is too short.
   *
   * @throws OutOfMemoryError if there is no room for it: what befalls a flush that runs out of
   *     memory befalls this one, except that the JVM has plenty
   */
  private int larger(int before, int length, int width) {
    int after = ArrayUtil.oversize(length, width);
    long needed = bytes + (long) after * width; // while it is filled the one before is there, too
    if (needed > most) {
      throw new OutOfMemoryError(
          "postings, keys and documents of one flush would take %d bytes of heap, more than %d, of %d that the JVM may have; give it more heap, or the index writer a smaller RAM buffer, for flushes of this size to be measured"
              .formatted(needed, most, Runtime.getRuntime().maxMemory()));
    }
    bytes = needed - (long) before * width;
    return after;
  }
}
