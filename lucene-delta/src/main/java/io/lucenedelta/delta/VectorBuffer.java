// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;

/**
 * Bytes of one page vector while it is written or read; made to be reused.
 *
 * <p>A page vector is what the workload can see of a page: its workload terms with their
 * frequencies and the norm of each scored field. Equal vectors are equal bytes:
 *
 * <pre>
 * vector → (field + 1, zigzag(norm), terms, (gap·2 + once, [frequency - 1]) ^ terms) ^ fields
 * </pre>
 *
 * All numbers are variable-length, seven bits a byte, low bits first. Fields ascend and appear only
 * when they hold a workload term. {@code gap} is a term's number minus the previous one minus 1,
 * counted from -1; {@code once} is 1 when the frequency is 1, and then no frequency follows. A
 * field without norms has norm 1, a field without frequencies has frequency 1 everywhere: what
 * scoring sees.
 */
final class VectorBuffer {
  private byte[] bytes = new byte[512];
  private int length;
  private int position;
  private int fieldOfTerms;
  private long norm;
  private int termsLeft;
  private int term;
  private int frequency;

  void clear() {
    length = 0;
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /** Begins a field's terms; {@code terms} calls of {@link #addTerm} must follow. */
  void addField(int field, long norm, int terms) {
    addNumber(field + 1L);
    addNumber(norm << 1 ^ norm >> 63);
    addNumber(terms);
    term = -1;
  }

  /** Adds a term; terms of a field come in ascending order. */
  void addTerm(int number, int frequency) {
    long gap = number - term - 1L;
    term = number;
    addNumber(gap << 1 | (frequency == 1 ? 1 : 0));
    if (frequency != 1) {
      addNumber(frequency - 1L);
    }
  }

  /** Makes room for and returns the array to copy a stored vector into. */
  byte[] room(int size) {
    if (bytes.length < size) {
      bytes = new byte[Math.max(size, bytes.length * 2)];
    }
    length = size;
    return bytes;
  }

  void copyFrom(byte[] source, int offset, int size) {
    System.arraycopy(source, offset, room(size), 0, size);
  }

  boolean sameAs(VectorBuffer other) {
    return Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
  }

  /** A hash of the bytes that is the same in every JVM. */
  long hash() {
    long h = 0x9E3779B97F4A7C15L * (length + 1);
    for (int i = 0; i < length; i++) {
      h = (h ^ (bytes[i] & 0xFF)) * 0xBF58476D1CE4E5B9L;
      h ^= h >>> 32;
    }
    return h;
  }

  /** Starts reading at the first field. */
  void rewind() {
    position = 0;
    termsLeft = 0;
  }

  /** Moves to the next (field, term), false at the end. */
  boolean next() {
    if (termsLeft == 0) {
      if (position >= length) {
        return false;
      }
      fieldOfTerms = (int) number() - 1;
      long zigzag = number();
      norm = zigzag >>> 1 ^ -(zigzag & 1);
      termsLeft = (int) number();
      term = -1;
    }
    termsLeft--;
    long gap = number();
    term += (int) (gap >>> 1) + 1;
    frequency = (gap & 1) == 1 ? 1 : (int) number() + 1;
    return true;
  }

  int field() {
    return fieldOfTerms;
  }

  long norm() {
    return norm;
  }

  int term() {
    return term;
  }

  int frequency() {
    return frequency;
  }

  private void addNumber(long value) {
    if (bytes.length < length + 10) {
      bytes = Arrays.copyOf(bytes, bytes.length * 2);
    }
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      bytes[length++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[length++] = (byte) rest;
  }

  private long number() {
    long value = 0;
    for (int shift = 0; ; shift += 7) {
      byte b = bytes[position++];
      value |= (b & 0x7FL) << shift;
      if (b >= 0) {
        return value;
      }
    }
  }
}
