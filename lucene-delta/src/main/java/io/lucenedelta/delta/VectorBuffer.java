// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * Bytes of one page vector while it is written or read; made to be reused.
 *
 * <p>A page vector is what the workload can see of a page: its workload terms with their
 * frequencies and the norm of each scored field. Equal vectors are equal bytes:
 *
 * <pre>
 * vector → (field + 1, zigzag(norm), n, highest·2 + wide, low ^ n, high, code ^ n, [frequency - 4]) ^ fields
 * low    → a term number's last 8 bits, 16 when wide is 1
 * high   → a bit set: for the term at place i, bit (number without its low bits) + i
 * code   → 2 bits: frequency - 1 up to 2; 3 says that the rest follows at the end
 * </pre>
 *
 * Term numbers ascend, so their upper parts, of which {@code highest} is the last, hardly take more
 * than a bit each (Elias and Fano's code). It takes about ten bits a term with 150 of 40,000 terms
 * and needs no branch a term to be read or written. Wide is what takes less. Plain numbers are
 * variable-length, seven bits a byte, low bits first; bit sets and codes begin with the low bits of
 * a byte. Fields ascend and appear only when they hold a workload term. A field without norms has
 * norm 1, a field without frequencies has frequency 1 everywhere: what scoring sees.
 */
final class VectorBuffer {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

  /** What may be read or written beyond the last byte. */
  private static final int SLACK = Long.BYTES;

  private static final int NARROW_BITS = 8;
  private static final int WIDE_BITS = 16;
  private static final int CODES_A_LONG = 32;
  private static final int ESCAPE = 3;

  private byte[] bytes = new byte[512];
  private int length;
  private int position;

  // the field that is being written or read
  private int field;
  private long norm;
  private int[] terms = new int[256];
  private int[] frequencies = new int[256];
  private int count;
  private int place; // of the next term

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
  void addField(int number, long fieldNorm, int termCount) {
    makeRoom(3 * 10);
    addNumber(number + 1L);
    addNumber(fieldNorm << 1 ^ fieldNorm >> 63);
    addNumber(termCount);
    count = termCount;
    place = 0;
    makeRoomForTerms();
  }

  /** Adds a term; terms of a field come in ascending order. */
  void addTerm(int number, int frequency) {
    terms[place] = number;
    frequencies[place] = frequency;
    if (++place == count) {
      writeTerms();
    }
  }

  /**
   * Adds a field with all its terms: {@code postings[from..to)}, terms ascending in the upper 32
   * bits, frequencies in the lower.
   */
  void addField(int number, long fieldNorm, long[] postings, int from, int to) {
    addField(number, fieldNorm, to - from);
    for (int i = from; i < to; i++) {
      terms[i - from] = (int) (postings[i] >>> 32);
      frequencies[i - from] = (int) postings[i];
    }
    writeTerms();
  }

  private void makeRoomForTerms() {
    if (terms.length < count) {
      terms = new int[ArrayUtil.oversize(count, Integer.BYTES)];
      frequencies = new int[terms.length];
    }
  }

  private void writeTerms() {
    int last = terms[count - 1];
    boolean wide = last >>> 11 > count;
    int lowBits = wide ? WIDE_BITS : NARROW_BITS;
    int highest = last >>> lowBits;
    makeRoom(10 + 2 * count + (highest + count) / 8 + count / 4 + 2 * SLACK + 5 * count);
    addNumber((long) highest << 1 | (wide ? 1 : 0));
    for (int i = 0; i < count; i++) {
      if (wide) {
        SHORT.set(bytes, length + 2 * i, (short) terms[i]);
      } else {
        bytes[length + i] = (byte) terms[i];
      }
    }
    length += wide ? 2 * count : count;
    writeHigh(lowBits);
    length += (highest + count + 7) >>> 3;
    writeFrequencies();
  }

  private void writeHigh(int lowBits) {
    long word = 0;
    int number = 0;
    for (int i = 0; i < count; i++) {
      int bit = (terms[i] >>> lowBits) + i;
      while (bit >>> 6 != number) {
        LONG.set(bytes, length + 8 * number, word);
        word = 0;
        number++;
      }
      word |= 1L << bit;
    }
    LONG.set(bytes, length + 8 * number, word);
  }

  private void writeFrequencies() {
    int codes = length;
    length += (count + 3) >>> 2;
    int end = length;
    long word = 0;
    for (int i = 0; i < count; i++) {
      int code = Math.min(frequencies[i] - 1, ESCAPE);
      word |= (long) code << (2 * i);
      if (code == ESCAPE) {
        addNumber(frequencies[i] - (ESCAPE + 1L));
      }
      if ((i & CODES_A_LONG - 1) == CODES_A_LONG - 1 || i == count - 1) {
        for (int at = codes + (i >>> 5) * 8; at < Math.min(end, codes + (i >>> 5) * 8 + 8); at++) {
          bytes[at] = (byte) word;
          word >>>= 8;
        }
        word = 0;
      }
    }
  }

  /** Makes room for and returns the array to copy a stored vector into. */
  byte[] room(int size) {
    if (bytes.length < size + SLACK) {
      bytes = new byte[Math.max(size + SLACK, bytes.length * 2)];
    }
    length = size;
    return bytes;
  }

  void copyFrom(byte[] source, int offset, int size) {
    System.arraycopy(source, offset, room(size), 0, size);
  }

  void copyFrom(VectorBuffer other) {
    copyFrom(other.bytes, 0, other.length);
  }

  boolean sameAs(VectorBuffer other) {
    return Arrays.equals(bytes, 0, length, other.bytes, 0, other.length);
  }

  /** A hash of the bytes that is the same in every JVM. */
  long hash() {
    long h = 0x9E3779B97F4A7C15L * (length + 1);
    int whole = length & -Long.BYTES;
    for (int i = 0; i < whole; i += Long.BYTES) {
      h = mix(h ^ (long) LONG.get(bytes, i));
    }
    for (int i = whole; i < length; i++) {
      h = mix(h ^ (bytes[i] & 0xFF));
    }
    return h;
  }

  private static long mix(long bits) {
    long product = bits * 0xBF58476D1CE4E5B9L;
    return product ^ product >>> 32;
  }

  /** Starts reading at the first field. */
  void rewind() {
    position = 0;
    place = 0;
    count = 0;
  }

  /** Moves to the next (field, term), false at the end. */
  boolean next() {
    if (place == count && !nextField()) {
      return false;
    }
    place++;
    return true;
  }

  /** Moves to the next field and reads its terms at once, false at the end. */
  boolean nextField() {
    place = 0;
    if (position >= length) {
      count = 0;
      return false;
    }
    field = (int) number() - 1;
    long zigzag = number();
    norm = zigzag >>> 1 ^ -(zigzag & 1);
    count = (int) number();
    makeRoomForTerms();
    readTerms();
    return true;
  }

  private void readTerms() {
    long head = number();
    boolean wide = (head & 1) != 0;
    int low = position;
    int high = low + (wide ? 2 * count : count);
    int codes = high + (((int) (head >>> 1) + count + 7) >>> 3);
    position = codes + ((count + 3) >>> 2);
    int at = 0;
    for (int number = 0; at < count; number++) {
      long word = (long) LONG.get(bytes, high + 8 * number);
      int base = 64 * number;
      while (word != 0 && at < count) {
        int upper = base + Long.numberOfTrailingZeros(word) - at;
        terms[at] =
            wide
                ? (upper << WIDE_BITS) | ((short) SHORT.get(bytes, low + 2 * at) & 0xFFFF)
                : (upper << NARROW_BITS) | (bytes[low + at] & 0xFF);
        at++;
        word &= word - 1;
      }
    }
    for (int i = 0; i < count; i++) {
      int code = bytes[codes + (i >>> 2)] >>> (2 * (i & 3)) & ESCAPE;
      frequencies[i] = code == ESCAPE ? (int) number() + ESCAPE + 1 : code + 1;
    }
  }

  int field() {
    return field;
  }

  long norm() {
    return norm;
  }

  int term() {
    return terms[place - 1];
  }

  int frequency() {
    return frequencies[place - 1];
  }

  /** Whether no field follows the one that {@link #nextField} moved to. */
  boolean isLast() {
    return position >= length;
  }

  /** Number of terms of the field that {@link #nextField} moved to. */
  int count() {
    return count;
  }

  /** That field's terms, ascending; only the first {@link #count} mean something. */
  int[] terms() {
    return terms;
  }

  /** Their frequencies. */
  int[] frequencies() {
    return frequencies;
  }

  private void makeRoom(int more) {
    if (bytes.length < length + more) {
      bytes = Arrays.copyOf(bytes, Math.max(length + more, bytes.length * 2));
    }
  }

  /** The caller made room. */
  private void addNumber(long value) {
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
