// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A writer opened on an earlier commit: the batches after it are forgotten when it commits, and not
 * before.
 */
class EarlierCommitTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private FaultPoints faults = point -> {};
  private WorkloadBuilder workload =
      Workload.builder().add(List.of("alpha"), 2).add(List.of("beta"), 1);

  @TempDir Path folder;

  private DeltaConfig config() {
    return DeltaConfig.builder(workload.build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .faults(point -> faults.at(point))
        .listener(new Troubles(troubles))
        .build();
  }

  private DeltaIndexWriter open(Path place, int commit) throws IOException {
    Directory directory = FSDirectory.open(place.resolve("index"));
    IndexWriterConfig writer =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    if (commit >= 0) {
      writer.setIndexCommit(DirectoryReader.listCommits(directory).get(commit));
    }
    return new DeltaIndexWriter(directory, writer, config());
  }

  private static void put(IndexWriter writer, String body, int week) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "a", Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(new StringField("fetched", week(week).toString(), Field.Store.NO));
    document.add(new NumericDocValuesField("seen", week));
    writer.updateDocument(new Term("url", "a"), document);
  }

  private static Instant week(int week) {
    return START.plus(Duration.ofDays(7L * week));
  }

  private static List<Instant> fetches(DeltaIndexWriter writer) throws IOException {
    return writer.explain("a").orElseThrow().refreshes().stream()
        .map(MeasuredRefresh::fetched)
        .toList();
  }

  private List<Instant> fetchesOfTheLatest(Path place) throws IOException {
    try (DeltaIndexWriter writer = open(place, -1)) {
      return fetches(writer);
    }
  }

  @BeforeEach
  void makeThreeCommits() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      for (int week = 0; week < 3; week++) {
        put(writer, "alpha ".repeat(week + 1), week);
        writer.commit();
      }
      writer.nextPages(1); // so that there is an order of pages to be left
    }
  }

  /** What a kill would leave now. */
  private Path copy(String name) {
    return copy(folder, name);
  }

  private Path copy(Path place, String name) {
    Path target = folder.resolve(name);
    try {
      FolderCopy.make(place.resolve("index"), target.resolve("index"));
      FolderCopy.make(place.resolve("index.delta"), target.resolve("index.delta"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return target;
  }

  @Test
  void whoDeletesUnusedFilesMakesNoCommit() throws IOException {
    DeltaIndexWriter writer = open(folder, 0);
    writer.deleteUnusedFiles();
    assertThat(fetches(writer)).containsExactly(week(0));
    writer.rollback();
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(2), week(1), week(0));
    try (DeltaIndexWriter latest = open(folder, -1)) {
      assertThat(latest.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoOnlyLooksAtAnEarlierCommitLosesNoHistory() throws IOException {
    DeltaIndexWriter writer = open(folder, 0);
    assertThat(fetches(writer)).containsExactly(week(0));
    writer.rebuild();
    put(writer, "beta", 9);
    writer.rollback();
    assertThat(folder.resolve("index.delta/went_back")).as("no queue need compare").doesNotExist();
    try (DeltaIndexWriter latest = open(folder, -1)) {
      assertThat(fetches(latest)).containsExactly(week(2), week(1), week(0));
      assertThat(latest.status().batchesIncomplete()).isZero();
      assertThat(latest.nextPages(1)).hasSize(1);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoOnlyLooksAtAnEarlierCommitByAnotherWorkloadLosesNoExplanation() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "beta", 3);
      writer.commit();
    }
    workload = Workload.builder().add(List.of("gamma"), 1);
    open(folder, 0).rollback();
    try (DeltaIndexWriter latest = open(folder, -1)) {
      MeasuredRefresh last = latest.explain("a").orElseThrow().refreshes().get(0);
      assertThat(last.fetched()).isEqualTo(week(3));
      assertThat(last.contributions()).extracting(QueryContribution::query).contains("beta");
    }
    assertThat(troubles).isEmpty();
  }

  /** The latest commit has more. */
  @Test
  void rankFunctionsOnAnEarlierCommitAreThoseOfItsPages() throws IOException {
    addFifty();
    assertRanksOnAnEarlierCommit();
  }

  @Test
  void soAreThoseOfAnotherWorkload() throws IOException {
    addFifty();
    workload = Workload.builder().add(List.of("alpha"), 5);
    assertRanksOnAnEarlierCommit();
  }

  private void addFifty() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      for (int page = 0; page < 50; page++) {
        Document document = new Document();
        document.add(new StringField("url", "p" + page, Field.Store.NO));
        document.add(new TextField("body", "alpha", Field.Store.NO));
        writer.addDocument(document);
      }
      writer.commit();
    }
  }

  private void assertRanksOnAnEarlierCommit() throws IOException {
    List<Integer> results = new ArrayList<>();
    try (DeltaIndexWriter writer = open(folder, 0)) {
      assertThat(writer.nextPages(9)).hasSize(1);
      assertThat(results(writer)).isEqualTo(1);
      writer.rebuild();
      put(writer, "alpha", 9);
      faults =
          point -> {
            if (point.equals(FaultPoints.AFTER_RUN)) {
              results.add(results(writer));
            }
          };
      writer.commit();
      assertThat(results).as("as the batch was measured").containsExactly(1);
      assertThat(writer.explain("a").orElseThrow().refreshes().get(0).measured()).isTrue();
      assertThat(results(writer)).isEqualTo(1);
    }
    assertThat(troubles).isEmpty();
  }

  /** Of the first query. */
  private static int results(DeltaIndexWriter writer) {
    return writer.measurer().ranks().table().results(0);
  }

  @Test
  void whereNoneCanBeBuiltOfAnEarlierCommitItsFirstBatchIsIncompleteAndTheNextIsMeasured()
      throws IOException {
    failOnce(FaultPoints.RANKS);
    try (DeltaIndexWriter writer = open(folder, 0)) {
      assertThat(troubles)
          .singleElement()
          .asString()
          .contains("first batch cannot be measured", "injected at");
      assertThatThrownBy(writer::rebuild)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("injected at");
      put(writer, "alpha", 9);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isOne();
      put(writer, "beta", 10);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(fetches(writer)).containsExactly(week(10), week(0));
    }
  }

  @Test
  void readersAnswerForTheLatestCommitUntilThereIsAnother() throws IOException {
    try (DeltaIndexWriter writer = open(folder, 0)) {
      put(writer, "beta", 9);
      writer.flush();
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.explain("a").orElseThrow().refreshes()).hasSize(3);
      }
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(1); // settles the commit
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(state.explain("a").orElseThrow().refreshes()).hasSize(2);
      }
      try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .as("of the two stores")
            .filteredOn(file -> file.startsWith("pages_"))
            .hasSize(1);
      }
    }
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(9), week(0));
  }

  @Test
  void whoIsKilledBeforeTheCommitLosesNoHistory() throws IOException {
    DeltaIndexWriter writer = open(folder, 0);
    put(writer, "beta", 9);
    writer.prepareCommit();
    Path killed = copy("killed");
    writer.rollback();
    assertThat(fetchesOfTheLatest(killed)).containsExactly(week(2), week(1), week(0));
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(2), week(1), week(0));
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoIsKilledRightAfterTheCommitHasTheHistoryOfWhatIsCommitted() throws IOException {
    List<Path> killed = new ArrayList<>();
    try (DeltaIndexWriter writer = open(folder, 0)) {
      put(writer, "beta", 9);
      faults =
          point -> {
            if (killed.isEmpty() && point.equals(FaultPoints.SETTLE)) {
              killed.add(copy("killed"));
            }
          };
      writer.commit();
      faults = point -> {};
      put(writer, "alpha", 10);
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(killed.get(0), -1)) {
      assertThat(fetches(writer)).containsExactly(week(9), week(0));
      put(writer, "gamma", 11);
      writer.commit();
    }
    assertThat(fetchesOfTheLatest(killed.get(0)))
        .as("goes back once")
        .containsExactly(week(11), week(9), week(0));
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(10), week(9), week(0));
    assertThat(troubles).isEmpty();
  }

  @Test
  void aDamagedFileOfRefreshesKeepsNobodyFromGoingBack() throws IOException {
    Path damaged = folder.resolve("index.delta/batch_2");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length / 2] ^= 1;
    Files.write(damaged, bytes);
    try (DeltaIndexWriter writer = open(folder, 0)) {
      put(writer, "beta", 9);
      writer.commit();
    }
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(9), week(0));
    assertThat(troubles)
        .singleElement()
        .asString()
        .startsWith("batch_2 is damaged and kept as damaged_batch_2");
    assertThat(folder.resolve("index.delta/damaged_batch_2")).hasBinaryContent(bytes);
  }

  @Test
  void aCommitThatChangesNoPageGoesBackToo() throws IOException {
    try (DeltaIndexWriter writer = open(folder, 0)) {
      writer.updateNumericDocValue(new Term("url", "a"), "seen", 5);
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, -1)) {
      assertThat(fetches(writer)).containsExactly(week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aCommitOfTheApplicationsDataAloneGoesBackToo() throws IOException {
    try (DeltaIndexWriter writer = open(folder, 0)) {
      writer.setLiveCommitData(Map.of("mine", "1").entrySet());
      writer.commit();
    }
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(0));
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "beta", 9);
      writer.commit();
      assertThat(fetches(writer)).containsExactly(week(9), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  /** Or the refreshes of the batch that is given it would seem to be those of the one forgotten. */
  @Test
  void theNumberOfAForgottenBatchIsNotGivenAgainThoughNothingWasAskedForBeforeTheCommit()
      throws IOException {
    open(folder, 1).close(); // commits
    try (DeltaIndexWriter writer = open(folder, -1)) {
      assertThat(fetches(writer)).containsExactly(week(1), week(0));
      put(writer, "beta", 9);
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, 2)) {
      assertThat(fetches(writer)).as("of the forgotten one").containsExactly(week(1), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aReaderOfAWriterOnAnEarlierCommitStaysCurrentAndWhoGivesUpChangesNothing()
      throws IOException {
    DeltaIndexWriter never = open(folder, 1);
    try (DirectoryReader reader = DirectoryReader.open(never)) {
      never.flush();
      assertThat(DirectoryReader.openIfChanged(reader)).isNull();
    }
    never.rollback();
    try (DeltaIndexWriter writer = open(folder, -1)) {
      assertThat(fetches(writer)).containsExactly(week(2), week(1), week(0));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anIndexThatIsBegunAnewAndClosedThoughNothingWasAskedOfItKnowsOfTheMeasurements()
      throws IOException {
    openAnew(folder).close(); // commits
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "beta", 9);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  /** Else the measurements would seem those of another index, and their latest batch its own. */
  @Test
  void aCommitOfTheApplicationsDataAloneIsOfTheBatchBeforeIt() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      writer.setLiveCommitData(Map.of("mine", "1").entrySet());
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "beta", 3);
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, 3)) {
      assertThat(fetches(writer)).containsExactly(week(2), week(1), week(0));
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatAReaderHasThatNoCommitHasIsCountedAndMeasuredFromThen() throws IOException {
    DeltaIndexWriter before = open(folder, -1);
    put(before, "beta", 3);
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (DirectoryReader reader = DirectoryReader.open(before)) {
      before.rollback();
      settings.setIndexCommit(reader.getIndexCommit());
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(before.getDirectory(), settings, config())) {
        DeltaStatus status = writer.status();
        assertThat(status.batchesIncomplete()).isEqualTo(1);
        assertThat(status.lastIncomplete()).contains("opened on a reader");
        put(writer, "alpha beta", 5);
        faults =
            point -> {
              if (point.equals(FaultPoints.SETTLE)) {
                faults = none -> {};
                copy("killed");
              }
            };
        writer.commit();
        assertThat(fetches(writer)).containsExactly(week(5), week(2), week(1), week(0));
        assertThat(writer.explain("a").orElseThrow().refreshes().get(0).interval())
            .isEqualTo(Duration.ofDays(14));
        assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      }
    }
    assertThat(troubles).singleElement().asString().contains("opened on a reader");
    assertKilledRightAfterTheCommit(folder.resolve("killed"));
  }

  private void assertKilledRightAfterTheCommit(Path killed) throws IOException {
    try (DeltaIndexWriter writer = open(killed, -1)) {
      assertThat(fetches(writer)).containsExactly(week(5), week(2), week(1), week(0));
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whoOpensAReaderThatHasWhatNoCommitHasAndGivesUpChangesNothing(boolean prepares)
      throws IOException {
    DeltaIndexWriter before = open(folder, -1);
    put(before, "beta", 3);
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (DirectoryReader reader = DirectoryReader.open(before)) {
      before.rollback();
      final long manifest = latestManifest();
      final DeltaStatus status = statusOnDisk();
      settings.setIndexCommit(reader.getIndexCommit());
      DeltaIndexWriter writer = new DeltaIndexWriter(before.getDirectory(), settings, config());
      writer.nextPages(1);
      put(writer, "alpha beta", 5);
      if (prepares) {
        writer.prepareCommit();
      } else {
        assertThat(writer.status().batchesIncomplete()).isOne();
        assertThat(latestManifest()).isEqualTo(manifest);
      }
      writer.rollback();
      assertThat(statusOnDisk()).isEqualTo(status);
    }
    troubles.clear(); // of the reader
    try (DeltaIndexWriter writer = open(folder, -1)) {
      assertThat(fetches(writer)).containsExactly(week(2), week(1), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  private long latestManifest() throws IOException {
    try (Directory files = FSDirectory.open(folder.resolve("index.delta"))) {
      return Manifest.latest(files);
    }
  }

  private DeltaStatus statusOnDisk() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      return state.status();
    }
  }

  /** It has the files of the commit: only the writer knows what is deleted. */
  @Test
  void whatAReaderLacksThatTheLatestCommitHasIsNoPageOfTheWriter() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      Document other = new Document();
      other.add(new StringField("url", "b", Field.Store.YES));
      other.add(new TextField("body", "alpha", Field.Store.NO));
      writer.addDocument(other);
      writer.addDocument(new Document());
      writer.forceMerge(1);
      writer.commit();
    }
    DeltaIndexWriter before = open(folder, -1);
    before.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
    before.deleteDocuments(new Term("url", "b"));
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (DirectoryReader reader = DirectoryReader.open(before)) {
      before.rollback();
      settings.setIndexCommit(reader.getIndexCommit());
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(before.getDirectory(), settings, config())) {
        assertThat(writer.status().pages()).isEqualTo(1);
      }
    }
  }

  @Test
  void openingOnACommitMergesNothing() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("segments"))) {
      IndexWriterConfig unmerged =
          new IndexWriterConfig().setMergePolicy(NoMergePolicy.INSTANCE).setUseCompoundFile(false);
      try (IndexWriter plain = new IndexWriter(directory, unmerged)) {
        for (int page = 0; page < 20; page++) {
          Document document = new Document();
          document.add(new StringField("url", "p" + page, Field.Store.YES));
          plain.addDocument(document);
          plain.flush();
        }
      }
      List<String> files = segmentFiles(directory);
      AtomicInteger merged = new AtomicInteger();
      IndexWriterConfig merging =
          new IndexWriterConfig(new WhitespaceAnalyzer())
              .setIndexCommit(DirectoryReader.listCommits(directory).get(0))
              .setMergePolicy(new LogDocMergePolicy())
              .setMergeScheduler(new SerialMergeScheduler())
              .setMergedSegmentWarmer(reader -> merged.incrementAndGet());
      long wait = merging.getMaxFullFlushMergeWaitMillis();
      try (DeltaIndexWriter writer = new DeltaIndexWriter(directory, merging, config())) {
        assertThat(writer.status().pages()).isEqualTo(20);
        assertThat(merged).hasValue(0);
        assertThat(segmentFiles(directory)).isEqualTo(files);
        assertThat(writer.getConfig().getMaxFullFlushMergeWaitMillis())
            .isEqualTo(wait)
            .isPositive();
        put(writer, "alpha", 9);
        writer.commit();
        assertThat(merged).as("as soon as a commit may").hasPositiveValue();
      }
    }
    assertThat(troubles).isEmpty();
  }

  private static List<String> segmentFiles(Directory directory) throws IOException {
    return Stream.of(directory.listAll()).filter(file -> file.startsWith("_")).sorted().toList();
  }

  private void failOnce(String failing) {
    faults =
        point -> {
          if (point.equals(failing)) {
            faults = none -> {};
            throw new IllegalStateException("injected at " + point);
          }
        };
  }

  @Test
  void visitsOfACommitThatNeverCameAreNotThoseOfACommitToAnEarlierOne() throws IOException {
    DeltaIndexWriter never = open(folder, -1);
    never.recordUnchanged("a", week(3));
    never.prepareCommit();
    never.rollback();
    try (DeltaIndexWriter writer = open(folder, 0)) {
      Document other = new Document();
      other.add(new StringField("url", "b", Field.Store.YES));
      writer.addDocument(other);
      failOnce(FaultPoints.SETTLE); // so that the batch is read from the index
      writer.commit();
      assertThat(fetches(writer)).containsExactly(week(0));
      assertThat(writer.explain("b").orElseThrow().refreshes()).hasSize(1);
    }
  }

  @Test
  void aCommitThatWasNotSettledStaysWhatItWasThoughAnotherIsMeasuredOnAnEarlierOne()
      throws IOException {
    Path killed = killedBeforeTheFourthIsSettled();
    prepareAndGiveUp(killed, 0);
    try (DeltaIndexWriter writer = open(killed, -1)) {
      assertThat(fetches(writer)).containsExactly(week(3), week(2), week(1), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void whoLooksAtTheCommitBeforeOneThatWasNotSettledLosesNothingOfThatOne() throws IOException {
    Path killed = killedBeforeTheFourthIsSettled();
    DeltaIndexWriter earlier = open(killed, 2);
    assertThat(fetches(earlier)).containsExactly(week(2), week(1), week(0));
    earlier.rollback();
    assertTheFourthIsThere(killed);
  }

  @Test
  void whoBeginsTheIndexAnewAndGivesUpLosesNothingOfACommitThatWasNotSettled() throws IOException {
    Path killed = killedBeforeTheFourthIsSettled();
    DeltaIndexWriter never = openAnew(killed);
    put(never, "beta", 9);
    never.prepareCommit();
    never.rollback();
    assertTheFourthIsThere(killed);
  }

  @Test
  void whoCommitsToTheCommitBeforeOneThatWasNotSettledHasTheHistoryOfWhatIsCommitted()
      throws IOException {
    Path killed = killedBeforeTheFourthIsSettled();
    Path[] again = new Path[1];
    faults =
        point -> {
          if (point.equals(FaultPoints.SETTLE) && again[0] == null) {
            again[0] = copy(killed, "again");
          }
        };
    try (DeltaIndexWriter writer = open(killed, 2)) {
      put(writer, "beta", 9);
      writer.commit();
    }
    faults = point -> {};
    for (Path place : List.of(killed, again[0])) {
      try (DeltaIndexWriter writer = open(place, -1)) {
        assertThat(fetches(writer)).containsExactly(week(9), week(2), week(1), week(0));
        assertThat(writer.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoIsKilledAfterAnotherGaveUpOnAnEarlierCommitYetHasTheHistoryOfWhatIsCommitted()
      throws IOException {
    prepareAndGiveUp(folder, 0);
    assertThat(fetchesOfTheLatest(killedAfterACommit(1)))
        .containsExactly(week(9), week(1), week(0));
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(9), week(1), week(0));
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoIsKilledAfterAnotherGaveUpOnALaterCommitHasNothingOfWhatIsNotCommitted()
      throws IOException {
    prepareAndGiveUp(folder, 1);
    assertThat(fetchesOfTheLatest(killedAfterACommit(0))).containsExactly(week(9), week(0));
    assertThat(fetchesOfTheLatest(folder)).containsExactly(week(9), week(0));
    assertThat(troubles).isEmpty();
  }

  /** The files of a batch that was never committed are not those of one that was lost. */
  @Test
  void whoIsKilledAfterAnotherGaveUpOnTheSameCommitLacksNothing() throws IOException {
    prepareAndGiveUp(folder, 0);
    Path killed = killedAfterACommit(0);
    try (DeltaIndexWriter writer = open(killed, -1)) {
      assertThat(fetches(writer)).containsExactly(week(9), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whoGivesUpAfterAKilledOneLeavesThatOneTheHistoryOfItsCommit() throws IOException {
    Path killed = killedAfterACommit(0);
    prepareAndGiveUp(killed, 1);
    assertThat(fetchesOfTheLatest(killed)).containsExactly(week(9), week(0));
    assertThat(troubles).isEmpty();
  }

  /** Lucene keeps the commit data of the last commit, the name of its batch with it. */
  @Test
  void whatAnotherWriterChangedIsCountedAndMeasuredFromThenThoughItsCommitIsNotTheLatest()
      throws IOException {
    plain(folder, "beta", 4);
    plain(folder, "gamma", 6);
    Path[] killed = new Path[1];
    try (DeltaIndexWriter writer = open(folder, 3)) {
      assertThat(writer.status().batchesIncomplete()).isOne();
      faults =
          point -> {
            if (killed[0] == null && point.equals(FaultPoints.SETTLE)) {
              killed[0] = copy("killed");
            }
          };
      put(writer, "alpha", 7);
      writer.commit();
      assertInterval(writer, 3);
      faults = point -> {};
    }
    for (Path place : List.of(folder, killed[0])) {
      try (DeltaIndexWriter writer = open(place, -1)) {
        assertInterval(writer, 3);
        assertThat(writer.status().batchesIncomplete()).isOne();
      }
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("committed without being measured since batch 3, by another writer");
  }

  @Test
  void aCommitThatChangesNoPageAfterThatOfAnotherWriterLeavesThemFetchedThen() throws IOException {
    plain(folder, "beta", 4);
    plain(folder, "gamma", 6);
    try (DeltaIndexWriter writer = open(folder, 3)) {
      writer.setLiveCommitData(Map.of("mine", "1").entrySet());
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "alpha", 7);
      writer.commit();
      assertInterval(writer, 3);
      assertThat(writer.status().batchesIncomplete()).isOne();
    }
  }

  /** What was measured of it was forgotten when the one before it was gone back to. */
  @Test
  void aCommitThatIsOpenedAfterOneBeforeItWasUsedIsMeasuredFromWhatItsDocumentsTell()
      throws IOException {
    try (DeltaIndexWriter writer = open(folder, 0)) {
      put(writer, "beta", 9);
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, 1)) {
      put(writer, "gamma", 10);
      writer.commit();
      assertInterval(writer, 9);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aCommitBeforeOneThatChangedNoPageIsNotThatOfAnotherWriter() throws IOException {
    try (DeltaIndexWriter writer = open(folder, -1)) {
      writer.setLiveCommitData(Map.of("mine", "1").entrySet());
      writer.commit();
    }
    try (DeltaIndexWriter writer = open(folder, 2)) {
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  private static void assertInterval(DeltaIndexWriter writer, int weeks) throws IOException {
    assertThat(writer.explain("a").orElseThrow().refreshes().get(0).interval())
        .isEqualTo(Duration.ofDays(7L * weeks));
  }

  @Test
  void aCommitThatDoesNotKnowOfTheMeasurementsIsToldAndChangesNothingBeforeThereIsAnother()
      throws IOException {
    Path place = folder.resolve("adopted");
    plain(place, "beta beta beta", 1);
    try (DeltaIndexWriter writer = open(place, -1)) {
      put(writer, "alpha", 2);
      writer.commit();
    }
    Directory state = FSDirectory.open(place.resolve("index.delta"));
    Manifest before = Manifest.read(state);
    open(place, 0).rollback();
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("the index does not know of the measurements");
    assertThat(Manifest.latest(state)).isEqualTo(before.number);
    assertThat(state.listAll()).contains(before.ranksFile);
    try (DeltaIndexWriter writer = open(place, 0)) {
      assertThat(writer.status().batchesIncomplete()).as("nothing is lost").isZero();
    }
  }

  @Test
  void whoLooksAtAnEarlierCommitOfAnIndexThatWasNeverMeasuredLeavesNothingOfItBehind()
      throws IOException {
    Path place = folder.resolve("never");
    plain(place, "alpha", 1);
    plain(place, "beta", 2);
    open(place, 0).rollback();
    Directory state = FSDirectory.open(place.resolve("index.delta"));
    assertThat(Manifest.read(state)).isNull();
    prepareAndGiveUp(place, 0);
    assertThat(Manifest.read(state).ranksFile).isEmpty();
    try (DeltaIndexWriter writer = open(place, -1)) {
      assertThat(writer.explain("a")).isEmpty();
      put(writer, "gamma", 3);
      writer.commit();
      assertThat(fetches(writer)).containsExactly(week(3));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theFirstBatchOfAllIsNotLostThoughItsCommitFollowsAnEarlierOneOrNone(boolean anew)
      throws IOException {
    Path place = folder.resolve("first");
    plain(place, "alpha", 1);
    plain(place, "beta", 2);
    Path[] killed = new Path[1];
    faults =
        point -> {
          if (killed[0] == null && point.equals(FaultPoints.SETTLE)) {
            killed[0] = copy(place, "killed");
          }
        };
    try (DeltaIndexWriter writer = anew ? openAnew(place) : open(place, 0)) {
      put(writer, "gamma", 3);
      writer.commit();
    }
    faults = point -> {};
    for (Path there : List.of(place, killed[0])) {
      try (DeltaIndexWriter writer = open(there, -1)) {
        assertThat(fetches(writer)).containsExactly(week(3));
        assertThat(writer.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void statisticsOfThePagesBeforeAreReadAnewAfterAKillRightBehindTheCommit(boolean anew)
      throws IOException {
    Path[] killed = new Path[1];
    faults =
        point -> {
          if (killed[0] == null && point.equals(FaultPoints.SETTLE)) {
            killed[0] = copy("killed");
          }
        };
    try (DeltaIndexWriter writer = anew ? openAnew(folder) : open(folder, 0)) {
      put(writer, "beta", 9);
      writer.commit();
    }
    faults = point -> {};
    open(killed[0], -1).close();
    Manifest manifest = Manifest.read(FSDirectory.open(killed[0].resolve("index.delta")));
    assertThat(manifest.changedSinceStatistics).as("not counted").isGreaterThan(1_000);
    assertThat(manifest.isUsefulnessOutdated()).isTrue();
    assertThat(fetchesOfTheLatest(killed[0]))
        .containsExactlyElementsOf(
            anew ? List.of(week(9), week(2), week(1), week(0)) : List.of(week(9), week(0)));
    assertThat(troubles).isEmpty();
  }

  private static void plain(Path place, String body, int week) throws IOException {
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    try (IndexWriter writer = new IndexWriter(FSDirectory.open(place.resolve("index")), settings)) {
      put(writer, body, week);
    }
  }

  private DeltaIndexWriter openAnew(Path place) throws IOException {
    IndexWriterConfig anew =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setOpenMode(OpenMode.CREATE)
            .setIndexDeletionPolicy(NoDeletionPolicy.INSTANCE);
    return new DeltaIndexWriter(FSDirectory.open(place.resolve("index")), anew, config());
  }

  private void prepareAndGiveUp(Path place, int commit) throws IOException {
    DeltaIndexWriter never = open(place, commit);
    put(never, "beta", 8);
    never.prepareCommit();
    never.rollback();
  }

  /** Before it is settled. */
  private Path killedAfterACommit(int commit) throws IOException {
    Path[] killed = new Path[1];
    faults =
        point -> {
          if (killed[0] == null && point.equals(FaultPoints.SETTLE)) {
            killed[0] = copy("killed");
          }
        };
    try (DeltaIndexWriter writer = open(folder, commit)) {
      put(writer, "beta", 9);
      writer.commit();
    }
    faults = point -> {};
    return killed[0];
  }

  private void assertTheFourthIsThere(Path place) throws IOException {
    try (DeltaIndexWriter writer = open(place, -1)) {
      assertThat(fetches(writer)).containsExactly(week(3), week(2), week(1), week(0));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  private Path killedBeforeTheFourthIsSettled() throws IOException {
    Path[] killed = new Path[1];
    faults =
        point -> {
          if (point.equals(FaultPoints.BEFORE_MANIFEST) && killed[0] == null) {
            killed[0] = copy("killed");
          }
        };
    try (DeltaIndexWriter writer = open(folder, -1)) {
      put(writer, "alpha", 3);
      writer.commit();
    }
    faults = point -> {};
    return killed[0];
  }
}
