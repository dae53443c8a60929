// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * 64 bits by which sessions and texts are told apart: equal bytes have equal fingerprints, others
 * nearly always have others. The same in every run.
 */
final class Fingerprint {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long START = 0xcbf29ce484222325L;

  private Fingerprint() {}

  /** The fingerprint of the bytes in {@code [from, to)}; never 0. */
  static long of(byte[] bytes, int from, int to) {
    long hash = START ^ (to - from);
    int at = from;
    for (; to - at >= Long.BYTES; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(bytes, at));
    }
    long tail = 0;
    for (; at < to; at++) {
      tail = tail << 8 | (bytes[at] & 0xff);
    }
    hash = mix(hash ^ tail);
    return hash == 0 ? START : hash;
  }

  /** Spreads what differs over all bits; one to one. */
  static long mix(long bits) {
    long mixed = (bits ^ bits >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }
}
