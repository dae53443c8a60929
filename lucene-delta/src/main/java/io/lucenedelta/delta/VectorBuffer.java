// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Objects;
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

  /** Bits of a code. */
  static final int CODE_BITS = 2;

  /** The code of a frequency that has none of its own. */
  static final int LARGE = 3;

  /** The lower bit of each two-bit code. */
  private static final long FIRST_BITS = 0x5555555555555555L;

  private byte[] bytes = new byte[512];
  private int length;
  private int position;

  // the field that is being written or read
  private int field;
  private long norm;
  private int[] terms = new int[256];
  private int[] frequencies = new int[256]; // one a term; when written, the large ones alone
  private int count;
  private int place; // where the next term is
  private int larges; // written so far

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
    addHead(number, fieldNorm, termCount);
    count = termCount;
    place = 0;
    larges = 0;
    makeRoomForTerms();
  }

  /** Adds a term; terms of a field come in ascending order. */
  void addTerm(int number, int frequency) {
    terms[place] = coded(number, frequency);
    if (frequency > LARGE) {
      frequencies[larges++] = frequency;
    }
    if (++place == count) {
      writeTerms(terms, 0, count);
      writeLarge(frequencies, 0, larges);
    }
  }

  /**
   * Adds a field with all its terms, ascending.
   *
   * @param postings from {@code from} to {@code to}: {@linkplain #coded terms with codes}
   * @param large from {@code fromLarge} to {@code toLarge}: the frequencies of those whose code
   *     says that it is large
   */
  void addField(
      int number,
      long fieldNorm,
      int[] postings,
      int from,
      int to,
      int[] large,
      int fromLarge,
      int toLarge) {
    addHead(number, fieldNorm, to - from);
    writeTerms(postings, from, to);
    writeLarge(large, fromLarge, toLarge);
  }

  /** A number below 2^30, a term or a document, with the code of its frequency. */
  static int coded(int number, int frequency) {
    return number << CODE_BITS | Math.min(frequency - 1, LARGE);
  }

  private void addHead(int number, long fieldNorm, int termCount) {
    makeRoom(3 * 10);
    addNumber(number + 1L);
    addNumber(fieldNorm << 1 ^ fieldNorm >> 63);
    addNumber(termCount);
  }

  private void makeRoomForTerms() {
    if (terms.length < count) {
      terms = new int[ArrayUtil.oversize(count, Integer.BYTES)];
      frequencies = new int[terms.length];
    }
  }

  private void writeTerms(int[] postings, int from, int to) {
    int size = to - from;
    int last = postings[to - 1] >>> CODE_BITS;
    boolean wide = last >>> 11 > size;
    int lowBits = wide ? WIDE_BITS : NARROW_BITS;
    int highest = last >>> lowBits;
    makeRoom(10 + 2 * size + (highest + size) / 8 + size / 4 + 2 * SLACK + 5 * size);
    addNumber((long) highest << 1 | (wide ? 1 : 0));
    int low = length;
    int high = low + (wide ? 2 * size : size);
    int codes = high + ((highest + size + 7) >>> 3);
    writeLow(postings, from, to, wide, low);
    writeHighAndCodes(postings, from, to, CODE_BITS + lowBits, high, codes);
    length = codes + ((size + 3) >>> 2);
  }

  private void writeLow(int[] postings, int from, int to, boolean wide, int at) {
    byte[] target = bytes;
    if (wide) {
      for (int i = from; i < to; i++) {
        SHORT.set(target, at + 2 * (i - from), (short) (postings[i] >>> CODE_BITS));
      }
    } else {
      for (int i = from; i < to; i++) {
        target[at + i - from] = (byte) (postings[i] >>> CODE_BITS);
      }
    }
  }

  /** Both in one loop, which reads each posting once; {@code codes} is where the high bits end. */
  private void writeHighAndCodes(
      int[] postings, int from, int to, int lowBits, int high, int codes) {
    byte[] target = bytes;
    int highAt = high;
    long word = 0;
    int wordEnd = Long.SIZE; // bit behind it
    int codesAt = codes;
    for (int begin = from; begin < to; begin += CODES_A_LONG) {
      int end = Math.min(to, begin + CODES_A_LONG);
      long code = 0;
      for (int i = begin; i < end; i++) {
        int posting = postings[i];
        code = code >>> CODE_BITS | (long) posting << (Long.SIZE - CODE_BITS);
        int bit = (posting >>> lowBits) + i - from;
        while (bit >= wordEnd) {
          LONG.set(target, highAt, word);
          word = 0;
          highAt += Long.BYTES;
          wordEnd += Long.SIZE;
        }
        word |= 1L << bit;
      }
      LONG.set(target, codesAt, code >>> (Long.SIZE - CODE_BITS * (end - begin)));
      codesAt += Long.BYTES;
    }
    for (int at = highAt; at < codes; at++) {
      target[at] = (byte) word; // a whole one would reach into the codes
      word >>>= Byte.SIZE;
    }
  }

  private void writeLarge(int[] large, int from, int to) {
    byte[] target = bytes;
    int at = length;
    for (int i = from; i < to; i++) {
      at = write(large[i] - (LARGE + 1L), target, at);
    }
    length = at;
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
    Objects.checkFromIndexSize(position, count, length); // a byte each at least
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
    readNumbers(high, low, wide);
    readFrequencies(codes);
  }

  /**
   * A loop that ends by a count of the word's bits leaves the compiler no bounds to check in it; of
   * whether bits are wide it makes two loops.
   */
  private void readNumbers(int high, int low, boolean wide) {
    byte[] from = bytes;
    int[] to = terms;
    int all = count;
    int at = 0;
    for (int begin = 0; at < all; begin += Long.SIZE) {
      long word = (long) LONG.get(from, high + (begin >>> 3));
      int end = Math.min(all, at + Long.bitCount(word));
      for (int i = at; i < end; i++) {
        int upper = begin + Long.numberOfTrailingZeros(word) - i;
        to[i] =
            wide
                ? upper << WIDE_BITS | ((short) SHORT.get(from, low + 2 * i) & 0xFFFF)
                : upper << NARROW_BITS | (from[low + i] & 0xFF);
        word &= word - 1;
      }
      at = end;
    }
  }

  /** Reads the codes of a word first: which of them are large is what a processor guesses wrong. */
  private void readFrequencies(int codes) {
    for (int begin = 0; begin < count; begin += CODES_A_LONG) {
      int size = Math.min(count - begin, CODES_A_LONG);
      long word = (long) LONG.get(bytes, codes + (begin >>> 2));
      long rest = word;
      for (int i = 0; i < size; i++) {
        frequencies[begin + i] = (int) (rest & LARGE) + 1;
        rest >>>= CODE_BITS;
      }
      for (long large = large(word, size); large != 0; large &= large - 1) {
        int i = begin + (Long.numberOfTrailingZeros(large) >>> 1);
        frequencies[i] = (int) number() + LARGE + 1;
      }
    }
  }

  /** The first bits of a word's codes that say that the frequency is large. */
  private static long large(long word, int codes) {
    return word & (word >>> 1) & (FIRST_BITS >>> (Long.SIZE - CODE_BITS * codes));
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
    length = write(value, bytes, length);
  }

  /** Writes a number to a place and returns the one behind it. */
  private static int write(long value, byte[] target, int place) {
    int at = place;
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      target[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    target[at++] = (byte) rest;
    return at;
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
