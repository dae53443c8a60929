// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * The workload's terms as sorted UTF-8 bytes, made to be joined with the sorted terms of a segment.
 *
 * <p>The first eight bytes of every term are kept as one number, so that most comparisons of a join
 * are one comparison of numbers. Immutable.
 */
final class WorkloadTerms {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** How many terms a join passes one by one; it mostly has to pass none, one or two. */
  private static final int NEAR = 8;

  private final byte[] bytes;
  private final int[] start; // one more than terms
  private final long[] prefix;
  private final int longestQuery;

  private WorkloadTerms(byte[] bytes, int[] start, long[] prefix, int longestQuery) {
    this.bytes = bytes;
    this.start = start;
    this.prefix = prefix;
    this.longestQuery = longestQuery;
  }

  static WorkloadTerms of(Workload workload) {
    int[] start = new int[workload.termCount() + 1];
    byte[] bytes = new byte[Math.max(16, 12 * workload.termCount())];
    long[] prefix = new long[workload.termCount()];
    for (int term = 0; term < prefix.length; term++) {
      byte[] utf8 = workload.termUtf8(term);
      int end = Math.addExact(start[term], utf8.length);
      bytes = ArrayUtil.grow(bytes, end);
      System.arraycopy(utf8, 0, bytes, start[term], utf8.length);
      start[term + 1] = end;
      prefix[term] = prefix(utf8, 0, utf8.length);
    }
    int longest = 1;
    for (int query = 0; query < workload.queryCount(); query++) {
      longest = Math.max(longest, workload.queryLength(query));
    }
    return new WorkloadTerms(bytes, start, prefix, longest);
  }

  /** How many terms the longest query has, at least 1. */
  int longestQuery() {
    return longestQuery;
  }

  int size() {
    return prefix.length;
  }

  /** Points {@code ref} at a term's bytes, which must not be changed. */
  void get(int term, BytesRef ref) {
    ref.bytes = bytes;
    ref.offset = start[term];
    ref.length = start[term + 1] - start[term];
  }

  /**
   * The first term from {@code from} on that is not before {@code term}; {@link #size()} when there
   * is none. Steps of doubling length: cheap when the answer is near, and never worse than
   * logarithmic when a small segment meets a large workload.
   */
  private int ceiling(BytesRef term, long head, int from) {
    int low = from;
    int step = 1;
    while (low + step <= size() && compare(low + step - 1, term, head) < 0) {
      low += step;
      step <<= 1;
    }
    int high = Math.min(low + step - 1, size());
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(middle, term, head) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * The number of a term that is not before term {@code from}, or -1 - n when it would stand before
   * term n; for joins: most terms of a segment are told to be none of the workload's, or the next
   * of them, by few comparisons of numbers.
   */
  int seek(BytesRef term, int from) {
    long head = prefix(term);
    int near = Math.min(size(), from + NEAR);
    int place = from;
    while (place < near && Long.compareUnsigned(prefix[place], head) < 0) {
      place++;
    }
    if (place < near) {
      if (prefix[place] != head) {
        return -1 - place;
      }
      if (isTerm(place, term)) {
        return place;
      }
    }
    place = ceiling(term, head, place);
    return place < size() && compare(place, term, head) == 0 ? place : -1 - place;
  }

  /** Whether a term is that of a number, its first bytes being the same. */
  private boolean isTerm(int number, BytesRef term) {
    int length = start[number + 1] - start[number];
    return length == term.length
        && (length <= Long.BYTES
            || Arrays.equals(
                bytes,
                start[number],
                start[number + 1],
                term.bytes,
                term.offset,
                term.offset + length));
  }

  private int compare(int number, BytesRef term, long head) {
    if (prefix[number] != head) {
      return Long.compareUnsigned(prefix[number], head);
    }
    return Arrays.compareUnsigned(
        bytes,
        start[number],
        start[number + 1],
        term.bytes,
        term.offset,
        term.offset + term.length);
  }

  private static long prefix(BytesRef term) {
    return prefix(term.bytes, term.offset, term.length);
  }

  private static long prefix(byte[] bytes, int offset, int length) {
    if (length >= Long.BYTES) {
      return (long) LONGS.get(bytes, offset);
    }
    if (length > 0 && offset <= bytes.length - Long.BYTES) {
      return (long) LONGS.get(bytes, offset) & -1L << (Long.SIZE - 8 * length);
    }
    long value = 0;
    for (int i = 0; i < Long.BYTES; i++) {
      value = value << 8 | (i < length ? bytes[offset + i] & 0xFF : 0);
    }
    return value;
  }
}
