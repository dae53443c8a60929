// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.KeyedHash;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/**
 * A number for each of many keys, which are kept as hashes of 64 bits: 21 to 43 bytes a key on the
 * heap, however long it is. Among ten million keys two share a hash once in 400,000 times.
 *
 * <p>Open addressing, at most three quarters full. Not safe for use by several threads.
 */
final class NumberByKey {
  private static final int FEWEST = 16;

  /** What no key has: marks a free place. */
  private static final long FREE = 0;

  private long[] hashes = new long[FEWEST];
  private long[] numbers = new long[FEWEST];
  private int size;

  /** Takes a key and its number. */
  @FunctionalInterface
  interface Taker<E extends Exception> {
    void key(long hash, long number) throws E;
  }

  /** The hash of a key; its lower half is that by which {@link PageColumns} finds rows. */
  static long hash(String key, long seed) {
    return hash(new BytesRef(key), seed);
  }

  /**
   * The hash of a key.
   *
   * @param seed 0 for the hash of which anybody can choose keys that share it, so that to find one
   *     takes as many steps as there are: for what has to repeat, and folders of former versions
   */
  static long hash(BytesRef key, long seed) {
    long hash;
    if (seed == 0) {
      long upper = StringHelper.murmurhash3_x86_32(key.bytes, key.offset, key.length, 1);
      hash = (upper << Integer.SIZE) | (lower(key, 0) & 0xFFFFFFFFL);
    } else {
      hash = KeyedHash.of(key.bytes, key.offset, key.length, seed);
    }
    return hash == FREE ? 1L << Integer.SIZE : hash;
  }

  /** The lower half of the hash of a key. */
  static int lower(BytesRef key, long seed) {
    return seed == 0
        ? StringHelper.murmurhash3_x86_32(key.bytes, key.offset, key.length, 0)
        : (int) KeyedHash.of(key.bytes, key.offset, key.length, seed);
  }

  int size() {
    return size;
  }

  /** The number of a key, {@code otherwise} if it has none. */
  long get(long hash, long otherwise) {
    int place = place(hash);
    return hashes[place] == FREE ? otherwise : numbers[place];
  }

  /**
   * The numbers of several keys, {@code otherwise} of those that have none: the processor waits for
   * many places of memory at once, where one look-up after another waits for each.
   *
   * @param keys their hashes; numbers take their places
   * @param count how many keys there are
   */
  void get(long[] keys, int count, long otherwise) {
    long[] seen = new long[count];
    for (int i = 0; i < count; i++) {
      seen[i] = hashes[wanted(keys[i])];
    }
    for (int i = 0; i < count; i++) {
      boolean first = seen[i] == keys[i];
      keys[i] = first ? numbers[wanted(keys[i])] : get(keys[i], otherwise);
    }
  }

  boolean has(long hash) {
    return hashes[place(hash)] != FREE;
  }

  void put(long hash, long number) {
    if (size >= hashes.length / 4 * 3) {
      grow();
    }
    int place = place(hash);
    size += hashes[place] == FREE ? 1 : 0;
    hashes[place] = hash;
    numbers[place] = number;
  }

  private void grow() {
    long[] before = hashes;
    long[] numbersBefore = numbers;
    int longer = Math.multiplyExact(2, before.length);
    numbers = new long[longer];
    hashes = new long[longer];
    for (int i = 0; i < before.length; i++) {
      if (before[i] != FREE) {
        int place = place(before[i]);
        hashes[place] = before[i];
        numbers[place] = numbersBefore[i];
      }
    }
  }

  void remove(long hash) {
    int free = place(hash);
    if (hashes[free] == FREE) {
      return;
    }
    size--;
    // whoever stands behind it and would have stood here, or before, moves up
    for (int at = next(free); hashes[at] != FREE; at = next(at)) {
      int wanted = wanted(hashes[at]);
      if (((at - wanted) & mask()) >= ((at - free) & mask())) {
        hashes[free] = hashes[at];
        numbers[free] = numbers[at];
        free = at;
      }
    }
    hashes[free] = FREE;
  }

  /** Hands out all keys, in no order. */
  <E extends Exception> void forEach(Taker<E> taker) throws E {
    for (int i = 0; i < hashes.length; i++) {
      if (hashes[i] != FREE) {
        taker.key(hashes[i], numbers[i]);
      }
    }
  }

  /** Where a key is, or would be put. */
  private int place(long hash) {
    int place = wanted(hash);
    while (hashes[place] != FREE && hashes[place] != hash) {
      place = next(place);
    }
    return place;
  }

  private int wanted(long hash) {
    return (int) (hash >>> Integer.SIZE) & mask();
  }

  private int next(int place) {
    return (place + 1) & mask();
  }

  private int mask() {
    return hashes.length - 1;
  }
}
