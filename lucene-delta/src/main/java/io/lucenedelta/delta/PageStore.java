// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import net.openhft.chronicle.core.Memory;
import net.openhft.chronicle.core.OS;
import net.openhft.chronicle.core.UnsafeMemory;
import net.openhft.chronicle.hash.Data;
import net.openhft.chronicle.hash.impl.VanillaChronicleHash;
import net.openhft.chronicle.map.ChronicleMap;
import net.openhft.chronicle.map.ChronicleMapBuilder;
import net.openhft.chronicle.map.ExternalMapQueryContext;
import net.openhft.chronicle.map.MapEntry;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;

/**
 * Pages by key in a Chronicle Map outside the heap: a cache of what index and refresh files hold.
 *
 * <p>One process has it open at a time, which the caller's lock ensures, and a file is opened only
 * after a clean close: a process that dies in a write leaves a lock in the file on which later
 * writes would wait for ever. Grown by copying before it is full. For one thread at a time, but
 * that several may {@linkplain #get get} while nobody writes: a page that needs as many bytes as
 * before is written where it was found, past the map's own locks.
 */
// Long because nobody else knows of Chronicle Map: its layout, its growth and how it fails.
final class PageStore implements Closeable {
  /** Few, so that the averages of those that come first can be taken for the rest. */
  private static final int FIRST_ENTRIES = 1_000;

  /** As usual for addresses, and for pages with 150 of 30,000 terms; until the first growth. */
  private static final double KEY_BYTES = 64;

  private static final double VALUE_BYTES = 272;

  /** Larger segments waste less; smaller ones find room for an entry that grew in less time. */
  private static final long SEGMENT_PAGES = 8_192;

  /** An entry lies in one segment, whose size follows from the averages: at least so many. */
  private static final double ROOM_FOR_LARGEST = 2;

  private static final int SMALLEST_CHUNK = 16;

  /** Smaller chunks waste less; with larger ones an entry that grew finds room in less time. */
  private static final int CHUNKS_A_PAGE = 12;

  /** What systems and Chronicle say when a disk is full, or a file is larger than it may be. */
  private static final Pattern ROOM =
      Pattern.compile("space|quota|fallocate|too large", Pattern.CASE_INSENSITIVE);

  /**
   * A map takes 1.09 to 1.19 times the bytes of its pages, and some 30 a page more. So that a store
   * which is laid out by the one before, time and again, does not grow each time, rather more than
   * that is taken off.
   */
  private static final double OVERHEAD = 1.2;

  private static final double OVERHEAD_BYTES = 25;

  private static final int CHECKED_EVERY = 256;

  private static final Memory MEMORY = OS.memory();
  private static final AtomicLong EDITIONS = new AtomicLong();
  private static final SecureRandom STAMPS = new SecureRandom();
  private static final long CLOSED = -1; // no page has this edition
  private static final Costs.Loop NOT_COUNTED = new Costs(false).loop();

  private final Path folder;
  private final FaultPoints faults;
  private final StoreColumns columns;
  private ChronicleMap<byte[], byte[]> map;
  private long edition; // no two maps have the same
  private byte[] keyBytes = new byte[0]; // the key of a page that was found
  private Path file;
  private long capacity;
  private long number;
  private long expected;
  private double expectedBytes; // of a page and its key; 0 when not known
  private long untilCheck;
  private volatile boolean damaged;
  private PagesCheck closed; // null until it is
  private int reserve; // parts that the map may still add beyond its size when it was made
  private IOException notExtended; // why the map could not add one, null if that did not happen

  private PageStore(Path folder, FaultPoints faults) {
    this.folder = folder;
    this.faults = faults;
    this.columns = new StoreColumns(folder);
  }

  /** A new, empty store for about the given number of pages. */
  static PageStore create(Path folder, long number, long pages, FaultPoints faults)
      throws IOException {
    PageStore store = new PageStore(folder, faults);
    store.make(number, FIRST_ENTRIES, KEY_BYTES, VALUE_BYTES, 0);
    store.expect(pages);
    return store;
  }

  private void make(
      long newNumber, long entries, double averageKey, double averageValue, long largest)
      throws IOException {
    double average = averageKey + averageValue;
    number = newNumber;
    capacity = Math.max(entries, (long) Math.ceil(ROOM_FOR_LARGEST * largest / average));
    file = fileName();
    Files.deleteIfExists(file);
    long most = largest == 0 ? 1 << 20 : (long) (capacity * average / ROOM_FOR_LARGEST / largest);
    try {
      use(persisted(averageKey, averageValue, most));
    } catch (IOException | RuntimeException e) {
      if (StateFolder.wasInterrupted(e)) { // is none of the disk's
        throw e;
      }
      long bytes = needed(file, (long) (capacity * average));
      IOUtils.deleteFilesIgnoringExceptions(file); // what there is of it takes room
      throw notMade(file, capacity, bytes, e);
    }
  }

  /**
   * How many bytes must be free for a map that could not be made: it makes its file as long as it
   * will be, and then wants room for a tenth more.
   *
   * @param pages what its pages take, less than the map; for where there is no file
   */
  static long needed(Path file, long pages) {
    long bytes = Math.max(pages, file.toFile().length());
    return bytes + bytes / 10 + 1;
  }

  /** The JDK's message names neither the disk nor the size. */
  static IOException notMade(Path file, long pages, long bytes, Exception e) {
    String message = String.valueOf(e.getMessage());
    String remedy =
        lacksRoom(message)
            ? String.format(
                Locale.ENGLISH, "; see whether there are at least %,d bytes free", bytes)
            : "";
    return new IOException(
        String.format(
            Locale.ENGLISH,
            "page store %s for %,d pages cannot be made%s: %s",
            file,
            pages,
            remedy,
            message),
        e);
  }

  private static boolean lacksRoom(String message) {
    return ROOM.matcher(message).find();
  }

  /** The module that the JVM's flags must open others to. */
  static Module chronicle() {
    return ChronicleMap.class.getModule();
  }

  /** Whether the JVM refuses what newer ones warn of; asked through Chronicle, whom they name. */
  static boolean isMemoryDenied() {
    try {
      UnsafeMemory.INSTANCE.arrayBaseOffset(byte[].class);
      return false;
    } catch (UnsupportedOperationException e) {
      return true;
    }
  }

  private void use(ChronicleMap<byte[], byte[]> made) {
    map = made;
    edition = EDITIONS.incrementAndGet();
    reserve = made.remainingAutoResizes();
    notExtended = null;
    stamp();
  }

  /**
   * Marks the file as that of this opening, before anything is written: no check of another one
   * goes with it. Entries are written in place, so a copy of the folder that shares the file, or
   * that was made when the file did not seem to have changed, has entries of another commit.
   */
  private void stamp() {
    VanillaChronicleHash<?, ?, ?, ?> layout = (VanillaChronicleHash<?, ?, ?, ?>) map;
    long reserved = layout.segmentHeadersOffset - Long.BYTES; // by Chronicle Map, which uses none
    MEMORY.writeLong(layout.bsAddress() + reserved, STAMPS.nextLong());
  }

  /** Says how many pages there will be, so that the next growth goes there at once. */
  void expect(long pages) {
    expected = Math.max(expected, pages);
  }

  /**
   * Gives pages at least about the room that they have in another store, when next it grows: for
   * whoever puts them without their vectors first, or it would grow an eighth at a time. One that
   * has never grown tells nothing: what its pages would take was a guess.
   *
   * @param bytes of the other store
   * @param pages its capacity
   */
  void expectAsMuchRoom(long bytes, long pages) {
    boolean known = pages > FIRST_ENTRIES;
    expectedBytes = known ? (double) bytes / pages / OVERHEAD - OVERHEAD_BYTES : 0;
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
    MapHeader.require(store.file);
    store.use(store.persisted(KEY_BYTES, VALUE_BYTES, 1));
    return store;
  }

  private Path fileName() {
    return folder.resolve(StateFiles.pages(number));
  }

  /**
   * The map in the file. Chronicle Map looks for its classes by the thread's context class loader,
   * which may be null, or one that does not see them.
   */
  private ChronicleMap<byte[], byte[]> persisted(double key, double value, long mostSegments)
      throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(PageStore.class.getClassLoader());
    try {
      return builder(key, value, mostSegments).createPersistedTo(file.toFile());
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** How the map is made; one that was made before stays as it was. */
  private ChronicleMapBuilder<byte[], byte[]> builder(double key, double value, long mostSegments) {
    long segments = Math.max(1, Math.min(capacity / SEGMENT_PAGES, mostSegments));
    return ChronicleMapBuilder.of(byte[].class, byte[].class)
        .name("lucene-delta pages")
        .entries(capacity)
        .averageKeySize(key)
        .averageValueSize(value)
        .actualSegments((int) Math.min(1 << 20, segments))
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
    try (ExternalMapQueryContext<byte[], byte[], ?> query = map.queryContext(copy(key))) {
      MapEntry<byte[], byte[]> found = query.entry();
      if (found == null) {
        entry.clear();
        return false;
      }
      Data<byte[]> value = found.value();
      int size = size(value);
      long place = value.bytes().addressForRead(value.offset());
      MEMORY.readBytes(place, entry.buffer(size), 0, size);
      entry.decode(size);
      entry.edition = edition;
      entry.place = place;
      Data<byte[]> foundKey = found.key();
      entry.keyPlace = foundKey.bytes().addressForRead(foundKey.offset());
      entry.keyLength = key.length;
      return true;
    } catch (RuntimeException | Error e) {
      damaged = true;
      throw e;
    }
  }

  /** The size of a value, which must lie within the map before memory is read past its checks. */
  private int size(Data<byte[]> value) {
    long size = value.size();
    if (size <= 0 || size > value.bytes().readLimit() - value.offset()) {
      throw new UncheckedIOException(
          new CorruptIndexException("a page of " + size + " bytes", file.toString()));
    }
    return Math.toIntExact(size);
  }

  /** Whether an entry could not be read. What else was read then may be wrong as well. */
  boolean damaged() {
    return damaged;
  }

  /** The same as {@link #put(BytesRef, PageEntry, Costs.Loop)}, counted nowhere. */
  void put(BytesRef key, PageEntry entry) throws IOException {
    put(key, entry, NOT_COUNTED);
  }

  /**
   * Writes a page. One that was {@linkplain #get found} is written where it was, if it needs as
   * many bytes; so nobody else may have put it since.
   *
   * @param costs has a step end with the page, and one with what it is ordered by
   */
  void put(BytesRef key, PageEntry entry, Costs.Loop costs) throws IOException {
    int size = entry.encode();
    if (entry.edition == edition && size == entry.stored && isKey(entry, key)) {
      faults.at(FaultPoints.STORE);
      MEMORY.writeBytes(entry.place, entry.bytes(), 0, size);
    } else {
      putIntoMap(copy(key), Arrays.copyOf(entry.bytes(), size));
      entry.edition = 0; // it may be elsewhere now
    }
    order(key, entry, costs);
  }

  private void order(BytesRef key, PageEntry entry, Costs.Loop costs) {
    costs.step(Costs.Step.STORE_PUT);
    if (columns.put(key, entry)) {
      costs.step(Costs.Step.ORDER);
    }
  }

  /** The same as {@link #putHead(BytesRef, PageEntry, Costs.Loop)}, counted nowhere. */
  boolean putHead(BytesRef key, PageEntry entry) throws IOException {
    return putHead(key, entry, NOT_COUNTED);
  }

  /**
   * Writes a page that was {@linkplain #get found} and has the same vector since: its head alone,
   * so that the vector is neither encoded nor written over with the same bytes. Under the
   * conditions of {@link #put}, whether {@code entry} holds the vector or not.
   *
   * @return false if the head needs another number of bytes, or the page is no longer where it was
   *     found: nothing is written then, and the page must be put with its vector
   */
  boolean putHead(BytesRef key, PageEntry entry, Costs.Loop costs) throws IOException {
    int size = entry.encodeHead();
    if (entry.edition != edition || size != entry.storedHead || !isKey(entry, key)) {
      return false;
    }
    faults.at(FaultPoints.STORE);
    entry.keepRoom(MEMORY.readByte(entry.place));
    MEMORY.writeBytes(entry.place, entry.bytes(), 0, size);
    order(key, entry, costs);
    return true;
  }

  /** Adds the refreshes of a file, one of each page, to the sums of the pages that are here. */
  void add(Directory files, String refreshes) throws IOException {
    PageEntry page = new PageEntry();
    try (RefreshFile.Reader file = new RefreshFile.Reader(files, refreshes)) {
      while (file.next()) {
        if (get(file.key(), page)) {
          page.add(file.refreshes().get(0));
          if (!putHead(file.key(), page)) {
            put(file.key(), page);
          }
        }
      }
    }
  }

  /** Whether the page that was found is that of a key. */
  private boolean isKey(PageEntry found, BytesRef key) {
    if (found.keyLength != key.length) {
      return false;
    }
    if (keyBytes.length < key.length) {
      keyBytes = new byte[key.length];
    }
    MEMORY.readBytes(found.keyPlace, keyBytes, 0, key.length);
    int end = key.offset + key.length;
    return Arrays.equals(keyBytes, 0, key.length, key.bytes, key.offset, end);
  }

  private void putIntoMap(byte[] key, byte[] value) throws IOException {
    if (--untilCheck < 0) {
      check();
    }
    try {
      write(key, value);
    } catch (IllegalStateException | IllegalArgumentException full) {
      // unusually long pages: the space is used up before the number of entries is, or no segment
      // is large enough for this one
      grow(key.length + value.length);
      write(key, value);
    }
  }

  /**
   * Writes into the map, which may add a part to its file. For that it lengthens the file, then
   * looks for room; the next time it would take the longer file for room that it has, and to write
   * there is a fault of memory. So once it failed the map adds no more.
   */
  private void write(byte[] key, byte[] value) throws IOException {
    requireExtended();
    try {
      faults.at(FaultPoints.STORE);
      map.put(key, value);
    } catch (RuntimeException e) {
      if (!(e.getCause() instanceof IOException why) || StateFolder.wasInterrupted(e)) {
        throw e;
      }
      notExtended = why; // Chronicle's own message has the name of the map alone
      requireExtended();
    }
  }

  private void requireExtended() throws IOException {
    if (notExtended != null) {
      String message = String.valueOf(notExtended.getMessage());
      String remedy = lacksRoom(message) ? "; see whether its disk has room" : "";
      throw new IOException(
          "page store %s cannot be extended%s: %s".formatted(file, remedy, message), notExtended);
    }
  }

  /**
   * Grows when there are as many pages as expected, or when they took more space than expected: the
   * map would go on, but in parts that it adds far larger than they need be.
   */
  private void check() throws IOException {
    if (map.longSize() >= capacity || map.remainingAutoResizes() < reserve) {
      grow(0);
    }
    untilCheck = Math.min(CHECKED_EVERY, capacity - map.longSize() - 1);
  }

  /** Grows so that there is room for an entry of a number of bytes. */
  private void grow(long entry) throws IOException {
    long pages = Math.max(1, map.longSize());
    long[] bytes = {0, 0, entry};
    map.forEachEntry(
        e -> {
          bytes[0] += e.key().size();
          bytes[1] += e.value().size();
          bytes[2] = Math.max(bytes[2], e.key().size() + e.value().size());
        });
    double key = Math.max(8, (double) bytes[0] / pages);
    double value = Math.max(16, (double) bytes[1] / pages);
    PageStore larger = new PageStore(folder, faults);
    larger.make(
        number + 1,
        Math.max(expected + expected / 32, pages + Math.max(FIRST_ENTRIES, pages) / 8),
        key,
        Math.max(value, expectedBytes - key),
        bytes[2]);
    try {
      larger.putAll(map);
    } catch (Throwable t) {
      larger.discard();
      throw t;
    }
    closeMap();
    Path former = file;
    number = larger.number;
    capacity = larger.capacity;
    file = larger.file;
    use(larger.map);
    IOUtils.deleteFilesIgnoringExceptions(former); // else the next opening deletes it
  }

  private void putAll(ChronicleMap<byte[], byte[]> pages) throws IOException {
    try {
      pages.forEach(
          (key, value) -> {
            try {
              write(key, value);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /**
   * The same without vectors, for passes over all pages. The first call copies the whole store if
   * nothing was {@linkplain #columnsSaved saved}; afterwards every {@link #put} keeps the copy up
   * to date.
   */
  PageColumns columns() throws IOException {
    return columns.of(this);
  }

  /** Says who hears of columns that cannot follow a write: they are dropped then. */
  void heardBy(DeltaListener listener) {
    columns.heardBy(listener);
  }

  /** Says by what columns hash keys; see {@link Manifest#hashSeed}. */
  void hashedBy(long seed) {
    columns.hashedBy(seed);
  }

  /** Columns that an earlier writer saved, which stand for this store as it was opened. */
  void columnsSaved(Directory files, long columnsNumber) {
    columns.savedIn(files, columnsNumber);
  }

  /** Saves the columns for a later opening; returns their number, 0 if there are none. */
  long saveColumns(Directory files) throws IOException {
    return columns.save(files);
  }

  /** Takes a page; the entry is reused for the next one. */
  @FunctionalInterface
  interface Taker {
    void page(byte[] key, PageEntry entry) throws IOException;
  }

  /** Hands out every page, in no order, without its vector, most of what there is to read. */
  void forEach(Taker taker) throws IOException {
    PageEntry entry = new PageEntry();
    try {
      map.forEachEntry(
          e -> {
            Data<byte[]> value = e.value();
            int length = Math.min(size(value), PageEntry.LONGEST_HEAD);
            value.bytes().read(value.offset(), entry.buffer(length), 0, length);
            entry.decodeHead();
            try {
              taker.page(e.key().get(), entry);
            } catch (IOException failure) {
              throw new UncheckedIOException(failure);
            }
          });
    } catch (UncheckedIOException e) {
      damaged |= e.getCause() instanceof CorruptIndexException;
      throw e.getCause();
    } catch (RuntimeException | InternalError e) { // memory may run out for whoever takes pages
      damaged = true;
      throw e;
    }
  }

  /** Hands out pages with their vectors, in an order of no meaning, until there were enough. */
  void forEachUntil(Predicate<PageEntry> enough) {
    PageEntry entry = new PageEntry();
    try {
      map.forEachEntryWhile(
          e -> {
            Data<byte[]> value = e.value();
            int length = size(value);
            value.bytes().read(value.offset(), entry.buffer(length), 0, length);
            entry.decode(length);
            return !enough.test(entry);
          });
    } catch (RuntimeException | InternalError e) {
      damaged = true;
      throw e;
    }
  }

  private static byte[] copy(BytesRef key) {
    byte[] bytes = new byte[key.length];
    System.arraycopy(key.bytes, key.offset, bytes, 0, key.length);
    return bytes;
  }

  /** From here on no page is where it was found. */
  private void closeMap() {
    edition = CLOSED;
    map.close();
  }

  private PagesCheck partsBesideEntries() {
    VanillaChronicleHash<?, ?, ?, ?> layout = (VanillaChronicleHash<?, ?, ?, ?>) map;
    PagesCheck check = new PagesCheck();
    check.add(0, layout.tierBytesOffset(1));
    long beforeEntries =
        layout.tierHashLookupOuterSize
            + VanillaChronicleHash.TIER_COUNTERS_AREA_SIZE
            + layout.tierFreeListOuterSize;
    for (int segment = 1; segment <= layout.actualSegments; segment++) {
      check.add(layout.tierBytesOffset(segment), beforeEntries);
    }
    long added = layout.sizeInBytesWithoutTiers(); // what the map added by itself, entries included
    check.add(added, layout.dataStoreSize() - added);
    return check;
  }

  @Override
  public void close() {
    try {
      if (edition != CLOSED) {
        closed = partsBesideEntries();
      }
    } finally {
      closeMap();
      columns.close();
    }
  }

  /**
   * Makes a store that was closed durable, which the map leaves to the system, and writes down what
   * a later opening must find.
   *
   * @param files the folder that the store lies in
   * @throws IOException also of one that could not be extended, see {@link #write}
   */
  void force(Directory files, String standsFor) throws IOException {
    requireExtended();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedBlocks.touch(channel);
    }
    files.sync(List.of(file.getFileName().toString()));
    closed.write(files, number, file, standsFor);
  }

  /** Closes and deletes the file. */
  void discard() throws IOException {
    close();
    columns.forget();
    Files.deleteIfExists(file);
  }
}
