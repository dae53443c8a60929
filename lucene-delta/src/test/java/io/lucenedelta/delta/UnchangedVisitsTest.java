// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that were fetched and found as the index has them. */
class UnchangedVisitsTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final int PAGES = 10;

  private final List<String> troubles = new ArrayList<>();
  private final List<Trouble> kinds = new ArrayList<>();
  private volatile String armed;

  @TempDir Path folder;

  private DeltaConfig config() {
    return settings().build();
  }

  private DeltaConfig.Builder settings() {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 10)
                .add(List.of("beta"), 5)
                .add(List.of("alpha", "gamma"), 3)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .faults(
            point -> {
              if (point.equals(armed)) {
                throw new IllegalStateException("injected at " + point);
              }
            })
        .listener(new Troubles(troubles, kinds));
  }

  private static DeltaIndexWriter open(Directory directory, DeltaConfig config) throws Exception {
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private static void put(
      DeltaIndexWriter writer, DeltaConfig config, String url, String body, int week)
      throws Exception {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(config.fetchTime(week(week)));
    writer.updateDocument(new Term("url", url), document);
  }

  private static Instant week(int week) {
    return START.plus(Duration.ofDays(7L * week));
  }

  @Test
  void aVisitIsCommittedThoughAnotherThreadWasFirstToRecordOneAndHasNotCommittedIt()
      throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "first", "alpha", 0);
      put(writer, config, "second", "alpha beta", 0);
      writer.commit();
      Thread first = new Thread(() -> writer.recordUnchanged("first", week(1)));
      synchronized (writer) { // which the other thread needs to have a commit made
        first.start();
        while (first.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        writer.recordUnchanged("second", week(1));
        assertThat(writer.hasUncommittedChanges()).isTrue();
      }
      first.join();
      writer.commit();
      for (String page : List.of("first", "second")) {
        assertThat(writer.explain(page).orElseThrow().refreshes()).as(page).hasSize(2);
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aVisitThatFoundNothingIsARefreshWorthNothing() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      for (int i = 0; i < 10; i++) {
        put(writer, config, "p" + i, "alpha beta filler" + " alpha".repeat(i % 5), 0);
      }
      writer.commit();
      put(writer, config, "p3", "alpha alpha alpha alpha alpha gamma", 1);
      writer.recordUnchanged("p4", week(1));
      writer.commit();
      writer.recordUnchanged("p3", week(2));
      writer.recordUnchanged("p4", week(2));
      writer.commit();

      PageExplanation changed = writer.explain("p3").orElseThrow();
      assertThat(changed.refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(2), week(1), week(0));
      assertThat(changed.refreshes().get(0).interval()).isEqualTo(Duration.ofDays(7));
      assertThat(changed.refreshes().get(0).qualityChange()).isZero();
      assertThat(changed.refreshes().get(1).qualityChange()).isPositive();
      writer.withHistories(
          pages -> {
            assertThat(pages.of("p4").orElseThrow().refreshes()).isEqualTo(2);
            assertThat(pages.of("p4").orElseThrow().totalDays()).isEqualTo(14);
            assertThat(pages.of("p4").orElseThrow().totalGain()).isZero();
            assertThat(pages.of("p4").orElseThrow().lastRefresh()).isEqualTo(week(2));
            assertThat(pages.of("p5").orElseThrow().refreshes()).isZero();
          });
      assertThat(writer.status().batchesMeasured()).isEqualTo(3);
    }
  }

  @Test
  void aVisitSoMuchLaterThatNoNumberTellsItKeepsNoOtherFromBeingRecorded() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      Document old = new Document();
      old.add(new StringField("url", "old", Field.Store.YES));
      old.add(new TextField("body", "beta", Field.Store.NO));
      old.add(config.fetchTime(Instant.ofEpochMilli(Long.MIN_VALUE + 1)));
      writer.updateDocument(new Term("url", "old"), old);
      writer.commit();
      writer.recordUnchanged("old", week(1));
      writer.recordUnchanged("a", week(1));
      writer.commit();
      assertThat(troubles)
          .singleElement()
          .asString()
          .isEqualTo(
              "visits not recorded: 1 not later than the page's last refresh (the first is of old)");
      assertThat(writer.explain("a").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(1), week(0));
    }
  }

  @Test
  void aVisitSoMuchEarlierThatNoNumberTellsItIsLeftOut() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      writer.recordUnchanged("a", Instant.ofEpochMilli(Long.MIN_VALUE + 1));
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 1 not later than the page's last refresh (the first is of a)");
      assertThat(writer.explain("a").orElseThrow().refreshes()).hasSize(1);
    }
  }

  @Test
  void aVisitDoesNotOvertakeAnUpdateThatMissedTheCommitUnderWay() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      put(writer, config, "b", "alpha", 0);
      writer.commit();
      writer.nextPages(1, week(1));
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch answered = new CountDownLatch(1);
      try (ExecutorService threads = Executors.newCachedThreadPool()) {
        Future<?> question =
            threads.submit(
                () -> {
                  writer.withHistories(
                      pages -> {
                        asked.countDown();
                        try {
                          answered.await();
                        } catch (InterruptedException e) {
                          throw new IllegalStateException(e);
                        }
                      });
                  return null;
                });
        asked.await();
        FutureTask<Long> commit = new FutureTask<>(writer::commit);
        try {
          put(writer, config, "a", "alpha beta", 1);
          Thread committing = new Thread(commit);
          committing.start();
          // until its flush is over and it waits for the question, which holds what measuring
          // takes:
          // by then the batch has its name
          while (!commit.isDone()
              && (writer.numRamDocs() > 0 || committing.getState() != Thread.State.BLOCKED)) {
            Thread.onSpinWait();
          }
          put(writer, config, "b", "alpha beta", 1);
          writer.recordUnchanged("b", week(2));
        } finally {
          answered.countDown(); // or closing the threads would never end
        }
        question.get();
        commit.get();
      }
      assertThat(writer.explain("b").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(0));
      writer.commit();
      assertThat(writer.explain("b").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(1), week(0));
      assertThat(writer.explain("b").orElseThrow().refreshes().get(0).qualityChange()).isPositive();
      writer.recordUnchanged("b", week(2));
      writer.commit();
      assertThat(writer.explain("b").orElseThrow().refreshes().get(0).fetched()).isEqualTo(week(2));
      assertThat(troubles).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"+100000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59Z"})
  void aVisitOfDaysToComeIsToldAndLeftOut(Instant ahead) throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      writer.recordUnchanged("a", ahead);
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 1 more than a day ahead of the clock (the first is of a)");
      writer.recordUnchanged("a", week(1));
      writer.commit();
      assertThat(writer.explain("a").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(1), week(0));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aVisitOfDaysToComeHidesNoRightOneOfItsPage(boolean first) throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      Instant wrong = Instant.parse("+54321-01-01T00:00:00Z"); // milliseconds taken for seconds
      List<Instant> told = new ArrayList<>(List.of(week(1), week(2)));
      told.add(first ? 0 : 2, wrong);
      told.forEach(time -> writer.recordUnchanged("a", time));
      writer.commit();
      assertThat(writer.explain("a").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(2), week(0));
      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 1 more than a day ahead of the clock (the first is of a)");
    }
  }

  /** No harm is done: the commit judges by the clock once more. */
  @Test
  void aVisitIsHeardOfAlsoWhenTheClockFails() throws Exception {
    AtomicBoolean fails = new AtomicBoolean();
    DeltaConfig config =
        settings()
            .clock(
                () -> {
                  if (fails.get()) {
                    throw new IllegalStateException("no time");
                  }
                  return week(3);
                })
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha", 0);
      writer.commit();
      fails.set(true);
      writer.recordUnchanged("a", week(1));
      fails.set(false);
      writer.commit();
      assertThat(writer.explain("a").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(1), week(0));
      assertThat(troubles).isEmpty();
    }
  }

  @Test
  void visitsThatFoundNothingSurviveReopeningAndRebuilding() throws Exception {
    DeltaConfig config = config();
    Directory directory = FSDirectory.open(folder.resolve("visits"));
    List<PagePriority> expected;
    try (DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha beta", 0);
      put(writer, config, "b", "alpha alpha", 0);
      writer.commit();
      put(writer, config, "a", "alpha alpha alpha", 1);
      writer.commit();
      writer.recordUnchanged("a", week(2));
      writer.recordUnchanged("b", week(2));
      writer.commit();
      writer.rebuild(); // or it finds anew what users get from the pages
      expected = writer.nextPages(2, week(9));
      writer.rebuild();
      assertThat(writer.nextPages(2, week(9))).isEqualTo(expected);
      assertThat(fetches(writer, "a")).containsExactly(week(2), week(1), week(0));
      writer.recordUnchanged("a", week(3));
      writer.rollback();
    }
    try (DeltaIndexWriter writer = open(directory, config)) {
      assertThat(writer.nextPages(2, week(9))).as("a visit rolled back").isEqualTo(expected);
      assertThat(fetches(writer, "a")).containsExactly(week(2), week(1), week(0));
      assertThat(fetches(writer, "b")).containsExactly(week(2), week(0));
    }
    directory.close();
  }

  private static List<Instant> fetches(DeltaIndexWriter writer, String page) throws Exception {
    return writer.explain(page).orElseThrow().refreshes().stream()
        .map(MeasuredRefresh::fetched)
        .toList();
  }

  @Test
  void visitsOfPagesThatAreNotThereOrInThePastAreReported() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      put(writer, config, "a", "alpha beta", 1);
      put(writer, config, "b", "alpha alpha", 1);
      writer.commit();
      writer.recordUnchanged("a", week(1));
      writer.recordUnchanged("missing", week(2));
      writer.recordUnchanged("b", week(3));
      put(writer, config, "b", "alpha", 2);
      writer.commit();

      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 1 of a page that is not in the index (the first is of missing);"
                  + " 1 not later than the page's last refresh (the first is of a)");
      assertThat(kinds).containsExactly(Trouble.REJECTED);
      assertThat(writer.explain("b").orElseThrow().refreshes().get(0).fetched())
          .as("the page was indexed in the same batch")
          .isEqualTo(week(2));
    }
  }

  @Test
  void visitsLeftOutAreCountedByCauseWithTheFirstOfTheirPagesAndLeaveNoFile() throws Exception {
    DeltaConfig config = settings().clock(() -> week(3)).build();
    Instant ahead = week(3).plus(Duration.ofDays(1)).plusMillis(1);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      for (String page : List.of("a", "b", "c", "d")) {
        put(writer, config, page, "alpha", 1);
      }
      writer.commit();
      writer.recordUnchanged("missing 2", week(2));
      writer.recordUnchanged("missing 1", week(2));
      writer.recordUnchanged("b", week(0));
      writer.recordUnchanged("a", week(1));
      writer.recordUnchanged("d", ahead);
      writer.recordUnchanged("c", ahead);
      writer.recordUnchanged("c", ahead.plusMillis(1));
      writer.recordUnchanged("missing 1", ahead);
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 2 of a page that is not in the index (the first is of missing 1);"
                  + " 2 not later than the page's last refresh (the first is of a);"
                  + " 4 more than a day ahead of the clock (the first is of c)");
      assertThat(stateFiles("visits_")).isEmpty();
      writer.recordUnchanged("a", ahead.minusMillis(1));
      writer.commit();
      assertThat(stateFiles("visits_")).hasSize(1);
      assertThat(writer.explain("a").orElseThrow().refreshes().get(0).fetched())
          .isEqualTo(ahead.minusMillis(1));
    }
  }

  @Test
  void aVisitOfAPageThatIsDeletedInTheSameBatchBringsItNotBack() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      for (String page : List.of("a", "b", "c")) {
        put(writer, config, page, "alpha", 0);
      }
      writer.commit();
      writer.recordUnchanged("a", week(1));
      writer.recordUnchanged("b", week(1));
      writer.deleteDocuments(new Term("url", "b"));
      writer.commit();
      assertThat(writer.nextPages(9, week(2)))
          .extracting(PagePriority::page)
          .containsExactlyInAnyOrder("a", "c");
      assertThat(writer.status().pages()).isEqualTo(2);
    }
  }

  @Test
  void visitsForWhichTheHeapHasNoRoomWaitInAFile() throws Exception {
    DeltaConfig config = settings().batchHeap(4_000).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      indexAll(writer, config);
      visitAll(writer);
      assertThat(stateFiles("heard")).hasSize(1);
      Thread.currentThread().interrupt();
      writer.recordUnchanged("page3", week(3));
      assertThat(Thread.interrupted()).isTrue();
      writer.commit();

      assertThat(troubles).isEmpty();
      for (int page = 0; page < PAGES; page++) {
        assertThat(writer.explain("page" + page).orElseThrow().refreshes().get(0).fetched())
            .isEqualTo(week(page == 3 ? 3 : 2));
      }
      assertThat(stateFiles("heard")).isEmpty();
      writer.recordUnchanged("page0", week(4));
    }
    assertThat(stateFiles("heard")).as("of a writer that is closed").isEmpty();
  }

  @Test
  void aVisitOfABatchTooLargeForTheHeapIsRecordedThoughNoOtherBatchComesAfter() throws Exception {
    DeltaConfig config = settings().batchHeap(4_000).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, config)) {
        indexAll(writer, config);
        writer.recordUnchanged("page3", week(2));
        for (int page = 0; page < 200; page++) {
          put(writer, config, "new" + page, "alpha", 2);
        }
      }
      assertThat(troubles).singleElement().asString().contains("more than 4000");
      try (DeltaIndexWriter writer = open(directory, config)) {
        assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
        assertThat(writer.explain("page3").orElseThrow().refreshes())
            .extracting(MeasuredRefresh::fetched)
            .containsExactly(week(2), week(1));
        writer.withHistories(
            pages -> assertThat(pages.of("page3").orElseThrow().lastRefresh()).isEqualTo(week(2)));
      }
    }
  }

  @Test
  void aVisitOfAnIncompleteBatchThatCannotBeAddedAtOnceIsAddedByTheNextTry() throws Exception {
    AtomicReference<String> failing = new AtomicReference<>("");
    AtomicBoolean recorded = new AtomicBoolean();
    DeltaConfig config =
        settings()
            .faults(
                point -> {
                  recorded.compareAndSet(false, point.equals(FaultPoints.VISITS));
                  boolean now = point.equals(FaultPoints.MEASURE) || recorded.get();
                  if (now && failing.compareAndSet(point, "")) {
                    throw new OutOfMemoryError("of a test");
                  }
                })
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      indexAll(writer, config);
      writer.recordUnchanged("page3", week(2));
      put(writer, config, "page1", "alpha alpha", 2);
      failing.set(FaultPoints.MEASURE);
      writer.commit();
      recorded.set(false);
      failing.set(FaultPoints.STORE);
      assertThatThrownBy(() -> writer.withHistories(pages -> {})).isInstanceOf(Error.class);
      assertThat(failing.get()).as("it failed").isEmpty();
      writer.withHistories(
          pages -> {
            assertThat(pages.of("page3").orElseThrow().lastRefresh()).isEqualTo(week(2));
            assertThat(pages.of("page3").orElseThrow().refreshes()).isEqualTo(1);
          });
      assertThat(writer.explain("page3").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::fetched)
          .containsExactly(week(2), week(1));
    }
  }

  @Test
  void visitsThatTheLastBatchOfAWriterCannotRecordAreReported() throws Exception {
    DeltaConfig config = config();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      indexAll(writer, config);
      writer.recordUnchanged("page3", week(2));
      writer.recordUnchanged("page4", week(2));
      armed = FaultPoints.VISITS;
    }
    assertThat(troubles)
        .containsExactly(
            "visits that found nothing are recorded with the next batch",
            "2 visits that found nothing are not recorded: the writer was closed before another batch");
    assertThat(kinds).containsExactly(Trouble.RETRIED, Trouble.LOST);
  }

  @ParameterizedTest
  @ValueSource(strings = {FaultPoints.VISITS, FaultPoints.MEASURE})
  void visitsThatTheLastBatchOfAWriterCannotRecordAreReportedThoughItCannotBeSettledEither(
      String point) throws Exception {
    Set<String> failing = new HashSet<>();
    DeltaConfig config =
        settings()
            .faults(
                reached -> {
                  if (failing.contains(reached)) {
                    throw new IllegalStateException("injected at " + reached);
                  }
                })
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(directory, config)) {
        indexAll(writer, config);
        writer.recordUnchanged("page3", week(2));
        writer.recordUnchanged("page4", week(2));
        failing.addAll(List.of(point, FaultPoints.SETTLE, FaultPoints.STORE));
      }
      assertThat(troubles.get(troubles.size() - 1))
          .isEqualTo("measurements could not be closed cleanly");
      assertThat(troubles)
          .containsOnlyOnce(
              "2 visits that found nothing are not recorded: the writer was closed before another batch");
      failing.clear();
      try (DeltaIndexWriter writer = open(directory, config)) {
        assertThat(writer.explain("page3").orElseThrow().refreshes()).hasSize(1);
      }
    }
  }

  @Test
  void visitsForWhichNoFileCanBeWrittenAreReported() throws Exception {
    DeltaConfig config = settings().batchHeap(4_000).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      Path inTheWay = visitAllWithoutAFile(writer, config);
      writer.commit();

      assertThat(troubles).hasSize(1);
      assertThat(troubles.get(0))
          .startsWith("10 visits that found nothing are not recorded: beyond 0 of this batch")
          .contains("make room on its disk, or commit more often");
      assertThat(kinds).containsExactly(Trouble.LOST);
      assertThat(writer.explain("page8").orElseThrow().refreshes()).hasSize(1);
      visitAll(writer);
      writer.commit();
      assertThat(troubles).hasSize(1);
      assertThat(writer.explain("page8").orElseThrow().refreshes()).hasSize(2);
      Files.delete(inTheWay.resolve("full"));
      Files.delete(inTheWay);
    }
  }

  @Test
  void visitsForWhichNoFileCanBeWrittenAreReportedThoughTheirBatchCannotBeBegun() throws Exception {
    DeltaConfig config = settings().batchHeap(4_000).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, config)) {
      Path inTheWay = visitAllWithoutAFile(writer, config);
      armed = FaultPoints.BEGIN;
      writer.commit();
      armed = null;
      assertThat(troubles).hasSize(2);
      assertThat(troubles.get(0)).startsWith("10 visits that found nothing are not recorded");
      assertThat(kinds).containsExactly(Trouble.LOST, Trouble.RETRIED);
      Files.delete(inTheWay.resolve("full"));
      Files.delete(inTheWay);
    }
  }

  /** All are indexed and visited, and one more is put; the folder that is in the way is given. */
  private Path visitAllWithoutAFile(DeltaIndexWriter writer, DeltaConfig config) throws Exception {
    indexAll(writer, config);
    Path inTheWay = folder.resolve("index.delta/heard_0.map");
    Files.createDirectories(inTheWay.resolve("full"));
    visitAll(writer);
    put(writer, config, "new", "alpha", 2);
    return inTheWay;
  }

  private static void indexAll(DeltaIndexWriter writer, DeltaConfig config) throws Exception {
    for (int page = 0; page < PAGES; page++) {
      put(writer, config, "page" + page, "alpha", 1);
    }
    writer.commit();
  }

  private static void visitAll(DeltaIndexWriter writer) {
    for (int page = 0; page < PAGES; page++) {
      writer.recordUnchanged("page" + page, week(2));
    }
  }

  private List<Path> stateFiles(String prefix) throws Exception {
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      return files.filter(file -> file.getFileName().toString().startsWith(prefix)).toList();
    }
  }

  /** What the histories must be: the times of every page's refreshes, the latest first. */
  private static final class Expected {
    final Map<String, List<Instant>> refreshes = new TreeMap<>();
    final Set<String> present = new HashSet<>();

    void indexed(String page, Instant time) {
      refreshes.computeIfAbsent(page, p -> new ArrayList<>()).add(0, time);
      present.add(page);
    }

    void unchanged(String page, Instant time) {
      if (present.contains(page) && time.isAfter(refreshes.get(page).get(0))) {
        refreshes.get(page).add(0, time);
      }
    }
  }

  private enum Act {
    INDEX,
    DELETE,
    VISIT,
    VISIT_AND_INDEX,
    NOTHING
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void historiesHoldEveryCommittedVisitOnce(long seed) throws Exception {
    Random random = new Random(seed);
    DeltaConfig config = config();
    Expected expected = new Expected();
    Map<String, Instant> waiting = new HashMap<>(); // visits that a fault kept back
    try (Directory directory = FSDirectory.open(folder.resolve("seed" + seed))) {
      DeltaIndexWriter writer = open(directory, config);
      for (int week = 0; week < 16; week++) {
        Map<String, Act> acts = acts(random, week);
        for (Map.Entry<String, Act> act : acts.entrySet()) {
          perform(writer, config, act.getKey(), act.getValue(), week, random);
        }
        boolean fault = week > 0 && random.nextInt(6) == 0;
        armed = fault ? FaultPoints.VISITS : null;
        int end = random.nextInt(6);
        if (end == 0) {
          writer.rollback();
          waiting.clear();
        } else {
          writer.commit();
          settle(expected, acts, waiting, week, fault);
        }
        armed = null;
        if (end == 1 && waiting.isEmpty()) {
          writer.close();
        } else if (end == 2) {
          writer.rebuild();
        }
        writer = writer.isOpen() ? writer : open(directory, config);
        compare(writer, expected, "seed " + seed + ", week " + week);
      }
      writer.close();
    }
  }

  private static Map<String, Act> acts(Random random, int week) {
    Map<String, Act> acts = new TreeMap<>();
    for (int page = 0; page < PAGES; page++) {
      Act act = Act.values()[random.nextInt(Act.values().length)];
      acts.put("p" + page, week == 0 ? Act.INDEX : act);
    }
    return acts;
  }

  private static void perform(
      DeltaIndexWriter writer, DeltaConfig config, String page, Act act, int week, Random random)
      throws Exception {
    switch (act) {
      case INDEX ->
          put(writer, config, page, "alpha beta" + " gamma".repeat(random.nextInt(3)), week);
      case DELETE -> writer.deleteDocuments(new Term("url", page));
      case VISIT -> writer.recordUnchanged(page, week(week));
      case VISIT_AND_INDEX -> {
        writer.recordUnchanged(page, week(week).minusSeconds(60));
        put(writer, config, page, "alpha", week);
      }
      case NOTHING -> {}
    }
  }

  private static void settle(
      Expected expected,
      Map<String, Act> acts,
      Map<String, Instant> waiting,
      int week,
      boolean fault) {
    acts.forEach(
        (page, act) -> {
          if (act == Act.VISIT) {
            waiting.put(page, week(week));
          } else if (act == Act.VISIT_AND_INDEX) {
            waiting.put(page, week(week).minusSeconds(60));
          }
        });
    if (!fault) {
      waiting.forEach(
          (page, time) -> {
            if (acts.get(page) != Act.INDEX && acts.get(page) != Act.VISIT_AND_INDEX) {
              expected.unchanged(page, time);
            }
          });
      waiting.clear();
    }
    acts.forEach(
        (page, act) -> {
          if (act == Act.INDEX || act == Act.VISIT_AND_INDEX) {
            expected.indexed(page, week(week));
          } else if (act == Act.DELETE) {
            expected.present.remove(page);
          }
        });
  }

  private static void compare(DeltaIndexWriter writer, Expected expected, String what)
      throws Exception {
    for (int number = 0; number < PAGES; number++) {
      String page = "p" + number;
      List<Instant> times =
          writer.explain(page).map(PageExplanation::refreshes).orElse(List.of()).stream()
              .map(MeasuredRefresh::fetched)
              .toList();
      assertThat(times)
          .as("%s, %s", what, page)
          .isEqualTo(expected.refreshes.getOrDefault(page, List.of()));
    }
    writer.withHistories(
        pages ->
            expected.present.forEach(
                page ->
                    assertThat(pages.of(page).orElseThrow().lastRefresh())
                        .as("%s, %s", what, page)
                        .isEqualTo(expected.refreshes.get(page).get(0))));
  }
}
