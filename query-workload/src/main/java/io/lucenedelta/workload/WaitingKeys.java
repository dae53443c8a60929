// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

/**
 * Some keys on their way into a {@link SumTable}. A table of millions of keys lies in far memory,
 * and a look-up waits for it twice. Reading the slots of many keys one right after the other, and
 * then their entries, makes these waits overlap; that halves the time of counting.
 */
final class WaitingKeys {
  private static final int MOST = 64;
  private static final int BYTES = 1 << 13;

  private final byte[] bytes = new byte[BYTES];
  private final int[] end = new int[MOST];
  private final double[] value = new double[MOST];
  private final int[] hash = new int[MOST];
  private final long[] slot = new long[MOST];
  private int count;
  private int added; // how many of the keys are in the table

  /** The sum of what was read early; kept so that the reads are not left out. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  /** Returns false, and does nothing, when there is no room. */
  boolean add(byte[] key, int keyFrom, int length, double sum) {
    int from = count == 0 ? 0 : end[count - 1];
    if (count == MOST || BYTES - from < length) {
      return false;
    }
    System.arraycopy(key, keyFrom, bytes, from, length);
    end[count] = from + length;
    value[count++] = sum;
    return true;
  }

  /** Fetches what the table holds for the keys into the cache. */
  void prefetch(SumTable table) {
    for (int i = 0; i < count; i++) {
      hash[i] = table.hash(bytes, from(i), length(i));
      slot[i] = table.slot(hash[i]);
    }
    for (int i = 0; i < count; i++) {
      prefetched += table.entryByte(slot[i]);
    }
  }

  /** The number of the first that is not in the table yet, -1 without one: there is room again. */
  int next() {
    if (added == count) {
      added = 0;
      count = 0;
    }
    return added < count ? added : -1;
  }

  /** The one that comes next is in the table. */
  void added() {
    added++;
  }

  byte[] bytes() {
    return bytes;
  }

  int from(int number) {
    return number == 0 ? 0 : end[number - 1];
  }

  int length(int number) {
    return end[number] - from(number);
  }

  /** The hash of a key, once prefetched. */
  int hash(int number) {
    return hash[number];
  }

  double value(int number) {
    return value[number];
  }
}
