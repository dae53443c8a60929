// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ResourceLock(SmallDisk.LACKS_ROOM)
class PageColumnsTest {
  private final List<String> troubles = new ArrayList<>();

  @TempDir private Path folder;

  @Test
  void columnsFollowEveryWriteToTheStore() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    Map<String, PageEntry> expected = new TreeMap<>();
    for (int write = 0; write < 3_000; write++) {
      if (write == 500) {
        store.columns();
      }
      String key = key(random.nextInt(1_500));
      PageEntry entry = randomEntry(random, key);
      expected.put(key, entry);
      store.put(new BytesRef(key), entry);
    }
    assertThat(held(store)).as("seed %d", seed).isEqualTo(described(expected));
    store.discard();
  }

  @Test
  void columnsCopiedFromAStoreAreAsIfTheyHadFollowedItAndFindEveryPageAgain() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    Map<String, PageEntry> expected = new TreeMap<>();
    for (int page = 0; page < 5_000; page++) {
      String key = key(page) + (page % 3 == 0 ? "/ü/é" : "");
      PageEntry entry = randomEntry(random, key);
      byte[] vector = new byte[page % 5 == 0 ? 0 : random.nextInt(500)];
      random.nextBytes(vector);
      entry.vector.copyFrom(vector, 0, vector.length);
      expected.put(key, entry);
      store.put(new BytesRef(key), entry);
    }
    assertThat(held(store)).as("seed %d", seed).isEqualTo(described(expected));
    for (PageEntry entry : expected.values()) {
      entry.add(true, entry.lastRefresh + 1, 1, 1, -1);
      store.put(new BytesRef(entry.page), entry);
    }
    assertThat(held(store)).as("no page twice, seed %d", seed).isEqualTo(described(expected));
    store.discard();
  }

  private static void put(PageStore store, String key, boolean present) throws Exception {
    PageEntry entry = randomEntry(new Random(1), key);
    entry.present = present;
    store.put(new BytesRef(key), entry);
  }

  @Test
  void pagesWrittenAreNamedUntilTheyAreTooMany() throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    put(store, "before", true);
    PageColumns columns = store.columns();
    assertThat(columns.written()).as("not known of those copied").isEmpty();
    new StoredHistories(store, 1).forgetWritten();
    put(store, "before", true);
    put(store, "left", false);
    put(store, "new/ü", true);
    put(store, "new/ü", true);
    assertThat(columns.written()).contains(Set.of("before", "left", "new/ü"));
    columns.forgetWritten();
    assertThat(columns.written()).contains(Set.of());
    put(store, "new/ü", false);
    assertThat(columns.written()).contains(Set.of("new/ü"));
    for (int page = 1; page < 1 << 14; page++) {
      put(store, key(page), true);
    }
    assertThat(columns.written().orElseThrow())
        .hasSize(1 << 14)
        .contains(key((1 << 14) - 1))
        .doesNotContain("before");
    for (int page = 1 << 14; page < 20_000; page++) {
      put(store, key(page), true);
      assertThat(columns.written()).as("too many").isEmpty();
    }
    columns.forgetWritten();
    put(store, "last", true);
    assertThat(columns.written()).contains(Set.of("last"));
    store.discard();
  }

  /** What each page is marked with, in place of what a look-up by its key would tell. */
  private static Map<String, String> marks(PageStore store) throws IOException {
    Map<String, String> marks = new TreeMap<>();
    store
        .columns()
        .forEach(
            page -> {
              MarkedHistory marked = (MarkedHistory) page;
              marks.put(
                  page.page(), marked.publishedAndFetched() + (marked.missed() ? " and more" : ""));
            });
    return marks;
  }

  private static Set<String> unseen(PageStore store, Publishers publishers) throws IOException {
    Set<String> unseen = new TreeSet<>();
    store.columns().forEachUnseen(publishers, unseen::add);
    return unseen;
  }

  /** The pages of which something else is known than what was seen. */
  private static List<String> differing(Map<String, String> seen, PageHistories histories) {
    return seen.keySet().stream()
        .filter(page -> !seen.get(page).equals(fetches(histories, page)))
        .toList();
  }

  private static String fetches(PageHistories histories, String page) {
    return histories
        .of(page)
        .map(known -> known.lastRefresh().getEpochSecond() + ", changes: " + known.changes())
        .orElse("left");
  }

  @ParameterizedTest(name = "one page in {0} publishes its changes")
  @ValueSource(ints = {2, 50})
  void pagesThatPublishAreMarkedAsTheirKeysTell(int oneIn) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    ToldChanges told = new ToldChanges(0);
    Set<String> kinds = new HashSet<>();
    Map<String, String> seen = new TreeMap<>(); // pages that publish, as they were looked at
    Instant now = Instant.ofEpochMilli(4_000_000_000_000L);
    String unchanged = key(1_001); // only ever said what was fetched, as others may or may not
    put(store, unchanged, true);
    told.publishers().hear(unchanged, now);
    told.add(unchanged, Instant.EPOCH, now);
    for (int round = 0; round < 12; round++) {
      for (int i = 0; i < 200; i++) {
        String key = key(random.nextInt(1_000));
        store.put(new BytesRef(key), randomEntry(random, key));
      }
      StoredHistories histories = new StoredHistories(store, 1_000_000);
      for (int i = 0; i < 600 / oneIn; i++) {
        String key = key(oneIn * random.nextInt(1 + 1_000 / oneIn));
        long fetched = histories.of(key).map(p -> p.lastRefresh().toEpochMilli()).orElse(0L);
        told.publishers().hear(key, now);
        told.add(key, Instant.ofEpochMilli(fetched + random.nextInt(-9_999, 9_999)), now);
      }
      assertThat(unseen(store, told.publishers()))
          .as("seed %d, round %d", seed, round)
          .containsExactlyElementsOf(differing(seen, histories));
      told.catchUp(histories, store.columns().written(), now, true, page -> {});
      assertThat(unseen(store, told.publishers())).as("seed %d", seed).isEmpty();
      seen.clear();
      for (int i = 0; i <= 1_001; i++) {
        if (told.publishers().has(key(i))) {
          seen.put(key(i), fetches(histories, key(i)));
        }
      }
      told.known(histories, now);
      Map<String, String> expected = new TreeMap<>();
      for (String page : marks(store).keySet()) {
        boolean missed = told.byPage().containsKey(page);
        expected.put(page, told.publishers().fetched(page) + (missed ? " and more" : ""));
      }
      kinds.addAll(expected.values());
      assertThat(marks(store)).as("seed %d, round %d", seed, round).isEqualTo(expected);
      store.columns().forgetWritten();
      if (round == 6) {
        try (Directory files = FSDirectory.open(folder)) {
          long left = store.saveColumns(files);
          store.close();
          store = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
          store.heardBy(new Troubles(troubles));
          store.columnsSaved(files, left);
          store.columns();
        }
      }
    }
    assertThat(kinds).as("seed %d", seed).contains("-1", "0", "0 and more");
    assertThat(troubles).as("seed %d", seed).isEmpty();
    store.discard();
  }

  @Test
  void whoGoesOnWithColumnsKnowsTheLatestRefreshAndGoesOnWithNoSumThatIsNotFinite()
      throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    put(store, "page", true);
    PageEntry entry = new PageEntry();
    assertThat(store.get(new BytesRef("page"), entry)).isTrue();
    try (PageColumns read = leftAndRead(store, entry)) {
      assertThat(read.latestRefresh()).isEqualTo(entry.lastRefresh);
    }
    entry.totalGain = Float.POSITIVE_INFINITY;
    assertThatThrownBy(() -> leftAndRead(store, entry))
        .isInstanceOf(IOException.class)
        .hasMessage("row 0 of the columns has sums that are not finite");
    store.discard();
  }

  /** The columns of a store as a later opening reads them, with an entry that was written last. */
  private PageColumns leftAndRead(PageStore store, PageEntry entry) throws IOException {
    Path file = folder.resolve("left.map");
    ByteArrayOutputStream description = new ByteArrayOutputStream();
    PageColumns left = PageColumns.of(store, file, 0);
    left.put(new BytesRef("page"), entry);
    left.describe(new DataOutputStream(description));
    left.keep();
    return PageColumns.read(
        new DataInputStream(new ByteArrayInputStream(description.toByteArray())),
        MappedBlocks.open(file),
        0);
  }

  /** Of a page whose vector is the one before. */
  @Test
  void aHeadThatIsWrittenAloneIsFollowed() throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    put(store, "page", true);
    StoredHistories histories = new StoredHistories(store, 1);
    PageEntry entry = new PageEntry();
    assertThat(store.get(new BytesRef("page"), entry)).isTrue();
    assertThat(histories.of("page").orElseThrow().lastRefresh().toEpochMilli())
        .isEqualTo(entry.lastRefresh);
    entry.lastRefresh++;
    assertThat(store.putHead(new BytesRef("page"), entry)).isTrue();
    assertThat(histories.of("page").orElseThrow().lastRefresh().toEpochMilli())
        .isEqualTo(entry.lastRefresh);
    store.discard();
  }

  @Test
  void rowsThatCameSinceAllWereMarkedAreMarkedTooIfTheyPublish() {
    RowMarks marks = new RowMarks(3);
    marks.mark(3, -1, false);
    assertThat(marks.publishedAndFetched(3)).as("silent").isEqualTo(-1);
    marks.mark(3, 5, true);
    assertThat(marks.publishedAndFetched(3)).isEqualTo(5);
    assertThat(marks.missed(3)).isTrue();
    assertThat(marks.publishedAndFetched(4)).isEqualTo(-1);
  }

  @Test
  void aPageThatLeftUnseenAndCameBackPublishesNothing() throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    StoredHistories histories = new StoredHistories(store, 1);
    ToldChanges told = new ToldChanges(0);
    Instant now = Instant.ofEpochMilli(4_000_000_000_000L);
    Map<String, PageFacts.Provider> providers = new TreeMap<>();
    for (String page : List.of("back", "stays")) {
      put(store, page, true);
      told.publishers().hear(page, now);
      told.add(page, Instant.EPOCH, now);
    }
    told.catchUp(histories, Optional.empty(), now, true, page -> {});
    told.known(histories, now).forEach(page -> providers.put(page.page(), page.facts().provider()));
    assertThat(providers).containsEntry("back", PageFacts.Provider.SMART).hasSize(2);
    put(store, "back", false);
    told.retain(histories);
    put(store, "back", true);
    told.known(histories, now).forEach(page -> providers.put(page.page(), page.facts().provider()));
    assertThat(providers)
        .containsEntry("back", PageFacts.Provider.NORMAL)
        .containsEntry("stays", PageFacts.Provider.SMART);
    store.discard();
  }

  @Test
  void allPagesButSomeAreHandedOut() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, PageEntry> entries = new TreeMap<>();
    PageStore store = asked(random, entries);
    Set<String> some = new HashSet<>(List.of("nowhere"));
    Set<String> others = new TreeSet<>();
    entries.forEach(
        (page, entry) -> {
          if (random.nextInt(3) == 0) {
            some.add(page);
          } else if (entry.present) {
            others.add(page);
          }
        });
    List<String> handed = new ArrayList<>();
    KnownPages.of(new StoredHistories(store, 1)).forEachBut(some, page -> handed.add(page.page()));
    assertThat(handed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(others);
    store.discard();
  }

  /** Directories of different depths, one key longer than a page of memory. */
  private static String key(int number) {
    String directories = "d/".repeat(number % 11);
    String tail = number == 7 ? "x".repeat(10_000) : "";
    return (number % 2 == 0 ? "https://s" + number % 5 + ".test/" : "")
        + directories
        + number
        + tail;
  }

  private static PageEntry randomEntry(Random random, String key) {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.page = key;
    entry.present = random.nextInt(4) > 0;
    long fetched = 1_700_000_000_000L + random.nextInt();
    entry.add(false, fetched, 0, 0, random.nextFloat());
    for (int refresh = random.nextInt(4); refresh > 0; refresh--) {
      double gain = random.nextBoolean() ? 0 : random.nextDouble();
      entry.add(true, fetched, 1 + random.nextInt(1_000_000), gain, -1);
    }
    return entry;
  }

  private static List<String> held(PageStore store) throws Exception {
    List<String> held = new ArrayList<>();
    store.columns().forEach(page -> held.add(describe(page)));
    held.sort(null);
    return held;
  }

  private static List<String> described(Map<String, PageEntry> entries) {
    List<String> described = new ArrayList<>();
    entries.values().stream().filter(e -> e.present).forEach(e -> described.add(describe(e)));
    described.sort(null);
    return described;
  }

  private static String describe(PageHistory page) {
    StringBuilder text = new StringBuilder(page.page());
    text.append(' ').append(page.lastRefresh()).append(' ').append(page.refreshes());
    text.append(' ').append(page.changes()).append(' ').append((float) page.sumOfRates());
    text.append(' ').append((float) page.totalGain()).append(' ').append(page.totalDays());
    text.append(' ').append((float) page.totalRootGain());
    text.append(' ').append((float) page.usefulness());
    DirectoryPath directories = page.directories();
    for (int level = 0; level < directories.depth(); level++) {
      text.append(' ').append(directories.number(level));
    }
    return text.toString();
  }

  @Test
  void pagesOfManyBlocksAreFoundAgain() throws Exception {
    PageStore store = PageStore.create(folder, 1, 70_000, FaultPoints.NONE);
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.present = true;
    store.columns();
    for (int round = 1; round <= 2; round++) {
      for (int page = 0; page < 70_000; page++) {
        entry.lastRefresh = 1_000L * page * round;
        store.put(new BytesRef("https://a.test/" + page), entry);
      }
    }
    long[] sum = new long[2];
    store
        .columns()
        .forEach(
            page -> {
              sum[0]++;
              sum[1] += page.lastRefresh().getEpochSecond();
            });
    assertThat(sum).containsExactly(70_000, 2L * 70_000 * 69_999 / 2);
    Set<String> some = Set.of("https://a.test/3", "https://a.test/69999"); // of two blocks
    Set<String> left = new HashSet<>();
    store.columns().forEachBut(some, page -> left.add(page.page()));
    assertThat(left).hasSize(70_000 - 2).doesNotContainAnyElementsOf(some);
    store.discard();
  }

  private List<String> fileNames() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void columnsThatAreNotLeftGoWithTheStore() throws Exception {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    store.columns();
    store.close();
    assertThat(fileNames()).containsExactly("pages_1.map");
  }

  @Test
  void columnsForWhichThereIsNoRoomTakeNone() throws Exception {
    SmallDisk disk = new SmallDisk(folder, 3 << 20); // for some of their blocks
    PageStore store = PageStore.create(disk.wrapPath(folder), 1, 10, FaultPoints.NONE);
    put(store, "a", true);
    assertThatThrownBy(store::columns)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("columns_1.map cannot grow to ");
    assertThat(disk.taken()).isZero();
    assertThat(fileNames()).containsExactly("pages_1.map");
    disk.room = Long.MAX_VALUE;
    assertThat(held(store)).hasSize(1);
    store.discard();
  }

  /** As on Windows, where a file stays that is mapped: here a folder that is full has its name. */
  @Test
  void columnsWhoseFileCannotBeDeletedAreMadeAnewUnderTheNextNumber() throws Exception {
    long seed = System.nanoTime();
    Map<String, PageEntry> entries = new TreeMap<>();
    PageStore store = asked(new Random(seed), entries);
    try (Directory files = FSDirectory.open(folder)) {
      long left = store.saveColumns(files);
      Files.delete(OrderFile.columns(folder, left));
      Files.createDirectories(OrderFile.columns(folder, store.number()).resolve("full"));
      store.close();
      PageStore next = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
      next.heardBy(new Troubles(troubles));
      next.columnsSaved(files, left);
      next.columns();
      long leftAnew = next.saveColumns(files);
      assertThat(leftAnew).as("seed %d", seed).isEqualTo(store.number() + 1);
      assertThat(troubles)
          .as("seed %d", seed)
          .containsExactly("what orders the pages cannot be read and is made anew when needed");
      assertThat(heldByTheNext(next, files, leftAnew, seed))
          .as("seed %d", seed)
          .isEqualTo(described(entries));
      assertThat(troubles).as("seed %d", seed).hasSize(1);
    }
  }

  private static PageHistories withoutSums(PageStore store) {
    return withoutSums(store, 1);
  }

  private static PageHistories withoutSums(PageStore store, int present) {
    PageHistories histories = new StoredHistories(store, present);
    return new PageHistories() {
      @Override
      public long size() {
        return histories.size();
      }

      @Override
      public Optional<PageHistory> of(String page) {
        return histories.of(page);
      }

      @Override
      public void forEach(Consumer<? super PageHistory> reader) {
        histories.forEach(reader);
      }
    };
  }

  private static List<RefreshCandidate> order(PageHistories histories) {
    KnownPages known = KnownPages.of(histories);
    Instant now = Instant.parse("2025-01-01T00:00:00Z");
    RefreshBudget budget = RefreshBudget.atAnyTime(100, now);
    return new UserUtility(0).plan(known, budget).next(known, now, 100);
  }

  /**
   * A store of random pages of which the order was asked, under another number than its columns.
   */
  private PageStore asked(Random random, Map<String, PageEntry> entries) throws IOException {
    PageStore store = PageStore.create(folder, 1, 10, FaultPoints.NONE);
    for (int page = 0; page < 3_000; page++) {
      PageEntry entry = randomEntry(random, key(page));
      entries.put(entry.page, entry);
      store.put(new BytesRef(entry.page), entry);
      if (page == 20) {
        order(new StoredHistories(store, 1));
      }
    }
    assertThat(store.number()).isGreaterThan(1);
    return store;
  }

  @Test
  void whatIsLearnedFollowsEveryWriteToTheStore() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    Map<String, PageEntry> entries = new TreeMap<>();
    PageStore store = asked(random, entries);
    store.columns().learned(new StoredHistories(store, 1), Instant.EPOCH); // once more, all of them
    for (int write = 0; write < 2_000; write++) {
      String key = key(random.nextInt(3_000));
      store.put(new BytesRef(key), randomEntry(random, key));
    }
    for (PageEntry entry : entries.values()) {
      store.put(new BytesRef(entry.page), entry);
    }
    assertThat(order(new StoredHistories(store, 3_000)))
        .as("seed %d", seed)
        .isEqualTo(order(withoutSums(store)));
    store.discard();
  }

  @Test
  void whatPagesThatPublishTeachIsLearnedAnewAfterADayOrWhenMoreThanAHundredthOfThemWasWritten()
      throws Exception {
    Random random = new Random(1);
    PageStore store = PageStore.create(folder, 1, 300, FaultPoints.NONE);
    for (int page = 0; page < 900; page++) {
      PageEntry entry = randomEntry(random, key(page));
      entry.present = page < 300; // the others have left, and keep their rows
      store.put(new BytesRef(key(page)), entry);
    }
    PageColumns columns = store.columns();
    KnownPages told = KnownPages.of(withoutSums(store, 300));
    Instant now = Instant.parse("2025-01-01T00:00:00Z");
    Instant sameDay = now.plus(Duration.ofDays(1)).minusMillis(1);
    LearnedGains first = columns.learnedWithPublished(told, now);
    for (int page = 0; page < 3; page++) {
      store.put(new BytesRef(key(page)), randomEntry(random, key(page)));
    }
    assertThat(columns.learnedWithPublished(told, sameDay)).as("a hundredth").isSameAs(first);
    store.put(new BytesRef(key(0)), randomEntry(random, key(0)));
    LearnedGains second = columns.learnedWithPublished(told, now);
    assertThat(second).isNotSameAs(first).isSameAs(columns.learnedWithPublished(told, sameDay));
    LearnedGains third = columns.learnedWithPublished(told, now.plus(Duration.ofDays(1)));
    assertThat(third).isNotSameAs(second);
    assertThat(columns.learnedWithPublished(told, now))
        .as("by a clock set back")
        .isNotSameAs(third);
    store.discard();
  }

  /** Closes a store, opens it with the columns it left, and looks at them. */
  private List<String> heldByTheNext(PageStore store, Directory files, long left, long seed)
      throws Exception {
    store.close();
    PageStore next = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
    next.heardBy(
        new DeltaListener() {
          @Override
          public void trouble(Trouble kind, String sentence, Throwable cause) {
            troubles.add(sentence + ": " + cause.getMessage());
          }
        });
    next.columnsSaved(files, left);
    List<String> held = held(next);
    assertThat(order(new StoredHistories(next, 3_000)))
        .as("seed %d", seed)
        .isEqualTo(order(withoutSums(next)));
    next.discard();
    return held;
  }

  @Test
  void theNextWriterGoesOnWithTheColumnsThatOneLeft() throws Exception {
    long seed = System.nanoTime();
    Map<String, PageEntry> entries = new TreeMap<>();
    PageStore store = asked(new Random(seed), entries);
    store.columns().learned(new StoredHistories(store, 1), Instant.EPOCH);
    try (Directory files = FSDirectory.open(folder)) {
      long left = store.saveColumns(files);
      assertThat(heldByTheNext(store, files, left, seed))
          .as("seed %d", seed)
          .isEqualTo(described(entries));
      assertThat(troubles).as("seed %d", seed).isEmpty();
      assertThat(fileNames()).as("discarded, seed %d", seed).containsExactly("order_" + left);
    }
  }

  @Test
  void columnsThatNobodyLookedAtAreLeftOnce() throws Exception {
    PageStore store = asked(new Random(1), new TreeMap<>());
    try (Directory files = FSDirectory.open(folder)) {
      long left = store.saveColumns(files);
      store.close();
      PageStore next = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
      next.columnsSaved(files, left);
      assertThat(next.saveColumns(files)).isEqualTo(left);
      next.close();
      assertThat(fileNames()).contains("columns_" + left + ".map", "order_" + left);
    }
  }

  @Test
  void aByteThatIsNotAsItWasLeftIsFoundAndColumnsAreMadeAnew() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int run = 0; run < 6; run++) {
      Map<String, PageEntry> entries = new TreeMap<>();
      PageStore store = asked(random, entries);
      try (Directory files = FSDirectory.open(folder)) {
        long left = store.saveColumns(files);
        damage(run, OrderFile.columns(folder, left), folder.resolve("order_" + left), random);
        assertThat(heldByTheNext(store, files, left, seed))
            .as("run %d, seed %d", run, seed)
            .isEqualTo(described(entries));
        assertThat(troubles)
            .as("run %d, seed %d", run, seed)
            .hasSize(run + 1)
            .allMatch(told -> told.startsWith("what orders the pages cannot be read"));
      }
    }
  }

  /** Six kinds of damage: to rows, keys, the end of the columns, and their description. */
  private static void damage(int kind, Path columns, Path order, Random random) throws IOException {
    switch (kind) {
      case 0 -> Files.delete(columns);
      case 1 -> Files.delete(order);
      case 2 -> turnByte(columns, (1 << 14) + random.nextInt(3_000 * 32));
      case 3 -> turnByte(columns, Files.size(columns) - 1);
      case 4 -> turnByte(order, random.nextLong(Files.size(order)));
      default -> {
        try (FileChannel channel = FileChannel.open(columns, StandardOpenOption.WRITE)) {
          channel.truncate(channel.size() - 1);
        }
      }
    }
  }

  private static void turnByte(Path file, long at) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      channel.read(one, at);
      one.put(0, (byte) ~one.get(0)).flip();
      channel.write(one, at);
    }
  }
}
