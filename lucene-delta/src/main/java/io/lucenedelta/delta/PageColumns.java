// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.delta.ColumnBlocks.Kind;
import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.io.Closeable;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.lucene.util.BytesRef;

/**
 * What refresh strategies look at of every page, in rows outside the heap, so that a pass over all
 * pages reads memory in sequence instead of decoding the entries of a map.
 *
 * <p>A copy of what a {@link PageStore} holds, without vectors, made when it is first asked for and
 * kept up to date by every write to the store; so is what the default strategy {@linkplain #learned
 * learned} from them, once somebody asked. {@link OrderFile} tells a later opening what the file
 * holds. A page keeps its row when it leaves the index, so that rows are never moved.
 *
 * <pre>
 * sums → last refresh (int64), total days (float64), total gain, total root gain,
 *        usefulness (float32), changes (int32; {@value #ABSENT} when not in the index, or when the
 *        key is no UTF-8: of such a page nobody can be told)
 * rest → key address (int64: depth, block, offset), sum of rates (float32), refreshes (int32),
 *        directory numbers (uint16 ^ 8)
 * </pre>
 *
 * Little-endian, in {@link ColumnBlocks}, as are {@linkplain KeyColumn keys} and {@linkplain
 * RowNumbers their numbers}.
 *
 * <p>64 bytes a page, 8 to 16 of numbers, and its key. One thread writes while none reads.
 */
// Long because a row, its place and what was learned of it change with one write.
final class PageColumns implements RowNumbers.Keys, Closeable {
  private static final int ABSENT = -1;

  // a row's sums and where they begin after the last refresh
  private static final int SUMS = 32;
  private static final int DAYS_AT = 8;
  private static final int GAIN_AT = 16;
  private static final int ROOT_GAIN_AT = 20;
  private static final int USEFULNESS_AT = 24;
  private static final int CHANGES_AT = 28;

  // the rest of a row and where it begins after the key's address
  private static final int REST = 32;
  private static final int RATES_AT = 8;
  private static final int REFRESHES_AT = 12;
  private static final int DIRECTORIES_AT = 16;
  private static final int ROWS = 1 << 16; // rows in a block
  private static final int TOGETHER = 1 << 10;
  private static final int NOTED = 1 << 14;

  /** Pages that publish teach anew after writes of one page in so many. */
  private static final int LEARNED_AGAIN = 100;

  private final ColumnBlocks blocks;
  private final long hashSeed;
  private final List<ByteBuffer> sums = new ArrayList<>();
  private final List<ByteBuffer> rest = new ArrayList<>();
  private final KeyColumn keys;
  private final RowNumbers numbers;
  private final Row before = new Row(); // the row that is written, as it was; the copy of its own
  private final Row after = new Row(); // and as it is; one object each, since writes are many
  private int rows;
  private LearnedGains learned; // null until asked for
  private final int[] written = new int[NOTED]; // rows, some of them more than once
  private int writes = NOTED + 1; // how many; more than there is room for when not known
  private RowMarks marks; // null until pages are marked
  private LearnedGains learnedWithPublished; // null until asked for
  private Instant learnedWithPublishedAt;
  private long putsSinceLearned; // writes since publishers were learned from
  private long latestRefresh = Long.MIN_VALUE; // the latest in any row written

  private PageColumns(ColumnBlocks blocks, long hashSeed) {
    this.blocks = blocks;
    this.hashSeed = hashSeed;
    keys = new KeyColumn(blocks);
    numbers = new RowNumbers(blocks, this, hashSeed);
  }

  /**
   * Copies a store.
   *
   * @param file new, which nobody else knows
   */
  static PageColumns of(PageStore store, Path file, long hashSeed) throws IOException {
    PageColumns columns = new PageColumns(new ColumnBlocks(MappedBlocks.create(file)), hashSeed);
    try {
      columns.numbers.begin(store.size()); // first: refuses what the columns cannot hold
      RowNumbers.Together together = columns.numbers.new Together();
      store.forEach((key, entry) -> columns.copy(new BytesRef(key), entry, together));
      together.number();
      return columns;
    } catch (Throwable t) {
      columns.blocks.discard(); // nobody else has seen them
      throw t;
    }
  }

  private void copy(BytesRef key, PageEntry entry, RowNumbers.Together together)
      throws IOException {
    if (numbers.isFull(rows)) {
      together.number();
    }
    write(appendRow(key), key, entry);
    together.add(key);
  }

  /** Writes what an entry says, but for its vector. */
  void put(BytesRef key, PageEntry entry) throws IOException {
    int found = numbers.find(key);
    int row = found >= 0 ? found : append(key);
    boolean wasLearned = learned != null && found >= 0 && isPresent(row);
    if (wasLearned) {
      before.copy(row);
    }
    putsSinceLearned++;
    if (writes < NOTED) {
      written[writes] = row;
    }
    writes = Math.min(writes, NOTED) + 1;
    write(row, key, entry);
    if (learned != null) {
      learn(row, wasLearned);
    }
  }

  /** Learns from a row that was written, in place of what it was {@link #before}. */
  private void learn(int row, boolean wasLearned) {
    after.moveTo(row);
    if (!after.present()) {
      if (wasLearned) {
        learned.remove(before);
      }
    } else if (wasLearned) {
      learned.replace(before, after);
    } else {
      learned.add(after);
    }
  }

  /**
   * Pages of which anything was written since {@link #forgetWritten}, in the index or not; empty if
   * they are not known.
   */
  Optional<Set<String>> written() {
    if (writes > NOTED) {
      return Optional.empty();
    }
    Set<String> pages = new HashSet<>();
    for (int i = 0; i < writes; i++) {
      pages.add(new String(key(written[i]), StandardCharsets.UTF_8));
    }
    return Optional.of(pages);
  }

  /** What was written until now was looked at. */
  void forgetWritten() {
    writes = 0;
  }

  private void write(int row, BytesRef key, PageEntry entry) {
    boolean present = entry.present && PageKeys.isNamed(key);
    ByteBuffer own = sums.get(row / ROWS);
    int at = row % ROWS * SUMS;
    own.putLong(at, entry.lastRefresh);
    latestRefresh = Math.max(latestRefresh, present ? entry.lastRefresh : latestRefresh);
    own.putDouble(at + DAYS_AT, entry.totalDays());
    own.putFloat(at + GAIN_AT, entry.totalGain);
    own.putFloat(at + ROOT_GAIN_AT, entry.totalRootGain);
    own.putFloat(at + USEFULNESS_AT, entry.usefulness);
    own.putInt(at + CHANGES_AT, present ? entry.changes : ABSENT);
    ByteBuffer other = rest.get(row / ROWS);
    int otherAt = row % ROWS * REST;
    other.putFloat(otherAt + RATES_AT, entry.sumOfRates);
    other.putInt(otherAt + REFRESHES_AT, entry.refreshes);
  }

  private int append(BytesRef key) throws IOException {
    int row = appendRow(key);
    numbers.add(numbers.hash(key), row);
    return row;
  }

  /** A row that is not numbered yet. */
  private int appendRow(BytesRef key) throws IOException {
    if (rows % ROWS == 0) {
      sums.add(blocks.add(Kind.SUMS, ROWS * SUMS));
      rest.add(blocks.add(Kind.REST, ROWS * REST));
    }
    if (numbers.isFull(rows)) {
      numbers.grow(rows);
    }
    DirectoryPath directories = DirectoryPath.of(key.bytes, key.offset, key.length, hashSeed);
    ByteBuffer block = rest.get(rows / ROWS);
    int at = rows % ROWS * REST;
    block.putLong(at, ((long) directories.depth() << 56) | keys.append(key));
    for (int level = 0; level < directories.depth(); level++) {
      block.putChar(at + DIRECTORIES_AT + 2 * level, (char) directories.number(level));
    }
    return rows++;
  }

  @Override
  public byte[] key(int row) {
    return keys.key(address(row));
  }

  @Override
  public boolean isKey(int row, BytesRef key) {
    return keys.isKey(address(row), key);
  }

  private long address(int row) {
    return rest.get(row / ROWS).getLong(row % ROWS * REST);
  }

  /**
   * Marks all pages that publish, where that was not done yet.
   *
   * @param missed pages that said something that was not fetched yet
   */
  void markAll(Publishers publishers, Set<String> missed) {
    if (marks == null) {
      marks = new RowMarks(rows);
      forEachPublisher(
          publishers, (row, state) -> marks.mark(row, Publishers.fetched(state), false));
      for (String page : missed) {
        int row = numbers.find(new BytesRef(page));
        if (row >= 0) {
          marks.mark(row, marks.publishedAndFetched(row), true);
        }
      }
    }
  }

  /** Takes the row of a page that publishes, and what {@link Publishers} remembers of it. */
  @FunctionalInterface
  private interface PublisherTaker {
    void page(int row, long state);
  }

  /**
   * Keys are read in sequence unless few of them are wanted: found one by one they lie anywhere.
   */
  private void forEachPublisher(Publishers publishers, PublisherTaker taker) {
    if (publishers.size() < rows / 6) {
      publishers.forEach(
          (hash, state) -> {
            int row = numbers.find(hash);
            if (row >= 0) {
              taker.page(row, state);
            }
          });
    } else {
      long[] states = new long[TOGETHER]; // hashes of the keys before
      for (int first = 0; first < rows; first += states.length) {
        int count = Math.min(states.length, rows - first);
        for (int i = 0; i < count; i++) {
          states[i] = NumberByKey.hash(new BytesRef(key(first + i)), hashSeed);
        }
        publishers.states(states, count);
        for (int i = 0; i < count; i++) {
          if (states[i] != Publishers.NOT_KNOWN) {
            taker.page(first + i, states[i]);
          }
        }
      }
    }
  }

  /** Hands out the pages that publish and were fetched, or left, since that was looked at. */
  void forEachUnseen(Publishers publishers, Consumer<String> taker) {
    forEachPublisher(
        publishers,
        (number, state) -> {
          Row page = row(number);
          if (!page.present() || !Publishers.isLookedAt(state, page)) {
            taker.accept(page.page());
          }
        });
  }

  /** All are to be marked again. */
  void unmark() {
    marks = null;
  }

  /** Marks a page anew, one that left the index too; changes nothing before all are marked. */
  void mark(String page, int published, boolean missed) {
    if (marks != null) {
      marks.mark(numbers.find(new BytesRef(page)), published, missed);
    }
  }

  /** Hands out every page of the index with a name, in the order of rows; one object, reused. */
  void forEach(Consumer<? super PageHistory> reader) {
    forEach(new BitSet(), reader);
  }

  /** The same without some pages, whose rows are looked up: no other page is asked for its key. */
  void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    BitSet without = new BitSet(rows);
    for (String page : pages) {
      int row = numbers.find(new BytesRef(page));
      if (row >= 0) {
        without.set(row);
      }
    }
    forEach(without, reader);
  }

  private void forEach(BitSet without, Consumer<? super PageHistory> reader) {
    Row page = new Row();
    for (int first = 0; first < rows; first += ROWS) {
      page.sums = sums.get(first / ROWS);
      page.rest = rest.get(first / ROWS);
      int count = Math.min(ROWS, rows - first);
      for (int row = 0; row < count; row++) {
        page.moveTo(first, row);
        if (page.present() && !without.get(first + row)) {
          reader.accept(page);
        }
      }
    }
  }

  /** The page of a key, if it is in the index. */
  Optional<PageHistory> of(String page) {
    return of(page, left -> {});
  }

  /**
   * The same in one look-up with that of pages that were in the index and have left.
   *
   * @param left gets what is known of such a page
   */
  Optional<PageHistory> of(String page, Consumer<PageHistory> left) {
    int found = numbers.find(new BytesRef(page));
    if (found < 0) {
      return Optional.empty();
    }
    Row row = row(found);
    row.key = page;
    if (row.present()) {
      return Optional.of(row);
    }
    left.accept(row);
    return Optional.empty();
  }

  /** Whether a key is that of a page in the index. */
  boolean has(BytesRef key) {
    int found = numbers.find(key);
    return found >= 0 && isPresent(found);
  }

  private boolean isPresent(int row) {
    return sums.get(row / ROWS).getInt(row % ROWS * SUMS + CHANGES_AT) != ABSENT;
  }

  private Row row(int number) {
    Row page = new Row();
    page.moveTo(number);
    return page;
  }

  /**
   * What the default strategy learned from all pages: in passes when first asked for and when it is
   * {@linkplain LearnedGains#due due}, by every write since.
   *
   * @param histories these columns as histories
   */
  LearnedGains learned(PageHistories histories, Instant now) {
    if (learned == null || learned.due(now, histories.size())) {
      learned = LearnedGains.of(KnownPages.of(histories), now);
    }
    return learned;
  }

  /**
   * What all pages teach where some publish their changes, learned in passes: a day after the last
   * time or when a hundredth of the pages were written since.
   *
   * @param told these columns as histories, with what pages published
   */
  LearnedGains learnedWithPublished(KnownPages told, Instant now) {
    boolean due =
        learnedWithPublished == null
            || putsSinceLearned > told.size() / LEARNED_AGAIN // rows of pages that left stay
            || now.isBefore(learnedWithPublishedAt)
            || !now.isBefore(learnedWithPublishedAt.plus(Duration.ofDays(1)));
    if (due) {
      learnedWithPublished = LearnedGains.of(told, now);
      learnedWithPublishedAt = now;
      putsSinceLearned = 0;
    }
    return learnedWithPublished;
  }

  /** Writes what is needed to go on with the file of these columns, and checksums of it. */
  void describe(DataOutput out) throws IOException {
    out.writeInt(rows);
    out.writeInt(keys.used());
    blocks.describe(out);
    out.writeBoolean(learned != null);
    if (learned != null) {
      learned.write(out);
    }
  }

  /**
   * Goes on with a file that was described.
   *
   * @param hashSeed the same as when it was written
   * @throws IOException if the file is not as it was then, or has sums that are not finite
   */
  static PageColumns read(DataInput in, MappedBlocks memory, long hashSeed) throws IOException {
    PageColumns columns = new PageColumns(new ColumnBlocks(memory), hashSeed);
    columns.rows = in.readInt();
    columns.keys.goOnBehind(in.readInt());
    columns.blocks.read(in, columns::take);
    columns.learned = in.readBoolean() ? LearnedGains.read(in) : null;
    columns.requireFinite();
    columns.findLatestRefresh();
    return columns;
  }

  private void requireFinite() throws IOException {
    for (int row = 0; row < rows; row++) {
      ByteBuffer own = sums.get(row / ROWS);
      int at = row % ROWS * SUMS;
      float rates = rest.get(row / ROWS).getFloat(row % ROWS * REST + RATES_AT);
      if (!PageEntry.isFinite(
          own.getFloat(at + GAIN_AT),
          own.getFloat(at + ROOT_GAIN_AT),
          own.getFloat(at + USEFULNESS_AT),
          rates)) {
        throw new IOException("row %d of the columns has sums that are not finite".formatted(row));
      }
    }
  }

  /** Looks at all pages of the index; those that were fetched again count no more. */
  void findLatestRefresh() {
    latestRefresh = Long.MIN_VALUE;
    forEach(page -> latestRefresh = Math.max(latestRefresh, page.lastRefresh().toEpochMilli()));
  }

  /**
   * When a page of the index was fetched last of all, in milliseconds, or had been until it was
   * again.
   */
  long latestRefresh() {
    return latestRefresh;
  }

  private void take(Kind kind, ByteBuffer block) {
    switch (kind) {
      case SUMS -> sums.add(block);
      case REST -> rest.add(block);
      case KEYS -> keys.take(block);
      case NUMBERS -> numbers.take(block);
      case UNUSED -> throw new IllegalStateException("an unused block holds nothing");
    }
  }

  /** Closes the file and leaves it for a later opening. */
  void keep() throws IOException {
    blocks.keep();
  }

  @Override
  public void close() throws IOException {
    blocks.close();
  }

  /** A page; its key is read when it is asked for, unless the page was found by it. */
  private final class Row implements MarkedHistory, DirectoryPath {
    private String key; // null when it is not known yet
    private ByteBuffer sums;
    private ByteBuffer rest;
    private int row;
    private int at;
    private int restAt;
    private Instant refreshed; // null until asked for

    void moveTo(int number) {
      sums = PageColumns.this.sums.get(number / ROWS);
      rest = PageColumns.this.rest.get(number / ROWS);
      moveTo(number - number % ROWS, number % ROWS);
    }

    /** Becomes a row as it is now, whatever is written to it later. */
    void copy(int number) {
      if (sums == null) {
        sums = ByteBuffer.allocateDirect(SUMS).order(ByteOrder.LITTLE_ENDIAN);
        rest = ByteBuffer.allocateDirect(REST).order(ByteOrder.LITTLE_ENDIAN);
      }
      int inBlock = number % ROWS;
      sums.put(0, PageColumns.this.sums.get(number / ROWS), inBlock * SUMS, SUMS);
      rest.put(0, PageColumns.this.rest.get(number / ROWS), inBlock * REST, REST);
      refreshed = null;
      row = number;
    }

    void moveTo(int first, int inBlock) {
      refreshed = null;
      row = first + inBlock;
      at = inBlock * SUMS;
      restAt = inBlock * REST;
    }

    boolean present() {
      return sums.getInt(at + CHANGES_AT) != ABSENT;
    }

    @Override
    public String page() {
      return key != null ? key : new String(key(row), StandardCharsets.UTF_8);
    }

    @Override
    public Instant lastRefresh() {
      if (refreshed == null) {
        refreshed = Instant.ofEpochMilli(sums.getLong(at));
      }
      return refreshed;
    }

    @Override
    public double totalGain() {
      return sums.getFloat(at + GAIN_AT);
    }

    @Override
    public double totalRootGain() {
      return sums.getFloat(at + ROOT_GAIN_AT);
    }

    @Override
    public double totalDays() {
      return sums.getDouble(at + DAYS_AT);
    }

    @Override
    public double usefulness() {
      return sums.getFloat(at + USEFULNESS_AT);
    }

    @Override
    public int changes() {
      return sums.getInt(at + CHANGES_AT);
    }

    @Override
    public double sumOfRates() {
      return rest.getFloat(restAt + RATES_AT);
    }

    @Override
    public int refreshes() {
      return rest.getInt(restAt + REFRESHES_AT);
    }

    @Override
    public int publishedAndFetched() {
      return marks == null ? -1 : marks.publishedAndFetched(row);
    }

    @Override
    public boolean missed() {
      return marks != null && marks.missed(row);
    }

    @Override
    public DirectoryPath directories() {
      return this;
    }

    @Override
    public int depth() {
      return (int) (rest.getLong(restAt) >>> 56);
    }

    @Override
    public int number(int level) {
      return rest.getChar(restAt + DIRECTORIES_AT + 2 * level);
    }
  }
}
