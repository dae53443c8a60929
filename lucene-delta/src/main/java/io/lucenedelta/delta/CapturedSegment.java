// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Arrays;
import org.apache.lucene.util.BytesRef;

/**
 * The pages of one flushed segment as captured: keys, documents, fetch times, vectors.
 *
 * <p>Entries are in the order of their keys; entries of one key in the order of documents. Vectors
 * lie outside the heap. Immutable once finished.
 */
final class CapturedSegment {
  private final String name;
  private final int maxDoc;
  private final OffHeapBytes vectors = new OffHeapBytes();
  private final int[] doc;
  private final long[] time;
  private final long[] address;
  private final int[] length;
  private final int[] keyEnd;
  private byte[] keys = new byte[0];
  private int size;
  private int keylessLive;
  private boolean deadUnknown;

  CapturedSegment(String name, int maxDoc, int capacity) {
    this.name = name;
    this.maxDoc = maxDoc;
    doc = new int[capacity];
    time = new long[capacity];
    address = new long[capacity];
    length = new int[capacity];
    keyEnd = new int[capacity];
  }

  void add(int document, BytesRef key, long fetched, VectorBuffer vector) {
    int from = size == 0 ? 0 : keyEnd[size - 1];
    int to = from + key.length;
    if (to > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(to, keys.length * 2));
    }
    System.arraycopy(key.bytes, key.offset, keys, from, key.length);
    keyEnd[size] = to;
    doc[size] = document;
    time[size] = fetched;
    length[size] = vector.length();
    address[size] = vectors.append(vector.bytes(), vector.length());
    size++;
  }

  /**
   * Tells what the entries cannot.
   *
   * @param keylessLive documents without a key that were not deleted in the flush
   * @param deadUnknown whether documents may have been deleted in the flush that are entries here
   */
  CapturedSegment finish(int keylessLive, boolean deadUnknown) {
    this.keylessLive = keylessLive;
    this.deadUnknown = deadUnknown;
    return this;
  }

  String name() {
    return name;
  }

  int maxDoc() {
    return maxDoc;
  }

  int size() {
    return size;
  }

  int keylessLive() {
    return keylessLive;
  }

  boolean deadUnknown() {
    return deadUnknown;
  }

  int doc(int entry) {
    return doc[entry];
  }

  /** Fetch time in milliseconds since 1970, or {@link SegmentNotes#NO_TIME}. */
  long time(int entry) {
    return time[entry];
  }

  void key(int entry, BytesRef ref) {
    ref.bytes = keys;
    ref.offset = entry == 0 ? 0 : keyEnd[entry - 1];
    ref.length = keyEnd[entry] - ref.offset;
  }

  void vector(int entry, VectorBuffer vector) {
    vectors.read(address[entry], vector.room(length[entry]), length[entry]);
  }

  /** Bytes held for the vectors. */
  long bytes() {
    return vectors.size();
  }
}
