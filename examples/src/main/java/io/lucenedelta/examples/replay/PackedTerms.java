// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.ByteArrayDataOutput;
import org.apache.lucene.store.DataOutput;

/**
 * Terms of a text, ascending, and how often each occurs, packed as Lucene packs postings: gaps
 * between terms, with a bit for those that occur once. A crawl has these of every version of every
 * page, some 1½ bytes a term in place of 8. Immutable.
 */
final class PackedTerms {
  private static final int MOST_BYTES = 5 + 5; // of a gap with its bit, and a frequency

  private final int size;
  private final byte[] packed;

  private PackedTerms(int size, byte[] packed) {
    this.size = size;
    this.packed = packed;
  }

  /**
   * Packs terms.
   *
   * @param ascending terms in the upper half of each number, how often they occur, 1 or more, in
   *     the lower half
   * @param size how many of them
   */
  static PackedTerms of(long[] ascending, int size) {
    byte[] bytes = new byte[size * MOST_BYTES];
    ByteArrayDataOutput out = new ByteArrayDataOutput(bytes);
    try {
      pack(ascending, size, out);
    } catch (IOException e) {
      throw new UncheckedIOException("packing terms in memory failed", e);
    }
    return new PackedTerms(size, Arrays.copyOf(bytes, out.getPosition()));
  }

  private static void pack(long[] ascending, int size, DataOutput out) throws IOException {
    int last = 0;
    for (int i = 0; i < size; i++) {
      int term = (int) (ascending[i] >>> Integer.SIZE);
      int frequency = (int) ascending[i];
      out.writeVInt((term - last) << 1 | (frequency == 1 ? 1 : 0));
      if (frequency != 1) {
        out.writeVInt(frequency);
      }
      last = term;
    }
  }

  /** Number of different terms. */
  int size() {
    return size;
  }

  /** Receives terms. */
  interface TermReader {
    /** The {@code i}-th term, counted from 0, and how often it occurs. */
    void term(int i, int term, int frequency);
  }

  /** Hands out all terms, ascending. */
  void forEach(TermReader reader) {
    ByteArrayDataInput in = new ByteArrayDataInput(packed);
    int term = 0;
    for (int i = 0; i < size; i++) {
      int gap = in.readVInt();
      term += gap >>> 1;
      reader.term(i, term, (gap & 1) == 1 ? 1 : in.readVInt());
    }
  }

  /** The numbers of the terms alone. */
  int[] numbers() {
    int[] numbers = new int[size];
    forEach((i, term, frequency) -> numbers[i] = term);
    return numbers;
  }
}
