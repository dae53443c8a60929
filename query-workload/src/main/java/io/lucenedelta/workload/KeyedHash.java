// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Hashes of what strangers choose, as addresses are, by a seed that they do not know: which of them
 * share a hash, or a part of it, cannot be foreseen.
 *
 * <p>Every eight bytes are multiplied by a number that comes from the seed, and the two halves of
 * the product folded, so that two inputs differ afterwards by what the seed makes of it. A seed
 * that a hash merely begins with would not do: where each step adds or multiplies by what anybody
 * knows, as in {@link String#hashCode}, inputs that meet with one seed meet with all of them.
 */
public final class KeyedHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long STEP = 0x9E3779B97F4A7C15L;

  private KeyedHash() {}

  /** One of several numbers that a seed gives, of which none tells another. */
  public static long number(long seed, int which) {
    long mixed = seed + which * STEP;
    mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
    return mixed ^ mixed >>> 31;
  }

  /** A factor for {@link #mixed}. */
  public static long factor(long seed) {
    return number(seed, 1) | 1;
  }

  /** Mixes the input so far with what comes next, as one number, by a seed's {@link #factor}. */
  public static long mixed(long input, long factor) {
    return Math.multiplyHigh(input, factor) ^ input * factor;
  }

  /** Mixes the input so far with bytes, and with how many there are. */
  public static long mixed(long input, byte[] bytes, int offset, int length, long factor) {
    long state = input;
    int end = offset + length;
    int at = offset;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      state = mixed(state ^ (long) LONG.get(bytes, at), factor);
    }
    long many = (long) length << (Long.SIZE - Byte.SIZE); // or zeros at the end would not count
    return mixed(state ^ many ^ rest(bytes, at, end), factor);
  }

  /** Fewer than eight bytes; read with those before, since a loop of any length is dear. */
  private static long rest(byte[] bytes, int from, int end) {
    int unread = Long.SIZE - Byte.SIZE * (end - from);
    if (end >= Long.BYTES) {
      return unread == Long.SIZE ? 0 : (long) LONG.get(bytes, end - Long.BYTES) >>> unread;
    }
    long rest = 0;
    for (int at = end - 1; at >= from; at--) {
      rest = (rest << Byte.SIZE) | (bytes[at] & 0xFF);
    }
    return rest;
  }

  /** The hash of bytes, all 64 bits of which are as good. */
  public static long of(byte[] bytes, int offset, int length, long seed) {
    long factor = factor(seed);
    long hash = mixed(number(seed, 2), bytes, offset, length, factor);
    return mixed(hash ^ number(seed, 3), factor);
  }

  /** The hash of a text, not that of its bytes. */
  public static long of(CharSequence text, long seed) {
    long factor = factor(seed);
    long state = number(seed, 2) ^ text.length();
    for (int i = 0; i < text.length(); i++) {
      state = mixed(state ^ text.charAt(i), factor);
    }
    return mixed(state ^ number(seed, 3), factor);
  }
}
