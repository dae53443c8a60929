// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import net.openhft.chronicle.hash.Data;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/**
 * Pages by key in a Chronicle Map outside the heap: a cache of what index and refresh files hold.
 *
 * <p>One process has it open at a time, which the caller's lock ensures, and a file is opened only
 * after a clean close: a process that dies in a write leaves a lock in the file on which later
 * writes would wait for ever. Grown by copying before it is full. One thread writes; reading is
 * safe for several.
 */
final class PageStore implements Closeable {
  /** Behind a hash of eight bytes and a length of four. */
  private static final int HEADER_AT = 12;

  private static final byte[] HEADER =
      "!net.openhft.chronicle.map".getBytes(StandardCharsets.UTF_8);

  /** Few, so that the averages of those that come first can be taken for the rest. */
  private static final int FIRST_ENTRIES = 1_000;

  /** As usual for addresses, and for pages with 150 of 30,000 terms; until the first growth. */
  private static final double KEY_BYTES = 64;

  private static final double VALUE_BYTES = 272;

  /** Larger segments waste less; smaller ones find room for an entry that grew in less time. */
  private static final long SEGMENT_PAGES = 8_192;

  private static final int SMALLEST_CHUNK = 16;

  /** Smaller chunks waste less; with larger ones an entry that grew finds room in less time. */
  private static final int CHUNKS_A_PAGE = 12;

  private static final int CHECKED_EVERY = 256;

  private final Path folder;
  private final FaultPoints faults;
  private final StoreColumns columns;
  private ChronicleMap<byte[], byte[]> map;
  private Path file;
  private long capacity;
  private long number;
  private long expected;
  private long untilCheck;
  private int reserve; // parts that the map may still add beyond its size when it was made

  private PageStore(Path folder, FaultPoints faults) {
    this.folder = folder;
    this.faults = faults;
    this.columns = new StoreColumns(folder);
  }

  /** A new, empty store for about the given number of pages. */
  static PageStore create(Path folder, long number, long pages, FaultPoints faults)
      throws IOException {
    PageStore store = new PageStore(folder, faults);
    store.make(number, FIRST_ENTRIES, KEY_BYTES, VALUE_BYTES);
    store.expect(pages);
    return store;
  }

  private void make(long newNumber, long entries, double keyBytes, double valueBytes)
      throws IOException {
    number = newNumber;
    capacity = entries;
    file = fileName();
    Files.deleteIfExists(file);
    map = builder(keyBytes, valueBytes).createPersistedTo(file.toFile());
    reserve = map.remainingAutoResizes();
  }

  /** Says how many pages there will be, so that the next growth goes there at once. */
  void expect(long pages) {
    expected = Math.max(expected, pages);
  }

  /** Opens a store that was closed cleanly. */
  static PageStore open(Path folder, long number, long capacity, FaultPoints faults)
      throws IOException {
    PageStore store = new PageStore(folder, faults);
    store.number = number;
    store.capacity = capacity;
    store.file = store.fileName();
    if (!Files.exists(store.file)) {
      throw new IOException("page store " + store.file + " is missing");
    }
    requireHeader(store.file);
    store.map = store.builder(KEY_BYTES, VALUE_BYTES).createPersistedTo(store.file.toFile());
    store.reserve = store.map.remainingAutoResizes();
    return store;
  }

  /**
   * Chronicle Map waits a minute for the header of a file that has none, in case another process is
   * still writing it; ours never is.
   */
  private static void requireHeader(Path file) throws IOException {
    byte[] start = new byte[HEADER_AT + HEADER.length];
    int read;
    try (InputStream in = Files.newInputStream(file)) {
      read = in.readNBytes(start, 0, start.length);
    }
    int header = ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt(HEADER_AT - 4);
    if (read < start.length
        || header <= 0
        || header > Files.size(file)
        || !Arrays.equals(start, HEADER_AT, start.length, HEADER, 0, HEADER.length)) {
      throw new IOException("page store " + file + " has no readable header");
    }
  }

  private Path fileName() {
    return folder.resolve("pages_" + number + ".map");
  }

  private ChronicleMapBuilder<byte[], byte[]> builder(double key, double value) {
    return ChronicleMapBuilder.of(byte[].class, byte[].class)
        .name("lucene-delta pages")
        .entries(capacity)
        .averageKeySize(key)
        .averageValueSize(value)
        .actualSegments((int) Math.min(1 << 20, Math.max(1, capacity / SEGMENT_PAGES)))
        .actualChunkSize(Math.max(SMALLEST_CHUNK, (int) ((key + value) / CHUNKS_A_PAGE) & -8))
        .maxBloatFactor(8)
        .checksumEntries(false) // for recovery after a crash, which we never try
        .putReturnsNull(true)
        .removeReturnsNull(true)
        .skipCloseOnExitHook(true);
  }

  long number() {
    return number;
  }

  long capacity() {
    return capacity;
  }

  /** Number of pages known, those that left the index included. */
  long size() {
    return map.longSize();
  }

  /** Bytes outside the heap. */
  long bytes() {
    return map.offHeapMemoryUsed();
  }

  /** Reads a page's entry; clears {@code entry} and returns false when it is not known. */
  boolean get(BytesRef key, PageEntry entry) {
    byte[] value = map.get(copy(key));
    if (value == null) {
      entry.clear();
      return false;
    }
    entry.decode(value);
    return true;
  }

  void put(BytesRef key, PageEntry entry) throws IOException {
    putIntoMap(key, entry);
    columns.put(key, entry);
  }

  private void putIntoMap(BytesRef key, PageEntry entry) throws IOException {
    byte[] keyCopy = copy(key);
    byte[] value = entry.encode();
    if (--untilCheck < 0) {
      check();
    }
    try {
      faults.at(FaultPoints.STORE);
      map.put(keyCopy, value);
    } catch (IllegalStateException | IllegalArgumentException full) {
      grow(); // unusually long pages: the space is used up before the number of entries is
      faults.at(FaultPoints.STORE);
      map.put(keyCopy, value);
    }
  }

  /**
   * Grows when there are as many pages as expected, or when they took more space than expected: the
   * map would go on, but in parts that it adds far larger than they need be.
   */
  private void check() throws IOException {
    if (map.longSize() >= capacity || map.remainingAutoResizes() < reserve) {
      grow();
    }
    untilCheck = Math.min(CHECKED_EVERY, capacity - map.longSize() - 1);
  }

  private void grow() throws IOException {
    long pages = Math.max(1, map.longSize());
    long[] bytes = new long[2];
    map.forEachEntry(
        e -> {
          bytes[0] += e.key().size();
          bytes[1] += e.value().size();
        });
    PageStore larger = new PageStore(folder, faults);
    larger.make(
        number + 1,
        Math.max(expected + expected / 32, pages + Math.max(FIRST_ENTRIES, pages) / 8),
        Math.max(8, (double) bytes[0] / pages),
        Math.max(16, (double) bytes[1] / pages));
    try {
      map.forEach(larger.map::put);
    } catch (Throwable t) {
      larger.discard();
      throw t;
    }
    map.close();
    Files.deleteIfExists(file);
    number = larger.number;
    capacity = larger.capacity;
    file = larger.file;
    map = larger.map;
    reserve = larger.reserve;
  }

  /**
   * The same without vectors, for passes over all pages. The first call copies the whole store if
   * nothing was {@linkplain #columnsLeft left}; afterwards every {@link #put} keeps the copy up to
   * date.
   */
  PageColumns columns() throws IOException {
    return columns.of(this);
  }

  /** Columns that an earlier writer left, which stand for this store as it was opened. */
  void columnsLeft(Directory files, long columnsNumber, DeltaListener listener) {
    columns.left(files, columnsNumber, listener);
  }

  /** Leaves the columns for a later opening; returns their number, 0 if there are none. */
  long leaveColumns(Directory files) throws IOException {
    return columns.leave(files);
  }

  /** Takes a page; the entry is reused for the next one. */
  @FunctionalInterface
  interface Taker {
    void page(byte[] key, PageEntry entry) throws IOException;
  }

  /** Hands out every page, in no order, without its vector, most of what there is to read. */
  void forEach(Taker taker) throws IOException {
    PageEntry entry = new PageEntry();
    byte[] head = new byte[PageEntry.LONGEST_HEAD];
    try {
      map.forEachEntry(
          e -> {
            Data<byte[]> value = e.value();
            int length = (int) Math.min(value.size(), head.length);
            value.bytes().read(value.offset(), head, 0, length);
            entry.decodeHead(head);
            try {
              taker.page(e.key().get(), entry);
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static byte[] copy(BytesRef key) {
    byte[] bytes = new byte[key.length];
    System.arraycopy(key.bytes, key.offset, bytes, 0, key.length);
    return bytes;
  }

  @Override
  public void close() {
    map.close();
    columns.close();
  }

  /** Closes and deletes the file. */
  void discard() throws IOException {
    close();
    columns.forget();
    Files.deleteIfExists(file);
  }
}
