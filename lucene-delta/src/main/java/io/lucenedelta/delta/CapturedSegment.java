// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * The pages of one flushed segment as captured: keys, documents, fetch times, vectors.
 *
 * <p>Entries are in the order of their keys; entries of one key in the order of documents. Vectors
 * lie outside the heap, or in a file when a batch is larger than its memory. Immutable once
 * finished and, where it is, {@link #spill spilled}; then safe for several threads.
 */
final class CapturedSegment implements Closeable {
  static final String SPILLED = "spill";
  private static final String VECTORS = "vectors";

  /**
   * This object and its empty arrays: that counts where a reader is reopened after each document.
   */
  private static final int OBJECT_BYTES = 400;

  private static final int ENTRY_BYTES = 3 * Integer.BYTES + 2 * Long.BYTES; // in the arrays below

  private final String name;
  private OffHeapBytes vectors = OffHeapBytes.inMemory();
  private Directory directory; // where the file with the vectors lies
  private String fileName;
  private IndexInput file;
  private final int[] doc;
  private final long[] time;
  private final long[] address;
  private final int[] length;
  private final int[] keyEnd;
  private byte[] keys = new byte[0];
  private int size;
  private int keylessLive;
  private boolean deadUnknown;
  private boolean sorted;
  private BitSet fieldsWithTerms = new BitSet();
  private boolean timed;

  CapturedSegment(String name, int capacity) {
    this.name = name;
    doc = new int[capacity];
    time = new long[capacity];
    address = new long[capacity];
    length = new int[capacity];
    keyEnd = new int[capacity];
  }

  void add(int document, BytesRef key, long fetched, VectorBuffer vector) throws IOException {
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
   * @param deadUnknown whether documents may have been deleted in the flush that are entries here,
   *     or were deleted when they came, or can be by what is the key of no entry
   * @param sorted whether documents are in another order than they came in
   * @param fieldsWithTerms numbers of the scored fields in which an entry has a term of the
   *     workload
   * @param timed whether some document has a term in the field of fetch times
   */
  CapturedSegment finish(
      int keylessLive, boolean deadUnknown, boolean sorted, BitSet fieldsWithTerms, boolean timed) {
    this.keylessLive = keylessLive;
    this.deadUnknown = deadUnknown;
    this.sorted = sorted;
    this.fieldsWithTerms = fieldsWithTerms;
    this.timed = timed;
    return this;
  }

  String name() {
    return name;
  }

  int size() {
    return size;
  }

  /** Numbers of the scored fields in which some entry has a term of the workload. */
  BitSet fieldsWithTerms() {
    return fieldsWithTerms;
  }

  /** Whether some document has a term in the field of fetch times. */
  boolean isTimed() {
    return timed;
  }

  int keylessLive() {
    return keylessLive;
  }

  boolean deadUnknown() {
    return deadUnknown;
  }

  boolean sorted() {
    return sorted;
  }

  int doc(int entry) {
    return doc[entry];
  }

  /** Fetch time in milliseconds since 1970, or {@link FetchTimes#UNKNOWN}. */
  long time(int entry) {
    return time[entry];
  }

  void key(int entry, BytesRef ref) {
    ref.bytes = keys;
    ref.offset = entry == 0 ? 0 : keyEnd[entry - 1];
    ref.length = keyEnd[entry] - ref.offset;
  }

  /** Reads an entry's vector. */
  void vector(int entry, VectorBuffer vector) {
    byte[] target = vector.room(length[entry]);
    if (file == null) {
      vectors.read(address[entry], target, length[entry]);
      return;
    }
    try {
      readSpilled(address[entry], target, length[entry]);
    } catch (IOException e) {
      throw new UncheckedIOException("pages of segment " + name + " cannot be read back", e);
    }
  }

  private synchronized void readSpilled(long place, byte[] target, int bytes) throws IOException {
    file.seek(place);
    file.readBytes(target, 0, bytes);
  }

  /** Bytes held outside the heap for the vectors. */
  long bytes() {
    return vectors == null ? 0 : vectors.size();
  }

  /** Bytes held on the heap for keys, documents and times. */
  long heapBytes() {
    return OBJECT_BYTES + keys.length + (long) ENTRY_BYTES * doc.length;
  }

  /** Whether a file is one that vectors were moved into, as Lucene names temporary files. */
  static boolean isSpilled(String file) {
    return file.matches(SPILLED + "_" + VECTORS + "_[0-9a-z]+\\.tmp");
  }

  /** Moves the vectors into a temporary file. */
  void spill(Directory target) throws IOException {
    long[] place = new long[size];
    IndexInput written;
    IndexOutput out = target.createTempOutput(SPILLED, VECTORS, IOContext.DEFAULT);
    try {
      writeVectors(out, place);
      written = target.openInput(out.getName(), IOContext.DEFAULT);
    } catch (Throwable t) {
      IOUtils.deleteFilesIgnoringExceptions(target, out.getName());
      throw t;
    }
    fileName = out.getName();
    directory = target;
    file = written;
    System.arraycopy(place, 0, address, 0, size);
    vectors = null;
  }

  private void writeVectors(IndexOutput out, long[] place) throws IOException {
    try (out) {
      byte[] bytes = new byte[1024];
      for (int entry = 0; entry < size; entry++) {
        if (bytes.length < length[entry]) {
          bytes = new byte[length[entry]];
        }
        vectors.read(address[entry], bytes, length[entry]);
        place[entry] = out.getFilePointer();
        out.writeBytes(bytes, 0, length[entry]);
      }
    }
  }

  /** Deletes the file, if there is one. */
  @Override
  public void close() {
    if (file != null) {
      IOUtils.closeWhileHandlingException(file);
      IOUtils.deleteFilesIgnoringExceptions(directory, fileName);
      file = null;
    }
  }
}
