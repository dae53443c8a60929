// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What crawlers told, where the index goes back behind what they fetched. */
class GoneBackTest {
  private static final Duration LEASE = Duration.ofDays(1);
  private static final Instant CHANGED = day(10);

  private final List<String> troubles = new ArrayList<>();
  private Instant now = day(0);
  private FaultPoints faults = FaultPoints.NONE;
  @TempDir Path folder;
  private Path index;

  private static Instant day(int day) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(day));
  }

  /** Commits of day 0 and day 20; page a changed on day 10, page late came on day 20. */
  @BeforeEach
  void fetchWhatChanged() throws IOException {
    index = folder.resolve("index");
    try (DeltaIndexWriter writer = open(-1)) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      put(writer, "a", "b", "c");
      FolderCopy.make(index, folder.resolve("before"));
      now = day(11);
      queue.modified("a", CHANGED);
      assertThat(queue.take(1)).containsExactly("a");
      now = day(20);
      put(writer, "a", "late");
      now = day(21);
      queue.modified("late", day(21));
      queue.take(0);
      assertThat(told(queue)).containsExactly("late");
    }
    now = day(30);
  }

  @Test
  void aChangeThatWasFetchedSinceIsNewsAgain() throws IOException {
    goBack();
    try (DeltaIndexWriter writer = open(-1)) {
      tellAgain(writer);
    }
    try (DeltaIndexWriter writer = open(-1)) {
      assertThat(told(writer.fetchQueue(LEASE))).as("kept").containsExactly("a");
      writer.fetchQueue(LEASE).modified("b", CHANGED);
      assertThat(told(writer.fetchQueue(LEASE))).containsExactlyInAnyOrder("a", "b");
    }
  }

  @Test
  void soItIsForAWriterThatOpensTheQueueLater() throws IOException {
    goBack();
    open(-1).close();
    try (DeltaIndexWriter writer = open(-1)) {
      put(writer, "b");
    }
    now = day(31);
    try (DeltaIndexWriter writer = open(-1)) {
      tellAgain(writer);
    }
    assertThat(index.resolveSibling("index.delta").resolve("went_back")).doesNotExist();
  }

  /** When all pages were read, but before the file was written. */
  @Test
  void soItIsForAWriterThatComesAfterAnOpeningThatWasInterrupted() throws IOException {
    goBack();
    AtomicInteger untilLast = new AtomicInteger(Integer.MAX_VALUE);
    faults =
        point -> {
          if (point.equals(FaultPoints.STORE) && untilLast.decrementAndGet() == 0) {
            Thread.currentThread().interrupt();
          }
        };
    final Path before = index;
    copy(folder.resolve("counted"));
    index = folder.resolve("counted").resolve("index");
    open(-1).close();
    untilLast.set(Integer.MAX_VALUE - untilLast.get());
    index = before;
    assertThatThrownBy(() -> open(-1)).isInstanceOf(ThreadInterruptedException.class);
    assertThat(Thread.interrupted()).as("still interrupted").isFalse();
    try (DeltaIndexWriter writer = open(-1)) {
      tellAgain(writer);
    }
  }

  /** Or the next one would take what is remembered as compared. */
  @Test
  void whatCannotBeWrittenStillTellsTheNextQueueToCompare() throws IOException {
    goBack();
    open(-1).close();
    Path state = index.resolveSibling("index.delta");
    Path inTheWay = Files.createDirectories(state.resolve("pending_queue/full"));
    try (DeltaIndexWriter writer = open(-1)) {
      assertThatThrownBy(() -> writer.fetchQueue(LEASE).save()).isInstanceOf(IOException.class);
      assertThat(state.resolve("went_back")).exists();
      Files.delete(inTheWay);
      writer.fetchQueue(LEASE).save();
      assertThat(state.resolve("went_back")).doesNotExist();
    }
  }

  @Test
  void soItIsOnAnEarlierCommit() throws IOException {
    try (DeltaIndexWriter writer = open(0)) {
      tellAgain(writer);
      put(writer, "b");
    }
    now = day(31);
    try (DeltaIndexWriter writer = open(-1)) {
      assertThat(told(writer.fetchQueue(LEASE))).containsExactly("a");
    }
  }

  /** That writer tells the next, which is opened on the latest commit, by a file. */
  @Test
  void soItIsForAWriterThatComesAfterACommitToAnEarlierOne() throws IOException {
    try (DeltaIndexWriter writer = open(0)) {
      put(writer, "b");
    }
    now = day(31);
    try (DeltaIndexWriter writer = open(-1)) {
      tellAgain(writer);
    }
  }

  /** Before it could write the file. */
  @Test
  void soItIsAfterAWriterThatIsKilledRightBehindItsCommitToAnEarlierOne() throws IOException {
    Path killed = folder.resolve("killed");
    faults =
        point -> {
          if (point.equals(FaultPoints.SETTLE) && !Files.exists(killed)) {
            copy(killed);
          }
        };
    try (DeltaIndexWriter writer = open(0)) {
      put(writer, "b");
    }
    faults = FaultPoints.NONE;
    now = day(31);
    index = killed.resolve("index");
    try (DeltaIndexWriter writer = open(-1)) {
      tellAgain(writer);
    }
  }

  @Test
  void whoOnlyLooksAtAnEarlierCommitLeavesWhatWasTold() throws IOException {
    DeltaIndexWriter earlier = open(0);
    FetchQueue queue = earlier.fetchQueue(LEASE);
    queue.gone("b");
    assertThat(queue.take(9)).hasSize(2);
    assertThat(told(queue)).as("of pages that are not there yet").isEmpty();
    earlier.rollback();
    try (DeltaIndexWriter writer = open(-1)) {
      assertThat(told(writer.fetchQueue(LEASE))).containsExactly("late");
      assertThat(writer.fetchQueue(LEASE).take(9)).contains("b", "late");
    }
    assertThat(troubles).isEmpty();
  }

  /** It is settled when the writer is closed, or the queue saved: only the index can tell of it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatIsReportedToAWriterOnAnEarlierCommitIsSavedOnceThatHasCommitted(boolean killed)
      throws IOException {
    Path saved = folder.resolve("saved");
    try (DeltaIndexWriter writer = open(0)) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      put(writer, "d"); // which merges nothing, or the close would commit once more
      queue.gone("b");
      queue.discovered("new");
      if (killed) {
        queue.save();
        copy(saved);
        index = saved.resolve("index");
      }
    }
    assertReportsAreKept();
    assertThat(troubles).isEmpty();
  }

  @Test
  void soItIsWhenTheThreadThatClosesIsInterruptedAsItSettlesThatCommit() throws IOException {
    DeltaIndexWriter writer = reportToAnEarlierCommit();
    failOnce(FaultPoints.SETTLE, Thread.currentThread()::interrupt);
    writer.close();
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(troubles).isEmpty();
    assertReportsAreKept();
  }

  /** What failed then is tried once more, and told, as the measurements are closed. */
  @Test
  void soItIsWhereTheManifestCannotBeWrittenAsThatCommitIsSettled() throws IOException {
    DeltaIndexWriter writer = reportToAnEarlierCommit();
    failOnce(
        FaultPoints.BEFORE_MANIFEST,
        () -> {
          throw new IllegalStateException("injected");
        });
    writer.close();
    assertThat(troubles).isEmpty();
    assertReportsAreKept();
  }

  /** Chronicle tells of it by exceptions of its own. */
  @Test
  void anInterruptOfWhoSavesAfterThatCommitIsToldAsOne() throws IOException {
    try (DeltaIndexWriter writer = reportToAnEarlierCommit()) {
      failOnce(
          FaultPoints.SETTLE,
          () -> {
            throw new RuntimeException("ChronicleMap{of a test}", new ClosedByInterruptException());
          });
      assertThatThrownBy(() -> writer.fetchQueue(LEASE).save())
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("interrupted while");
      writer.fetchQueue(LEASE).save();
    }
    assertThat(troubles).isEmpty();
    assertReportsAreKept();
  }

  /** It has committed, and that is not settled yet. */
  private DeltaIndexWriter reportToAnEarlierCommit() throws IOException {
    DeltaIndexWriter writer = open(0);
    FetchQueue queue = writer.fetchQueue(LEASE);
    put(writer, "d");
    queue.gone("b");
    queue.discovered("new");
    return writer;
  }

  private void assertReportsAreKept() throws IOException {
    try (DeltaIndexWriter writer = open(-1)) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.held()).extracting(HeldPage::page).containsExactly("b");
      assertThat(queue.take(9)).contains("new");
    }
  }

  private void failOnce(String failing, Runnable failure) {
    faults =
        point -> {
          if (point.equals(failing)) {
            faults = FaultPoints.NONE;
            failure.run();
          }
        };
  }

  @Test
  void whatIsReportedIsToldAsLostWhereTheFirstCommitOnAnEarlierOneCannotBeSettled()
      throws IOException {
    DeltaIndexWriter writer = open(0);
    FetchQueue queue = writer.fetchQueue(LEASE);
    put(writer, "c");
    queue.gone("b");
    faults =
        point -> {
          if (point.equals(FaultPoints.SETTLE) || point.equals(FaultPoints.STORE)) {
            throw new IllegalStateException("injected");
          }
        };
    assertThatThrownBy(queue::save).hasMessage("injected");
    writer.close();
    assertThat(troubles).anySatisfy(told -> assertThat(told).contains("could not be saved"));
    assertThatThrownBy(() -> queue.gone("c")).isInstanceOf(AlreadyClosedException.class);
  }

  @Test
  void whoBeginsTheIndexAnewAndGivesUpChangesNothing() throws IOException {
    List<String> before = stateFiles();
    DeltaIndexWriter anew = openAnew();
    FetchQueue queue = anew.fetchQueue(LEASE);
    queue.gone("b");
    assertThat(queue.take(9)).isEmpty();
    anew.nextPages(9);
    anew.rollback();
    assertThat(stateFiles()).containsAll(before);
    try (DeltaState state = DeltaState.open(index)) {
      assertThat(state.status().pages()).isEqualTo(4);
      assertThat(state.nextPages(9, now)).hasSize(4);
      assertThat(state.troubles()).isEmpty();
    }
    try (DeltaIndexWriter writer = open(-1)) {
      queue = writer.fetchQueue(LEASE);
      assertThat(told(queue)).containsExactly("late");
      assertThat(queue.copyOfTold().publishers().has("a")).isTrue();
      assertThat(queue.take(9)).contains("b");
    }
    assertThat(troubles).isEmpty();
  }

  /** Its first commit may have all the pages. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatPagesToldOutlivesATakeByAWriterThatBeginsTheIndexAnew(boolean takes) throws IOException {
    try (DeltaIndexWriter writer = openAnew()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.modified("b", day(40));
      if (takes) {
        queue.take(9);
      } else {
        writer.nextPages(9);
      }
      put(writer, "a", "b", "c", "late");
      queue.take(9);
      assertThat(told(queue)).containsExactly("b");
      assertThat(queue.copyOfTold().publishers().has("a")).isTrue();
    }
  }

  /** Nor had the index that went back; its pages come with the first commit. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatPagesToldOutlivesAQueueThatIsOpenedBeforeAnIndexThatWentBackIsBegunAnew(boolean takes)
      throws IOException {
    goBack();
    open(-1).close();
    Path wentBack = index.resolveSibling("index.delta").resolve("went_back");
    try (DeltaIndexWriter writer = openAnew()) {
      FetchQueue queue = writer.fetchQueue(LEASE);
      if (takes) {
        queue.take(9);
      }
      put(writer, "a", "b", "c");
      queue.save();
      assertThat(queue.copyOfTold().publishers().has("a")).isTrue();
      assertThat(wentBack).as("there was no page to compare with").exists();
      queue.take(9);
      assertThat(queue.copyOfTold().publishers().has("a")).isTrue();
      assertThat(wentBack).doesNotExist();
    }
    assertThat(troubles).noneMatch(told -> told.contains("queue"));
  }

  private List<String> stateFiles() throws IOException {
    try (Stream<Path> files = Files.list(index.resolveSibling("index.delta"))) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private void tellAgain(DeltaIndexWriter writer) throws IOException {
    FetchQueue queue = writer.fetchQueue(LEASE);
    queue.modified("a", CHANGED);
    queue.take(0);
    assertThat(told(queue)).containsExactly("a");
  }

  private static List<String> told(FetchQueue queue) {
    return List.copyOf(queue.copyOfTold().byPage().keySet());
  }

  private void goBack() throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(index);
    FolderCopy.make(folder.resolve("before"), index);
  }

  private void copy(Path to) {
    try {
      FolderCopy.make(index, to.resolve("index"));
      FolderCopy.make(index.resolveSibling("index.delta"), to.resolve("index.delta"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DeltaIndexWriter open(int commit) throws IOException {
    Directory directory = FSDirectory.open(index);
    IndexWriterConfig writer = settings();
    if (commit >= 0) {
      writer.setIndexCommit(DirectoryReader.listCommits(directory).get(commit));
    }
    return open(directory, writer);
  }

  private DeltaIndexWriter openAnew() throws IOException {
    return open(FSDirectory.open(index), settings().setOpenMode(OpenMode.CREATE));
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new SimpleAnalyzer())
        .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
  }

  private DeltaIndexWriter open(Directory directory, IndexWriterConfig writer) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .faults(point -> faults.at(point))
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(directory, writer, config);
  }

  private static void put(DeltaIndexWriter writer, String... pages) throws IOException {
    for (String page : pages) {
      Document document = new Document();
      document.add(new StringField("url", page, Field.Store.YES));
      document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
      writer.updateDocument(new Term("url", page), document);
    }
    writer.commit();
  }
}
