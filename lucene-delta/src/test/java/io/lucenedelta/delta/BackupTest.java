// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SnapshotDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Index and measurements copied while a writer goes on. */
class BackupTest {
  private static final int PAGES = 30;
  private static final int COPIES = 4;
  private static final int MERGED = 8; // so many files of refreshes become one
  private static final long SEED = 5;

  private final List<String> troubles = new ArrayList<>();
  private final Random random = new Random(SEED);
  private final SnapshotDeletionPolicy snapshots =
      new SnapshotDeletionPolicy(new KeepOnlyLastCommitDeletionPolicy());
  private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");
  @TempDir Path folder;

  @Test
  void whatIsRestoredOrdersAndExplainsAsTheOriginalDid() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(3));
      weeks(writer, 12);
      now = now.plus(Duration.ofDays(1));
      queue.modified("p7", now);
      queue.discovered("new", "beta news");
      assertThat(queue.take(2)).hasSize(2);
      backUp();
      try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
        FetchQueue taken = restored.fetchQueue(Duration.ofDays(3));
        assertThat(restored.nextPages(PAGES)).isEqualTo(writer.nextPages(PAGES)).hasSize(PAGES);
        for (int page = 0; page < PAGES; page++) {
          assertThat(restored.explain("p" + page)).isEqualTo(writer.explain("p" + page));
        }
        assertThat(taken.take(5)).isEqualTo(queue.take(5)).hasSize(5);
        assertThat(restored.status().pages()).isEqualTo(PAGES);
        assertThat(restored.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatNobodyWritesIsCopiedTheSameWay() throws IOException {
    List<PagePriority> order;
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 3);
      now = now.plus(Duration.ofDays(1));
      order = writer.nextPages(PAGES);
    }
    FolderCopy.make(folder.resolve("index"), folder.resolve("backup/index"));
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      state.copyTo(folder.resolve("backup/index.delta"));
    }
    try (DeltaState copied = DeltaState.open(folder.resolve("backup/index"))) {
      assertThat(copied.nextPages(PAGES, now)).isEqualTo(order).hasSize(PAGES);
    }
    try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
      assertThat(restored.nextPages(PAGES)).isEqualTo(order);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatWasMeasuredAfterTheSnapshotIsForgottenAndTold() throws IOException {
    List<MeasuredRefresh> known;
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 5);
      IndexCommit snapshot = snapshots.snapshot();
      Instant time = now;
      known = writer.explain("p1").orElseThrow().refreshes();
      weeks(writer, 2);
      backUp(snapshot);
      now = time;
    }
    try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
      assertThat(restored.explain("p1").orElseThrow().refreshes())
          .isEqualTo(known)
          .hasSize(5)
          .allMatch(refresh -> !refresh.fetched().isAfter(now));
      assertThat(restored.status().generation()).isEqualTo(5);
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("the index is older", "it holds batch 5, they go on to batch 7", "is forgotten");
  }

  /** By a deletion whose documents only the index tells: it is settled at the next question. */
  @Test
  void aCommitThatIsNotSettledIsCopiedWithWhatWasMeasuredOfIt() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      commitWhatIsNotSettled(writer);
      backUp();
      try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
        assertThat(restored.explain("p1"))
            .isEqualTo(writer.explain("p1"))
            .hasValueSatisfying(page -> assertThat(page.refreshes()).hasSize(3));
        assertThat(restored.explain("p3"))
            .as("visited")
            .isEqualTo(writer.explain("p3"))
            .hasValueSatisfying(page -> assertThat(page.refreshes()).hasSize(3));
        assertThat(restored.status().pages()).isEqualTo(PAGES - 1);
        assertThat(restored.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatACommitThatIsNotSettledLacksIsCopiedToo() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      commitWhatIsNotSettled(writer);
      try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
        new IncompleteBatch(1, "for a reason").write(files, 3);
      }
      backUp();
      try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
        assertThat(restored.status().batchesIncomplete()).isOne();
        assertThat(restored.status().lastIncomplete()).isEqualTo("for a reason");
      }
    }
  }

  /** What is measured of the commit that is prepared is none of the backup's. */
  @Test
  void ofACommitThatIsBeingMadeNothingIsCopied() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 2);
      update(writer, "p1");
      writer.prepareCommit();
      assertThat(folder.resolve("index.delta/batch_3")).exists();
      backUp();
      assertThat(folder.resolve("backup/index.delta/batch_3")).doesNotExist();
      writer.commit();
    }
    assertThat(troubles).isEmpty();
  }

  private void commitWhatIsNotSettled(DeltaIndexWriter writer) throws IOException {
    weeks(writer, 2);
    now = now.plus(Duration.ofDays(7));
    update(writer, "p1");
    writer.recordUnchanged("p3", now);
    writer.deleteDocuments(new TermQuery(new Term("url", "p2")));
    writer.commit();
  }

  /** The index is copied first, which takes its time: crawlers and commits go on. */
  @Test
  void whatIsFetchedWhileTheIndexIsCopiedIsKnownToTheCopyAsNotFetched() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(3));
      weeks(writer, 3);
      now = now.plus(Duration.ofDays(1));
      queue.modified("p7", now);
      queue.discovered("new", "beta news");
      queue.save();
      IndexCommit snapshot = snapshots.snapshot();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        Instant changed = now;
        now = now.plus(Duration.ofDays(1));
        assertThat(queue.take(PAGES + 1)).contains("new", "p7");
        put(writer, "p7");
        put(writer, "new");
        queue.take(0); // looks at what was fetched, and saves
        assertThat(queue.copyOfTold().byPage()).isEmpty();
        assertThat(queue.discoveredCount()).isZero();
        copy(snapshot);
        state.copyTo(folder.resolve("backup/index.delta"));
        now = now.plus(Duration.ofDays(1));
        try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
          FetchQueue again = restored.fetchQueue(Duration.ofDays(3));
          again.modified("p7", changed); // as its sitemap goes on to say
          assertThat(again.take(PAGES + 2)).hasSize(PAGES + 1).contains("new");
          assertThat(again.copyOfTold().byPage()).containsOnlyKeys("p7");
        }
      }
      snapshots.release(snapshot);
    }
    assertThat(troubles).isEmpty();
  }

  /** The file that the queue's own names is deleted when it is written anew. */
  @Test
  void whatWasToldBeforeIsCopiedAsItWasThoughItIsWrittenAnewMeanwhile() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(3));
      weeks(writer, 1);
      tellOf(2_000, "https://known.test/", queue);
      queue.save(); // the first file of all has everything in it
      assertThat(folder.resolve("index.delta/told_2")).exists();
      IndexCommit snapshot = snapshots.snapshot();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        tellOf(3_000, "https://later.test/", queue);
        assertThat(folder.resolve("index.delta/told_2")).doesNotExist();
        state.copyTo(folder.resolve("backup/index.delta"));
      }
      copy(snapshot);
      snapshots.release(snapshot);
    }
    try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
      assertThat(restored.fetchQueue(Duration.ofDays(3)).discoveredCount()).isEqualTo(2_000);
    }
    assertThat(troubles).isEmpty();
  }

  /** A version that can read them may want them, as after an upgrade that is taken back. */
  @ParameterizedTest
  @ValueSource(strings = {"queue_2 of another version", "told_2 is gone"})
  void whatCrawlersToldIsCopiedAsItIsWhereItCannotBeRead(String wrong) throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 1);
      tellOf(2_000, "https://known.test/", writer.fetchQueue(Duration.ofDays(3)));
    }
    Path state = folder.resolve("index.delta");
    Path queue = state.resolve("queue_2"); // saved, and closed
    byte[] bytes = Files.readAllBytes(queue);
    if (wrong.startsWith("told")) {
      Files.delete(state.resolve("told_2"));
    } else {
      bytes[CodecUtil.headerLength("LuceneDeltaQueue") - 1]++;
      Files.write(queue, bytes);
    }
    Path copy = folder.resolve("backup/index.delta");
    try (DeltaState opened = DeltaState.open(folder.resolve("index"))) {
      opened.copyTo(copy);
      assertThat(opened.troubles())
          .singleElement()
          .asString()
          .startsWith("what crawlers told cannot be read, and is copied as it is: ");
    }
    assertThat(copy.resolve("queue_2")).hasBinaryContent(bytes);
    assertThat(Files.exists(copy.resolve("told_2"))).isEqualTo(!wrong.startsWith("told"));
    FolderCopy.make(folder.resolve("index"), folder.resolve("backup/index"));
    try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
      assertThat(restored.fetchQueue(Duration.ofDays(3)).discoveredCount()).isZero();
    }
    assertThat(copy.resolve("damaged_queue_2")).hasBinaryContent(bytes);
  }

  /** Enough pages for a file of their own. */
  private static void tellOf(int pages, String site, FetchQueue queue) throws IOException {
    for (int page = 0; page < pages; page++) {
      queue.discovered(site + page);
    }
    queue.save();
  }

  @Test
  void aCopyOfAnIndexThatWentBackIsComparedToo() throws IOException {
    Path index = folder.resolve("index");
    Instant changed;
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 2);
    }
    FolderCopy.make(index, folder.resolve("before/index"));
    try (DeltaIndexWriter writer = open(folder)) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(3));
      now = now.plus(Duration.ofDays(1));
      changed = now;
      queue.modified("p7", changed);
      queue.take(1);
      now = now.plus(Duration.ofDays(1));
      put(writer, "p7");
      queue.take(0);
      assertThat(queue.copyOfTold().byPage()).as("fetched").isEmpty();
    }
    Path state = folder.resolve("index.delta");
    FolderCopy.make(state, folder.resolve("before/index.delta"));
    open(folder.resolve("before")).close(); // nobody asks for its queue
    try (DeltaState before = DeltaState.open(folder.resolve("before/index"))) {
      before.copyTo(folder.resolve("backup/index.delta"));
    }
    FolderCopy.make(folder.resolve("before/index"), folder.resolve("backup/index"));
    now = now.plus(Duration.ofDays(1));
    try (DeltaIndexWriter restored = open(folder.resolve("backup"))) {
      FetchQueue again = restored.fetchQueue(Duration.ofDays(3));
      again.modified("p7", changed);
      assertThat(again.copyOfTold().byPage()).containsOnlyKeys("p7");
    }
  }

  /** As {@code cp -al} makes it: entries that need as much room as before are written in place. */
  @Test
  void aCopyThatSharesItsPageStoreWithAFolderThatLivesOnHasItsOwnHistories() throws IOException {
    Path shared = makeAndCopy("shared");
    Path own = makeCopy("own");
    Path map = pagesIn(shared);
    Files.delete(map);
    Files.createLink(map, pagesIn(folder));
    visitAllPages();
    assertThat(ordered(shared)).isEqualTo(ordered(own)).hasSize(PAGES);
    assertThat(troubles).singleElement().asString().contains("page store", "is built anew");
    troubles.clear();
    visitAllPages();
    assertThat(troubles).as("the copy has a store of its own by now").isEmpty();
  }

  /** As where a copy is renewed by the times of files, and that of a mapped file did not move. */
  @Test
  void aCopyWithAPageStoreThatIsOlderThanTheRestHasTheHistoriesOfTheRest() throws IOException {
    Path before = makeAndCopy("before");
    visitAllPages();
    Path renewed = makeCopy("renewed");
    Files.copy(pagesIn(before), pagesIn(renewed), StandardCopyOption.REPLACE_EXISTING);
    assertThat(ordered(renewed)).isEqualTo(ordered(folder)).hasSize(PAGES);
    assertThat(troubles).singleElement().asString().contains("page store", "is built anew");
  }

  /** Where mapped memory is written the time need not move: on tmpfs it does not. */
  @Test
  void aCloseMovesTheTimesOfTheMapsThatItLeaves() throws IOException {
    makeAndCopy("before");
    ordered(folder); // makes the order of pages
    FileTime longAgo = FileTime.from(Instant.parse("2020-01-01T00:00:00Z"));
    List<Path> maps = List.of(pagesIn(folder), OrderColumns.in(folder.resolve("index.delta")));
    for (Path map : maps) {
      Files.setLastModifiedTime(map, longAgo);
    }
    open(folder).close();
    assertThat(Files.getLastModifiedTime(maps.get(0))).isGreaterThan(longAgo);
    for (Path map : maps) {
      Files.setLastModifiedTime(map, longAgo);
    }
    visitAllPages();
    for (Path map : maps) {
      assertThat(Files.getLastModifiedTime(map)).as("%s", map).isGreaterThan(longAgo);
    }
  }

  private Path makeAndCopy(String name) throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 3);
    }
    return makeCopy(name);
  }

  private Path makeCopy(String name) throws IOException {
    Path copy = folder.resolve(name);
    FolderCopy.make(folder.resolve("index"), copy.resolve("index"));
    FolderCopy.make(folder.resolve("index.delta"), copy.resolve("index.delta"));
    return copy;
  }

  private static Path pagesIn(Path place) throws IOException {
    try (Stream<Path> files = Files.list(place.resolve("index.delta"))) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(StateFiles.PAGES))
          .findFirst()
          .orElseThrow();
    }
  }

  private void visitAllPages() throws IOException {
    now = now.plus(Duration.ofDays(2));
    try (DeltaIndexWriter writer = open(folder)) {
      for (int page = 0; page < PAGES; page++) {
        writer.recordUnchanged("p" + page, now);
      }
      writer.commit();
    }
  }

  private List<PagePriority> ordered(Path place) throws IOException {
    Instant before = now;
    now = now.plus(Duration.ofDays(7));
    try (DeltaIndexWriter writer = open(place)) {
      return writer.nextPages(PAGES);
    } finally {
      now = before;
    }
  }

  @Test
  void aCopyMadeWhileAnotherThreadCommitsOpensWithoutTrouble() throws Exception {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 1);
      AtomicBoolean enough = new AtomicBoolean();
      Semaphore committed = new Semaphore(0);
      Set<Integer> lengths = new HashSet<>(); // of a page's history, by copy
      CompletableFuture<Void> committing =
          CompletableFuture.runAsync(
              () -> {
                while (!enough.get()) {
                  try {
                    now = now.plus(Duration.ofDays(7));
                    put(writer, "p1");
                    committed.release();
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                }
              },
              Elsewhere.THREADS);
      try {
        for (int copy = 0; copy < COPIES; copy++) {
          Path target = folder.resolve("copies").resolve("state" + copy);
          int known;
          try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
            known = state.explain("p1").map(page -> page.refreshes().size()).orElse(0);
            committed.drainPermits();
            assertThat(committed.tryAcquire(MERGED, 30, TimeUnit.SECONDS)).isTrue();
            state.copyTo(target);
          }
          lengths.add(known);
          try (DeltaState copied = DeltaState.open(folder.resolve("index"), target)) {
            assertThat(copied.explain("p1").map(page -> page.refreshes().size()).orElse(0))
                .isEqualTo(known);
            assertThat(copied.status().lastIncomplete()).isEmpty();
          }
        }
      } finally {
        enough.set(true);
        committing.get();
      }
      assertThat(lengths).as("each opened after another commit").hasSize(COPIES);
    }
  }

  @Test
  void aFolderInWhichThereIsSomethingIsRefused() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 1);
    }
    Path occupied = Files.createDirectories(folder.resolve("occupied"));
    Files.writeString(occupied.resolve("letter"), "dear");
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> state.copyTo(occupied))
          .isInstanceOf(DirectoryNotEmptyException.class)
          .hasMessageContaining("occupied is not empty");
    }
    assertThat(occupied).isDirectoryContaining(file -> file.endsWith("letter"));
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThatThrownBy(() -> state.copyTo(occupied.resolve("letter")))
          .isInstanceOf(NotDirectoryException.class)
          .hasMessageContaining("letter is a file");
    }
  }

  @Test
  void aCopyIsDurableBeforeItsManifestIsAndLeavesOutWhatIsGone() throws IOException {
    SyncedFiles from = new SyncedFiles();
    SyncedFiles to = new SyncedFiles();
    from.createOutput("refreshes_1", IOContext.DEFAULT).close();
    Manifest manifest = new Manifest();
    manifest.addRefreshFile("refreshes_1");
    manifest.addRefreshFile("batch_2"); // who opens the copy is told
    manifest.ranksFile = "ranks_3"; // built anew
    new StateCopy(from, manifest, List.of("visits_4"), List.of(), to, e -> {}).make();
    assertThat(to.synced).containsExactly("refreshes_1", "pending_delta");
    Manifest copied = Manifest.read(to);
    assertThat(copied.refreshFiles).containsExactly("refreshes_1", "batch_2");
    assertThat(copied.ranksFile).isEmpty();
  }

  @Test
  void nothingIsLeftOfACopyThatFails() throws IOException {
    try (DeltaIndexWriter writer = open(folder)) {
      weeks(writer, 3);
    }
    Path target = Files.createDirectories(folder.resolve("target"));
    try (Directory from = failing(FSDirectory.open(folder.resolve("index.delta")));
        Directory to = FSDirectory.open(target)) {
      assertThatThrownBy(
              () ->
                  new StateCopy(from, Manifest.read(from), List.of(), List.of(), to, e -> {})
                      .make())
          .hasMessage("worn out");
    }
    assertThat(target).isEmptyDirectory();
  }

  /** Rank functions cannot be read. */
  private static Directory failing(Directory directory) {
    return new FilterDirectory(directory) {
      @Override
      public IndexInput openInput(String name, IOContext context) throws IOException {
        if (name.startsWith(StateFiles.RANKS)) {
          throw new IOException("worn out");
        }
        return super.openInput(name, context);
      }
    };
  }

  private void backUp() throws IOException {
    backUp(snapshots.snapshot());
  }

  private void backUp(IndexCommit commit) throws IOException {
    copy(commit);
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      state.copyTo(folder.resolve("backup/index.delta"));
    }
    snapshots.release(commit);
  }

  private void copy(IndexCommit commit) throws IOException {
    try (Directory copy = FSDirectory.open(folder.resolve("backup/index"))) {
      for (String file : commit.getFileNames()) {
        copy.copyFrom(commit.getDirectory(), file, file, IOContext.DEFAULT);
      }
      copy.sync(commit.getFileNames());
      copy.syncMetaData();
    }
  }

  private DeltaIndexWriter open(Path place) throws IOException {
    Directory directory = FSDirectory.open(place.resolve("index"));
    IndexWriterConfig writer = new IndexWriterConfig(new WhitespaceAnalyzer());
    if (place.equals(folder)) {
      writer.setIndexDeletionPolicy(snapshots);
    }
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 1).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(directory, writer, config);
  }

  private void weeks(DeltaIndexWriter writer, int count) throws IOException {
    for (int week = 0; week < count; week++) {
      now = now.plus(Duration.ofDays(7));
      for (int page = 0; page < PAGES; page++) {
        update(writer, "p" + page);
      }
      writer.commit();
    }
  }

  private void put(DeltaIndexWriter writer, String page) throws IOException {
    update(writer, page);
    writer.commit();
  }

  private void update(DeltaIndexWriter writer, String page) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    String body = "alpha ".repeat(random.nextInt(4)) + "beta ".repeat(random.nextInt(3));
    document.add(new TextField("body", body + "word", Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }
}
