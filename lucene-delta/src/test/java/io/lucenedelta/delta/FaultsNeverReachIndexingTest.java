// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.IndexWriterConfig.OpenMode;
import org.apache.lucene.index.MultiBits;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Measuring may fail at any step: the index is right, the failure is told, the next commit heals.
 */
class FaultsNeverReachIndexingTest {
  private static final String DISK_FULL = "disk full";

  private final List<String> troubles = new ArrayList<>();
  private final List<String> causes = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();
  private final List<Long> told = new ArrayList<>(); // batches measured
  private final AtomicInteger captured = new AtomicInteger();
  private volatile String armed;
  private volatile boolean outOfMemory;
  private volatile boolean interrupting;
  private volatile boolean unspeakable;

  @ParameterizedTest(name = "{0}, out of memory: {1}")
  @CsvSource({
    "begin segment,false",
    "begin segment,true",
    "note postings,false",
    "note postings,true",
    "end segment,false",
    "end segment,true",
    "begin batch,false",
    "begin batch,true",
    "check setup,false",
    "check setup,true",
    "measure batch,false",
    "measure batch,true",
    "before writing refreshes,true",
    "after writing refreshes,false",
    "settle batch,false",
    "settle batch,true",
    "apply page,false",
    "apply page,true",
    "store page,false",
    "store page,true",
    "before writing manifest,false",
    "after writing manifest,true",
    "disk full,false"
  })
  void theIndexStaysRightAndTheNextCommitHeals(String point, boolean memory, @TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      outOfMemory = memory;
      armed = point;
      putAll(writer, "alpha beta", 1);
      writer.commit();
      armed = null;
      String injected = point.equals(DISK_FULL) ? "injected: no space" : "injected at " + point;
      assertThat(causes).as("the listener has heard of it").anyMatch(c -> c.contains(injected));
      assertThat(text(directory)).hasSize(10);

      putAll(writer, "beta beta", 2);
      writer.commit();
      compare(writer, directory, config);
      putAll(writer, "gamma beta", 3);
      writer.commit();
      compare(writer, directory, config);
      DeltaStatus status = writer.status();
      assertThat(status.generation()).isEqualTo(4);
      assertThat(told)
          .as("each batch that counts as measured was told once")
          .doesNotHaveDuplicates()
          .hasSize((int) status.batchesMeasured());
      assertThat(kinds.contains(Trouble.LOST))
          .as("a batch that is incomplete is told as lost, and no other is: %s", troubles)
          .isEqualTo(status.batchesIncomplete() > 0);
      assertThat(writer.explain("p1").orElseThrow().refreshes().get(0).measured())
          .as("a refresh after the fault is measured again")
          .isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        FaultPoints.END_SEGMENT,
        FaultPoints.SETUP,
        FaultPoints.MEASURE,
        FaultPoints.BEFORE_RUN,
        FaultPoints.AFTER_RUN,
        FaultPoints.VISITS,
        FaultPoints.SETTLE,
        FaultPoints.APPLY,
        FaultPoints.BEFORE_MANIFEST,
        FaultPoints.AFTER_MANIFEST
      })
  void anInterruptIsThereAfterTheCommitAndWhatItCostsIsCounted(String point, @TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      put(writer, 0, "alpha beta", 1);
      writer.recordUnchanged("p1", RandomDocuments.START.plus(days(1)));
      interrupting = true;
      armed = point;
      writer.commit();
      armed = null;
      assertThat(Thread.interrupted()).isTrue();
      assertThat(text(directory)).hasSize(10);

      putAll(writer, "beta beta", 2);
      writer.commit();
      compare(writer, directory, config);
      DeltaStatus status = writer.status();
      assertThat(status.batchesMeasured() + status.batchesIncomplete()).isEqualTo(3);
      assertThat(told).doesNotHaveDuplicates().hasSize((int) status.batchesMeasured());
      int lost = (int) status.batchesIncomplete();
      assertThat(writer.explain("p0").orElseThrow().refreshes()).hasSize(3 - lost);
      assertThat(writer.explain("p2").orElseThrow().refreshes()).hasSize(2);
    }
  }

  @Test
  void aBatchIsMeasuredThoughItsThreadWasInterruptedBefore(@TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      put(writer, 0, "alpha beta", 1);
      Thread.currentThread().interrupt();
      writer.commit();
      assertThat(Thread.interrupted()).as("interrupted still").isTrue();
      DeltaStatus status = writer.status();
      assertThat(status.batchesMeasured()).isEqualTo(2);
      assertThat(status.batchesIncomplete()).isZero();
      assertThat(writer.explain("p0").orElseThrow().refreshes()).hasSize(2);
      assertThat(troubles).isEmpty();
    }
  }

  @Test
  void theStatusTellsThatTheStateFolderIsGone(@TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder.resolve("state"));
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      IOUtils.rm(folder.resolve("state"));
      put(writer, 0, "alpha beta", 1);
      writer.commit();
      DeltaStatus status = writer.status();
      assertThat(status.lastIncomplete()).contains("could not be settled yet");
      assertThat(status.batchesIncomplete()).isEqualTo(1);
      assertThat(status.orderBytes()).isZero();
      assertThat(text(directory)).hasSize(10);
    }
  }

  @Test
  void aFullDiskIsToldWithTheFileThatFoundNoRoom(@TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      FetchQueue queue = writer.fetchQueue(days(1));
      queue.discovered("p10");
      armed = DISK_FULL;
      assertThatThrownBy(queue::save)
          .hasMessageStartingWith(folder.resolve("pending_queue").toString())
          .hasMessageContaining("see whether its disk has room")
          .hasRootCauseMessage("injected: no space left on device");
      put(writer, 0, "alpha beta", 1);
      writer.commit();
      armed = null;
      assertThat(troubles)
          .anyMatch(
              trouble -> trouble.contains(folder.resolve("batch_2") + " cannot be written; see"));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClockThatFailsIsToldAndKeepsNoWriterFromOpening(boolean silent, @TempDir Path folder)
      throws Exception {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .clock(
                () -> {
                  if (silent) {
                    return null;
                  }
                  throw new AssertionError("no time");
                })
            .listener(new Troubles(troubles, kinds))
            .build();
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      putAll(writer, "alpha beta", 1);
      writer.commit();
      assertThat(text(directory)).hasSize(10);
    }
    assertThat(troubles).anyMatch(trouble -> trouble.contains("clock failed"));
    assertThat(kinds.get(0)).isEqualTo(Trouble.SETUP);
  }

  static Stream<InstantSource> clocks() {
    return Stream.of(
        () -> Instant.MAX,
        () -> Instant.MIN,
        () -> null,
        () -> {
          throw new AssertionError("no time");
        });
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void anIndexIsTakenOverByWhateverClock(InstantSource clock, @TempDir Path folder)
      throws Exception {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .statePath(folder)
            .clock(clock)
            .build();
    try (Directory directory = new ByteBuffersDirectory()) {
      try (IndexWriter plain =
          new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        putAll(plain, "alpha beta", 1);
      }
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        putAll(writer, "alpha", 2);
        writer.commit();
        assertThat(writer.status().pages()).isEqualTo(10);
      }
    }
  }

  @Test
  void aBatchThatWasRefusedMemoryDoesNotAskForItWithEveryFlush(@TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      outOfMemory = true;
      armed = FaultPoints.END_SEGMENT;
      captured.set(0);
      putAll(writer, "alpha beta", 1);
      writer.flush();
      armed = null;
      putAll(writer, "beta alpha beta", 2);
      writer.flush();
      putAll(writer, "beta", 3);
      writer.commit();
      assertThat(captured).as("flushes that were captured, or tried to be").hasValue(1);
      compare(writer, directory, config);

      putAll(writer, "gamma", 4);
      writer.flush();
      putAll(writer, "gamma beta", 5);
      writer.commit();
      assertThat(captured).as("those of the next batch are").hasValue(3);
      compare(writer, directory, config);
      assertThat(writer.explain("p1").orElseThrow().refreshes().get(0).measured()).isTrue();
    }
  }

  @Test
  void ofABatchThatCouldNotBeBegunTheStatusTellsWhyAndTheNextOneMeasuresIt(@TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      armed = FaultPoints.BEGIN;
      outOfMemory = true;
      putAll(writer, "alpha beta", 1);
      writer.commit();
      armed = null;
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(writer.status().lastIncomplete())
          .isEqualTo(
              "a batch could not be begun and is measured with the next commit: java.lang.OutOfMemoryError: injected at begin batch");
      put(writer, 0, "beta beta", 2);
      writer.commit();
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
      assertThat(writer.explain("p0").orElseThrow().refreshes()).as("one of two").hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isOne();
      assertThat(kinds).containsExactly(Trouble.RETRIED, Trouble.LOST);
      assertThat(troubles.get(0))
          .as("in words that need no memory")
          .isEqualTo("a batch cannot be measured yet and is measured with the next");
      assertThat(writer.status().lastIncomplete())
          .isEqualTo(troubles.get(1))
          .startsWith("1 commits before batch 3 were settled by nobody");
      compare(writer, directory, config);
    }
  }

  @Test
  void aBatchThatCouldNotBeBegunBeforeItsWriterEndsIsCountedOnce(@TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = filled(directory, config)) {
        armed = FaultPoints.BEGIN;
        putAll(writer, "alpha beta", 1);
        writer.commit();
      }
      armed = null;
      assertThat(kinds).containsExactly(Trouble.RETRIED, Trouble.LOST);
      assertThat(troubles.get(1))
          .startsWith("a batch could not be begun")
          .contains(FaultPoints.BEGIN);
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        assertThat(troubles).hasSize(2);
        assertThat(writer.status().batchesIncomplete()).isOne();
        assertThat(writer.status().lastIncomplete()).isEqualTo(troubles.get(1));
        putAll(writer, "beta beta", 3);
        writer.commit();
        List<MeasuredRefresh> refreshes = writer.explain("p1").orElseThrow().refreshes();
        assertThat(refreshes).hasSize(2);
        assertThat(refreshes.get(0).interval()).as("since the lost one").isEqualTo(days(2));
        compare(writer, directory, config);
      }
    }
  }

  @Test
  void aBatchThatCouldNotBeBegunAfterOneThatCouldNotBeSettledIsCountedOnceAndSoIsThatOne(
      @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = filled(directory, config)) {
        armed = FaultPoints.STORE;
        putAll(writer, "alpha beta", 1);
        writer.commit();
        armed = FaultPoints.STORE + "," + FaultPoints.BEGIN;
        putAll(writer, "beta beta", 2);
        writer.commit();
        armed = null;
        assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
      }
      troubles.clear();
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        assertThat(troubles).isEmpty();
        assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
        putAll(writer, "gamma beta", 3);
        writer.commit();
        List<MeasuredRefresh> refreshes = writer.explain("p1").orElseThrow().refreshes();
        assertThat(refreshes).hasSize(2);
        assertThat(refreshes.get(0).measured()).isTrue();
        assertThat(refreshes.get(0).interval()).isEqualTo(days(1));
        compare(writer, directory, config);
      }
    }
  }

  @Test
  void whatFollowsABatchThatCouldNotBeBegunAfterOneThatCouldNotBeSettledIsMeasured(
      @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      armed = FaultPoints.STORE;
      putAll(writer, "alpha beta", 1);
      writer.commit();
      armed = FaultPoints.STORE + "," + FaultPoints.BEGIN;
      putAll(writer, "beta beta", 2);
      writer.commit();
      armed = null;
      writer.nextPages(1);
      putAll(writer, "gamma beta", 3);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
      assertThat(writer.explain("p1").orElseThrow().refreshes().get(0).measured()).isTrue();
      compare(writer, directory, config);
    }
  }

  @Test
  void theStatusTellsOfBatchesThatCouldNotBeBegunBesideOneThatCannotBeSettled(@TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      List<String> faults =
          List.of(
              FaultPoints.BEGIN,
              FaultPoints.STORE,
              FaultPoints.STORE + "," + FaultPoints.BEGIN,
              FaultPoints.STORE + "," + FaultPoints.BEGIN);
      for (int week = 1; week <= faults.size(); week++) {
        armed = faults.get(week - 1);
        putAll(writer, "beta" + " alpha".repeat(week), week);
        writer.commit();
        assertThat(writer.status().batchesIncomplete()).isEqualTo(week);
      }
      armed = null;
      putAll(writer, "gamma beta", faults.size() + 1);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isEqualTo(faults.size());
      compare(writer, directory, config);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theFirstBatchOfAnIndexBegunAnewThatCouldNotBeBegunIsCounted(
      boolean goesOn, @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory()) {
      filled(directory, config).close();
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory,
              new IndexWriterConfig(new WhitespaceAnalyzer()).setOpenMode(OpenMode.CREATE),
              config)) {
        armed = FaultPoints.BEGIN;
        putAll(writer, "alpha beta", 1);
        writer.commit();
        armed = null;
        assertThat(writer.status().batchesIncomplete()).isOne();
        assertThat(writer.status().lastIncomplete())
            .startsWith("a batch could not be begun and is measured with the next commit");
        if (goesOn) {
          putAll(writer, "beta beta", 2);
          writer.commit();
          assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
          assertThat(writer.status().batchesIncomplete()).isOne();
          compare(writer, directory, config);
        }
      }
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        assertThat(writer.status().batchesIncomplete()).isOne();
        compare(writer, directory, config);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void visitsOfABatchThatCouldNotBeBegunAreRecordedWithTheNextOrToldAsLost(
      boolean goesOn, @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = filled(directory, config)) {
        armed = FaultPoints.BEGIN;
        writer.recordUnchanged("p1", RandomDocuments.START.plus(days(1)));
        writer.commit();
        armed = goesOn ? FaultPoints.BEGIN : null;
      }
      armed = null;
      assertThat(kinds.contains(Trouble.LOST)).as("%s", troubles).isEqualTo(goesOn);
      assertThat(troubles.stream().anyMatch(t -> t.startsWith("1 visits"))).isEqualTo(goesOn);
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(goesOn ? 1 : 2);
        assertThat(writer.status().batchesIncomplete()).isZero();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"store page,3", "disk full,3"})
  void theStatusTellsOfEveryBatchThatWasLost(String point, int lost, @TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      armed = point;
      for (int week = 1; week <= lost; week++) {
        putAll(writer, "beta" + " alpha".repeat(week), week);
        writer.commit();
        DeltaStatus status = writer.status();
        assertThat(status.batchesIncomplete()).isEqualTo(week);
        assertThat(status.lastIncomplete())
            .startsWith("the last commit could not be settled yet")
            .contains("injected");
      }
      armed = null;
      putAll(writer, "gamma beta", lost + 1);
      writer.commit();
      DeltaStatus healed = writer.status();
      assertThat(healed.batchesIncomplete()).isEqualTo(lost);
      assertThat(healed.generation()).isEqualTo(lost + 2);
      compare(writer, directory, config);
    }
  }

  @ParameterizedTest
  @MethodSource("errors")
  void whatFailsWhereTheKeyOfADocumentIsComparedIsNoFailureOfTheUpdate(
      Error failure, @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    IndexWriterConfig soft =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setSoftDeletesField("deleted");
    AtomicInteger asked = new AtomicInteger();
    Document page = new Document();
    page.add(
        new Field("url", "p1", StringField.TYPE_STORED) {
          @Override
          public String stringValue() {
            failOnce(failure, asked);
            return super.stringValue();
          }
        });
    page.add(new TextField("body", "beta beta", Field.Store.NO));
    Field deleted =
        new NumericDocValuesField("deleted", 1) {
          @Override
          public String name() {
            failOnce(failure, asked);
            return super.name();
          }
        };
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = new DeltaIndexWriter(directory, soft, config)) {
      putAll(writer, "alpha", 0);
      writer.commit();
      writer.updateDocument(new Term("url", "p1"), page);
      assertThat(asked).hasPositiveValue();
      writer.commit();
      compare(writer, directory, config);
      asked.set(0);
      writer.softUpdateDocument(new Term("url", "p1"), page, deleted);
      assertThat(asked).hasPositiveValue();
      writer.commit();
      assertThat(writer.status().pages()).isEqualTo(10);
      assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(3);
      assertThat(troubles).isEmpty();
    }
  }

  static Stream<Error> errors() {
    return Stream.of(new OutOfMemoryError("injected"), new AssertionError("not implemented"));
  }

  private static void failOnce(Error failure, AtomicInteger asked) {
    if (asked.getAndIncrement() == 0) {
      throw failure;
    }
  }

  @Test
  void aBatchOfWhichNotEvenTheSetupCouldBeCheckedIsCounted(@TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      armed = FaultPoints.SETUP;
      put(writer, 0, "alpha beta", 1);
      writer.recordUnchanged("p1", RandomDocuments.START.plus(days(1)));
      writer.commit();
      armed = null;
      DeltaStatus status = writer.status();
      assertThat(status.batchesIncomplete()).isEqualTo(1);
      writer.commit();
      assertThat(writer.explain("p1").orElseThrow().refreshes()).as("the visit, too").hasSize(2);
      assertThat(status.lastIncomplete()).contains("injected");
      compare(writer, directory, config);
    }
  }

  /** Or every later batch would be told as lost, and read from the index. */
  @Test
  void ofFlushesThatCouldNotBeCapturedTheirOwnBatchAloneIsIncomplete(@TempDir Path folder)
      throws Exception {
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config(folder))) {
      armed = FaultPoints.END_SEGMENT;
      putAll(writer, "alpha beta", 1);
      writer.commit();
      armed = null;
      for (int week = 2; week <= 3; week++) {
        putAll(writer, "beta beta", week);
        writer.commit();
        assertThat(writer.status().batchesIncomplete()).as("in week %d", week).isOne();
      }
    }
  }

  /** Else it would be settled as if it were measured, into a file that has no name. */
  @ParameterizedTest
  @ValueSource(strings = {FaultPoints.END_SEGMENT, FaultPoints.MEASURE, FaultPoints.AFTER_RUN})
  void aBatchCountsAsIncompleteThoughMemoryLacksToSayWhy(String point, @TempDir Path folder)
      throws Exception {
    List<Object> said = countedAfterAFailureAt(point, folder.resolve("said"));
    unspeakable = true;
    assertThat(countedAfterAFailureAt(point, folder.resolve("not said"))).isEqualTo(said);
    assertThat(said).startsWith(1L);
  }

  private List<Object> countedAfterAFailureAt(String point, Path folder) throws Exception {
    kinds.clear();
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      armed = point;
      put(writer, 0, "alpha beta", 1);
      writer.commit();
      armed = null;
      assertThat(text(directory)).hasSize(10);
      assertThat(kinds).contains(Trouble.LOST);
      DeltaStatus failed = writer.status();
      assertThat(failed.lastIncomplete()).contains("could not be ");
      putAll(writer, "beta beta", 2);
      writer.commit();
      compare(writer, directory, config);
      DeltaStatus status = writer.status();
      return List.of(
          failed.batchesIncomplete(),
          status.batchesIncomplete(),
          status.batchesMeasured(),
          writer.explain("p0").orElseThrow().refreshes().stream()
              .map(MeasuredRefresh::measured)
              .toList(),
          List.copyOf(kinds));
    }
  }

  /** A failure that fails once more when it is asked what it is. */
  private static final class Unspeakable extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    Unspeakable(String point) {
      super("injected at " + point);
    }

    @Override
    public String toString() {
      throw new OutOfMemoryError("for a sentence");
    }
  }

  /** Its change since then is not that of all the time since a refresh that was recorded. */
  @ParameterizedTest
  @CsvSource({
    "begin segment,1",
    "note postings,2",
    "before writing refreshes,1",
    "before writing refreshes,3",
    "disk full,1",
    "disk full,3"
  })
  void aPageOfALostBatchIsMeasuredFromTheTimeThatItsDocumentTells(
      String point, int lost, @TempDir Path folder) throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = filled(directory, config)) {
        armed = point;
        for (int week = 1; week <= lost; week++) {
          putAll(writer, "beta" + " alpha".repeat(week), week);
          writer.commit();
        }
        armed = null;
        assertThat(writer.status().batchesIncomplete()).isEqualTo(lost);
        assertThat(lastRefreshes(writer)).containsOnly(RandomDocuments.START.plus(days(lost)));
      }
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(
              directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        putAll(writer, "gamma beta", lost + 2);
        writer.commit();
        List<MeasuredRefresh> refreshes = writer.explain("p1").orElseThrow().refreshes();
        assertThat(refreshes).as("of the lost ones there is none").hasSize(2);
        assertThat(refreshes.get(0).interval()).isEqualTo(days(2));
      }
    }
  }

  private static List<Instant> lastRefreshes(DeltaIndexWriter writer) throws IOException {
    return writer.nextPages(10, RandomDocuments.START.plus(days(100))).stream()
        .map(PagePriority::lastRefresh)
        .toList();
  }

  private static Duration days(int days) {
    return Duration.ofDays(days);
  }

  /** Eight files of refreshes become one: not when one of them is damaged. */
  @Test
  void aDamagedFileOfRefreshesKeepsNoLaterBatchFromBeingMeasured(@TempDir Path folder)
      throws Exception {
    DeltaConfig config = config(folder);
    try (Directory directory = new ByteBuffersDirectory();
        DeltaIndexWriter writer = filled(directory, config)) {
      Path damaged = folder.resolve("batch_1");
      byte[] bytes = Files.readAllBytes(damaged);
      bytes[bytes.length / 2] ^= 1;
      Files.write(damaged, bytes);
      for (int week = 1; week < 12; week++) {
        putAll(writer, week % 2 == 0 ? "alpha" : "beta alpha", week);
        writer.commit();
      }
      assertThat(writer.status().batchesMeasured()).isEqualTo(12);
      assertThat(troubles)
          .containsExactly(
              "the files of refreshes cannot be merged and stay as they are",
              "batch_1 is damaged and kept as damaged_batch_1; the histories of its pages lack the"
                  + " refreshes in it");
    }
  }

  /** A writer that has committed a first batch. */
  private static DeltaIndexWriter filled(Directory directory, DeltaConfig config)
      throws IOException {
    DeltaIndexWriter writer =
        new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
    putAll(writer, "alpha", 0);
    writer.commit();
    return writer;
  }

  private DeltaConfig config(Path folder) {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 3)
                .add(List.of("beta"), 2)
                .add(List.of("beta", "gamma"), 1)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .statePath(folder)
        .faults(this::fail)
        .stateDirectory(FullDisk::new)
        .listener(
            new ToldBatches(
                told,
                new DeltaListener() {
                  @Override
                  public void trouble(Trouble kind, String sentence, Throwable cause) {
                    kinds.add(kind);
                    troubles.add(sentence);
                    causes.add(String.valueOf(cause));
                  }
                }))
        .build();
  }

  private void fail(String point) {
    if (point.equals(FaultPoints.END_SEGMENT)) {
      captured.incrementAndGet();
    }
    String now = armed;
    if (now != null && Arrays.asList(now.split(",")).contains(point)) {
      if (interrupting) {
        Thread.currentThread().interrupt();
        return;
      }
      if (unspeakable) {
        throw new Unspeakable(point);
      }
      if (outOfMemory) {
        throw new OutOfMemoryError("injected at " + point);
      }
      throw new IllegalStateException("injected at " + point);
    }
  }

  private final class FullDisk extends FilterDirectory {
    FullDisk(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (DISK_FULL.equals(armed)) {
        throw new IOException("injected: no space left on device");
      }
      return in.createOutput(name, context);
    }
  }

  private static void putAll(IndexWriter writer, String body, int week) throws IOException {
    for (int i = 0; i < 10; i++) {
      put(writer, i, body, week);
    }
  }

  private static void put(IndexWriter writer, int i, String body, int week) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "p" + i, Field.Store.YES));
    document.add(new StringField("uid", "u" + (10 * week + i), Field.Store.YES));
    document.add(
        new StringField(
            "fetched",
            RandomDocuments.START.plusSeconds(86_400L * week).toString(),
            Field.Store.NO));
    document.add(new TextField("body", body + " word".repeat(i), Field.Store.NO));
    writer.updateDocument(new Term("url", "p" + i), document);
  }

  private static List<String> text(Directory directory) throws IOException {
    List<String> keys = new ArrayList<>();
    try (DirectoryReader reader = DirectoryReader.open(directory)) {
      for (int doc = 0; doc < reader.maxDoc(); doc++) {
        if (MultiBits.getLiveDocs(reader) == null || MultiBits.getLiveDocs(reader).get(doc)) {
          keys.add(reader.storedFields().document(doc).get("url"));
        }
      }
    }
    return keys;
  }

  private static void compare(DeltaIndexWriter writer, Directory directory, DeltaConfig config)
      throws IOException {
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    SlowAnswer slow = SlowAnswer.of(commits.get(commits.size() - 1), config, null);
    PageEntry entry = new PageEntry();
    for (var page : new TreeMap<>(slow.pages).entrySet()) {
      assertThat(writer.measurer().page(new BytesRef(page.getKey()), entry)).isTrue();
      assertThat(SlowAnswer.decode(entry.vector)).isEqualTo(page.getValue().postings());
    }
    assertThat(writer.status().pages()).isEqualTo(slow.pages.size());
  }
}
