// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.Arrays;

/** A key under construction; numbers big-endian, so that bytes order as numbers do. */
final class KeyBytes {
  private byte[] bytes = new byte[256];
  private int length;

  KeyBytes clear() {
    length = 0;
    return this;
  }

  KeyBytes put(byte value) {
    room(1);
    bytes[length++] = value;
    return this;
  }

  KeyBytes put(byte[] from, int at, int count) {
    room(count);
    System.arraycopy(from, at, bytes, length, count);
    length += count;
    return this;
  }

  KeyBytes putInt(int value) {
    for (int shift = 24; shift >= 0; shift -= 8) {
      put((byte) (value >>> shift));
    }
    return this;
  }

  KeyBytes putLong(long value) {
    return putInt((int) (value >>> 32)).putInt((int) value);
  }

  private void room(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, 2 * (length + more));
    }
  }

  /** The array itself; {@link #length} bytes count. */
  byte[] array() {
    return bytes;
  }

  int length() {
    return length;
  }
}
