// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TieredMergePolicy;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a writer between the first step of a commit and its last. */
class AskedDuringACommitTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final int MANY = 10_000;

  /** Calls after which it is clear that they would not end. */
  private static final int ENOUGH = 20;

  private interface Question {
    Object ask() throws IOException;
  }

  private interface Call {
    void run() throws IOException;
  }

  private final Directory index = new ByteBuffersDirectory();
  private final AtomicReference<Question> asked = new AtomicReference<>();
  private final AtomicReference<Call> onMeasured = new AtomicReference<>();
  private final AtomicReference<Call> onProgress = new AtomicReference<>();
  private final AtomicReference<Call> onTrouble = new AtomicReference<>();
  private final AtomicReference<Call> onPoint = new AtomicReference<>();
  private final AtomicReference<Call> onMerge = new AtomicReference<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final List<String> troubles = new ArrayList<>();
  private String progressing = "";
  private String askedAt = ""; // a fault point
  private volatile boolean broken;
  private volatile boolean ranksLack; // room on the disk
  @TempDir Path folder;
  private DeltaIndexWriter writer;
  private Instant now = START;
  private boolean stuck;

  @BeforeEach
  void indexOnce() throws IOException {
    writer = open();
    update("alpha");
    writer.commit();
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .clock(() -> now)
            .listener(new AskingListener())
            .faults(this::reached)
            .stateDirectory(NoRoomForRanks::new)
            .build();
    IndexWriterConfig settings =
        new IndexWriterConfig(new WhitespaceAnalyzer()).setMergePolicy(new AskingMergePolicy());
    return new DeltaIndexWriter(index, settings, config);
  }

  /** Is asked by Lucene when it has read a commit's data and before that is measured. */
  private final class AskingMergePolicy extends FilterMergePolicy {
    AskingMergePolicy() {
      super(new TieredMergePolicy());
    }

    @Override
    public MergeSpecification findFullFlushMerges(
        MergeTrigger trigger, SegmentInfos infos, MergeContext context) throws IOException {
      run(onMerge);
      return super.findFullFlushMerges(trigger, infos, context);
    }
  }

  private final class NoRoomForRanks extends FilterDirectory {
    NoRoomForRanks(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (ranksLack && name.startsWith(StateFiles.RANKS)) {
        throw new IOException("no space left on device");
      }
      return in.createOutput(name, context);
    }
  }

  private void reached(String point) {
    if (point.equals(askedAt)) {
      askedAt = "";
      run(onPoint);
    }
    if (broken && (point.equals(FaultPoints.SETTLE) || point.equals(FaultPoints.STORE))) {
      throw new IllegalStateException("broken on purpose");
    }
  }

  /** A writer whose commit never ends cannot be closed either. */
  @AfterEach
  void close() throws IOException {
    if (!stuck) {
      writer.close();
      index.close();
    }
  }

  private void update(String body) throws IOException {
    now = now.plus(Duration.ofDays(1));
    for (int page = 0; page < 5; page++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + page, Field.Store.NO));
      document.add(new TextField("body", body + " word".repeat(page), Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + page), document);
    }
  }

  @Test
  void rebuildingLosesNothingOfTheBatchThatIsUnderWay() throws IOException {
    update("alpha alpha beta");
    writer.recordUnchanged("p9", now);
    writer.prepareCommit();
    writer.rebuild();
    writer.commit();
    assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
    assertThat(folder.resolve("batch_2")).exists();
    update("alpha");
    writer.commit();
    assertThat(writer.explain("p1").orElseThrow().refreshes())
        .hasSize(3)
        .extracting(MeasuredRefresh::measured)
        .containsExactly(true, true, false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"nextPages", "take", "fetchQueue"})
  void aListenerAsksWhileAnotherThreadDoes(String what) throws Exception {
    FetchQueue queue = what.equals("take") ? writer.fetchQueue(Duration.ofDays(1)) : null;
    Question question =
        switch (what) {
          case "take" -> () -> queue.take(1);
          case "fetchQueue" -> () -> writer.fetchQueue(Duration.ofDays(1));
          default -> () -> writer.nextPages(3);
        };
    asked.set(question);
    update("beta alpha");
    stuck = true;
    CompletableFuture.runAsync(this::commit, Elsewhere.THREADS).get(60, TimeUnit.SECONDS);
    stuck = false;
    assertThat(failure).hasValue(null);
    assertThat(asked).as("the listener was called").hasValue(null);
  }

  @Test
  void aListenerAsksOfABatchThatIsReadBackFromTheIndex() throws IOException {
    List<Integer> pages = new ArrayList<>();
    onMeasured.set(() -> pages.add(Math.toIntExact(writer.status().pages())));
    update("alpha alpha");
    importOne();
    writer.commit();
    assertThat(writer.status().pages()).isEqualTo(6);
    assertThat(pages).containsExactly(6);
    assertThat(troubles).isEmpty();
    assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
  }

  /** The first queue after the index went back is compared with what was settled. */
  @Test
  void aListenerAsksForTheQueueForWhichABatchIsSettled() throws IOException {
    List<FetchQueue> heard = new ArrayList<>();
    onMeasured.set(() -> heard.add(writer.fetchQueue(Duration.ofDays(9))));
    update("alpha alpha");
    importOne(); // so that the next question settles the batch
    writer.commit();
    Files.createFile(folder.resolve("went_back"));
    FetchQueue queue = writer.fetchQueue(Duration.ofDays(9));
    assertThat(heard).singleElement().isSameAs(queue);
    assertThat(failure).hasValue(null);
  }

  @Test
  void whatAQueueRemembersCountsHoweverLateItIsOpened() throws IOException {
    FetchQueue queue = writer.fetchQueue(Duration.ofDays(9));
    queue.modified("p1", now);
    queue.take(0);
    queue.modified("p1", now.plus(Duration.ofDays(5)));
    writer.close();
    writer = open();
    onMeasured.set(() -> writer.fetchQueue(Duration.ofDays(9)));
    update("alpha alpha");
    importOne(); // so that the next question settles the batch
    writer.commit();
    Instant later = now.plus(Duration.ofDays(9));
    List<PagePriority> order = writer.nextPages(9, later);
    List<PagePriority> again = writer.nextPages(9, later);
    onMeasured.set(null);
    writer.close();
    writer = open();
    assertThat(writer.nextPages(9, later)).as("without the queue").isNotEqualTo(order);
    writer.fetchQueue(Duration.ofDays(9));
    assertThat(writer.nextPages(9, later)).as("opened afterwards").isEqualTo(order);
    assertThat(again).isEqualTo(order);
    assertThat(failure).hasValue(null);
  }

  /** On a full disk, say: there is no room for what orders the pages. */
  @Test
  void whatAListenerReportsIsKeptIfTheQuestionFailsDuringWhichItWasTold() throws IOException {
    FetchQueue queue = writer.fetchQueue(Duration.ofDays(9));
    onMeasured.set(() -> queue.gone("p1"));
    update("alpha alpha");
    importOne(); // so that the next question settles the batch
    writer.commit();
    for (int number = 0; number < 20; number++) { // of whichever store is built then
      Files.createDirectories(columns(number).resolve("in the way"));
    }
    assertThatThrownBy(() -> queue.take(9)).isInstanceOf(IOException.class);
    for (int number = 0; number < 20; number++) {
      IOUtils.rm(columns(number));
    }
    now = now.plus(Duration.ofDays(1));
    assertThat(queue.take(9)).hasSize(5).doesNotContain("p1");
    assertThat(failure).hasValue(null);
  }

  @Test
  void aListenerAsksForPagesWhenItHearsThatTheirOrderCannotBeRead() throws IOException {
    writer.nextPages(5);
    writer.close();
    Files.write(OrderColumns.in(folder), new byte[] {1, 2, 3});
    List<Integer> pages = new ArrayList<>();
    onTrouble.set(
        () -> {
          if (troubles.size() < ENOUGH) {
            pages.add(writer.nextPages(5, now.plusSeconds(1)).size());
          }
        });
    writer = open();
    assertThat(writer.nextPages(5, now.plusSeconds(1))).hasSize(5);
    assertThat(troubles)
        .containsExactly("what orders the pages cannot be read and is made anew when needed");
    assertThat(pages).containsExactly(5);
    assertThat(failure).hasValue(null);
  }

  @Test
  void aListenerRebuildsWhenItHearsThatTheOrderOfPagesCannotBeRead() throws IOException {
    writer.nextPages(5);
    writer.close();
    Files.write(OrderColumns.in(folder), new byte[] {1, 2, 3});
    onTrouble.set(() -> writer.rebuild());
    writer = open();
    assertThat(writer.nextPages(5, now.plusSeconds(1))).hasSize(5);
    assertThat(troubles)
        .containsExactly("what orders the pages cannot be read and is made anew when needed");
    assertThat(failure).hasValue(null);
    assertThat(writer.nextPages(5, now.plusSeconds(2))).hasSize(5);
  }

  @Test
  void aListenerThatAlwaysRebuildsIsRefusedWhenItHearsOfItsOwnRebuilding() throws IOException {
    onTrouble.set(
        () -> {
          if (troubles.size() < ENOUGH) {
            writer.rebuild();
          }
        });
    ranksLack = true;
    writer.rebuild();
    assertThat(troubles).singleElement().asString().contains("could not be written");
    assertThat(failure.get())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("being built anew, or read");
    ranksLack = false;
    writer.rebuild();
    assertThat(writer.measurer().ranks()).isNotNull();
  }

  /** What users get from pages is found page by page, in the store that rebuilding replaces. */
  @Test
  void aListenerRebuildsWhilePagesAreGoneThroughAndIsRefused() throws IOException {
    importPages(MANY);
    writer.commit();
    writer.status();
    List<Throwable> answers = new ArrayList<>();
    onProgress.set(
        () -> {
          assertThat(writer.nextPages(3)).hasSize(3);
          answers.add(catchThrowable(writer::rebuild));
        });
    update("alpha alpha");
    writer.commit();
    assertThat(answers)
        .singleElement()
        .isInstanceOfSatisfying(
            IllegalStateException.class, e -> assertThat(e).hasMessageContaining("built anew"));
    assertThat(troubles).isEmpty();
    assertThat(failure).hasValue(null);
  }

  @Test
  void aMergePolicyLooksAtTheCommitDataAndTheBatchIsMeasured() throws IOException {
    List<String> seen = new ArrayList<>();
    onMerge.set(
        () -> {
          for (Map.Entry<String, String> entry : writer.getLiveCommitData()) {
            seen.add(entry.getKey() + "=" + entry.getValue());
          }
        });
    update("alpha alpha");
    writer.commit();
    assertThat(seen).contains(BatchNames.GENERATION + "=2");
    assertThat(writer.status().batchesIncomplete()).isZero();
    assertThat(writer.status().batchesMeasured()).isEqualTo(2);
    assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
    assertThat(troubles).isEmpty();
  }

  private Path columns(long number) {
    return OrderFile.columns(folder, number);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aListenerAsksWhilePagesAreReadAndNoBatchCountsTwice(boolean rebuilding) throws IOException {
    manyMore(); // so that progress is told
    writer.commit();
    List<Throwable> answers = new ArrayList<>();
    List<DeltaStatus> stood = new ArrayList<>();
    onProgress.set(
        () -> {
          if (progressing.equals("reading pages from the index")) {
            stood.add(writer.status());
            answers.add(catchThrowable(() -> writer.nextPages(10)));
          }
        });
    update("alpha alpha");
    if (rebuilding) {
      writer.commit();
      writer.rebuild();
    } else {
      importOne();
      writer.commit();
      writer.status();
    }
    assertThat(stood).extracting(DeltaStatus::pages).containsExactly(5L + MANY);
    assertThat(stood).extracting(DeltaStatus::batchesIncomplete).containsExactly(0L);
    assertThat(stood).extracting(DeltaStatus::lastIncomplete).containsExactly("");
    assertThat(answers)
        .singleElement()
        .isInstanceOfSatisfying(
            IllegalStateException.class,
            e -> assertThat(e).hasMessageContaining("ask when batchMeasured is called"));
    assertThat(troubles).isEmpty();
    assertThat(writer.status().batchesMeasured()).isEqualTo(3);
    assertThat(writer.explain("p1").orElseThrow().refreshes()).hasSize(2);
  }

  @Test
  void aListenerAsksForTheStatusWhenItHearsThatACommitCannotBeSettled() throws IOException {
    List<DeltaStatus> stood = new ArrayList<>();
    onTrouble.set(() -> stood.add(writer.status()));
    update("alpha alpha");
    broken = true;
    writer.commit();
    writer.status();
    broken = false;
    assertThat(troubles).first().asString().startsWith("what users get from pages");
    assertThat(troubles.subList(1, troubles.size()))
        .hasSize(3) // when committed, of the listener's question then, of the one that follows
        .allSatisfy(t -> assertThat(t).contains("could not be settled yet"));
    assertThat(failure).hasValue(null);
    assertThat(stood).hasSize(4).first().extracting(DeltaStatus::batchesIncomplete).isEqualTo(0L);
    assertThat(stood.subList(1, 4))
        .allSatisfy(status -> assertThat(status.pages()).isEqualTo(5))
        .allSatisfy(status -> assertThat(status.batchesIncomplete()).isEqualTo(1))
        .allSatisfy(
            status ->
                assertThat(status.lastIncomplete())
                    .startsWith("the last commit could not be settled yet"));
    onTrouble.set(null);
    assertThat(writer.status().batchesMeasured()).isEqualTo(2);
  }

  /** Else they would be replaced by others while some are measured. */
  @Test
  void aListenerWhoHearsOfMeasuringDoesNotMakeItsPagesBeReadBack() throws IOException {
    broken = true;
    manyMore();
    writer.commit(); // cannot be settled: it is known of no page what there is
    List<Throwable> answers = new ArrayList<>();
    List<DeltaStatus> stood = new ArrayList<>();
    onProgress.set(
        () -> {
          if (progressing.equals("measuring pages")) {
            stood.add(writer.status());
            broken = false;
            answers.add(catchThrowable(() -> writer.nextPages(10)));
            answers.add(catchThrowable(writer::rebuild));
            broken = true;
          }
        });
    manyMore();
    writer.commit();
    broken = false;
    assertThat(answers)
        .hasSize(2)
        .allSatisfy(
            e ->
                assertThat(e)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("being measured"));
    assertThat(failure).hasValue(null);
    assertThat(stood).extracting(DeltaStatus::batchesIncomplete).containsExactly(1L);
    assertThat(stood.get(0).lastIncomplete()).startsWith("the batch before could not be settled");
    onProgress.set(null);
    assertThat(writer.status().pages()).isEqualTo(5 + MANY);
  }

  @Test
  void aListenerWhoHearsOfMeasuringAsksForPagesAndMayNotRebuildThem() throws IOException {
    manyMore();
    writer.commit();
    List<Throwable> answers = new ArrayList<>();
    onProgress.set(
        () -> {
          if (progressing.equals("measuring pages")) {
            assertThat(writer.nextPages(10)).hasSize(10);
            assertThat(writer.status().generation()).isEqualTo(2);
            answers.add(catchThrowable(writer::rebuild));
          }
        });
    now = now.plus(Duration.ofDays(1));
    manyMore();
    writer.commit();
    assertThat(failure).hasValue(null);
    assertThat(answers)
        .singleElement()
        .isInstanceOfSatisfying(
            IllegalStateException.class, e -> assertThat(e).hasMessageContaining("being measured"));
    assertThat(writer.status().batchesMeasured()).isEqualTo(3);
    assertThat(writer.status().batchesIncomplete()).isZero();
    assertThat(troubles).isEmpty();
  }

  /** Building rank functions takes minutes in a large index: who looks then wants an answer. */
  @ParameterizedTest
  @CsvSource({
    "rebuild,build ranks",
    "nextPages,build ranks",
    "commit,build ranks",
    "commit,measure batch",
    "commit,settle batch",
    "question,before writing manifest"
  })
  void anotherThreadHearsAtOnceHowMeasuringStoodBefore(String what, String point)
      throws IOException {
    if (!what.equals("nextPages") && !point.equals(FaultPoints.RANKS)) {
      writer.rebuild();
    }
    if (what.equals("question")) { // settles what a commit could not
      broken = true;
      update("alpha alpha");
      writer.commit();
      broken = false;
    }
    DeltaStatus stood = what.equals("question") ? null : writer.status();
    AtomicReference<DeltaStatus> heard = new AtomicReference<>();
    onPoint.set(() -> Elsewhere.take(() -> heard.set(writer.status())));
    askedAt = point;
    switch (what) {
      case "rebuild" -> writer.rebuild();
      case "nextPages" -> assertThat(writer.nextPages(1)).isNotNull();
      case "question" -> assertThat(writer.explain("p1")).isPresent();
      default -> {
        update("beta alpha");
        askedAt = point;
        writer.commit();
      }
    }
    assertThat(failure).hasValue(null);
    assertThat(heard.get().generation()).isEqualTo(1);
    assertThat(writer.status().generation())
        .isEqualTo(stood == null || what.equals("commit") ? 2 : 1);
    if (stood != null) {
      assertThat(heard).hasValue(stood);
    }
  }

  @Test
  void anotherThreadHearsNothingOfACommitThatAQuestionHasSettled() throws IOException {
    broken = true;
    update("alpha alpha");
    writer.commit();
    assertThat(writer.status().lastIncomplete()).contains("could not be settled yet");
    broken = false;
    assertThat(writer.nextPages(1, now.plusSeconds(1))).hasSize(1);
    AtomicReference<DeltaStatus> heard = new AtomicReference<>();
    onPoint.set(() -> Elsewhere.take(() -> heard.set(writer.status())));
    askedAt = FaultPoints.MEASURE;
    update("beta alpha");
    writer.commit();
    assertThat(failure).hasValue(null);
    assertThat(heard.get().generation()).isEqualTo(2);
    assertThat(heard.get().lastIncomplete()).isEmpty();
    assertThat(heard.get().batchesIncomplete()).isZero();
  }

  private void importOne() throws IOException {
    importPages(1);
  }

  private void importPages(int count) throws IOException {
    try (Directory other = new ByteBuffersDirectory()) {
      try (IndexWriter plain =
          new IndexWriter(other, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
        for (int page = 0; page < count; page++) {
          Document document = new Document();
          document.add(new StringField("url", "imported" + page, Field.Store.NO));
          document.add(new TextField("body", "alpha", Field.Store.NO));
          plain.addDocument(document);
        }
      }
      writer.addIndexes(other);
    }
  }

  private void manyMore() throws IOException {
    for (int page = 0; page < MANY; page++) {
      Document document = new Document();
      document.add(new StringField("url", "m" + page, Field.Store.NO));
      writer.updateDocument(new Term("url", "m" + page), document);
    }
  }

  private void commit() {
    try {
      writer.commit();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void run(AtomicReference<Call> call) {
    Call now = call.get();
    if (now != null) {
      try {
        now.run();
      } catch (IOException | RuntimeException | Error e) {
        failure.set(e);
      }
    }
  }

  /** Asks when a batch is measured, after another thread has begun to ask the same and waits. */
  private final class AskingListener implements DeltaListener {
    @Override
    public void batchMeasured(long generation, int refreshes, double qualityChange) {
      run(onMeasured);
      Question question = asked.getAndSet(null);
      if (question == null) {
        return;
      }
      try {
        Thread other = new Thread(() -> answer(question));
        other.setDaemon(true);
        other.start();
        while (other.isAlive() && other.getState() != Thread.State.BLOCKED) {
          Thread.onSpinWait();
        }
        answer(question);
      } catch (RuntimeException e) {
        failure.set(e);
      }
    }

    @Override
    public void progress(String task, long done, long total) {
      progressing = task;
      run(onProgress);
    }

    @Override
    public void trouble(Trouble kind, String sentence, Throwable cause) {
      troubles.add(sentence);
      run(onTrouble);
    }

    private void answer(Question question) {
      try {
        question.ask();
      } catch (IOException | RuntimeException e) {
        failure.set(e);
      }
    }
  }
}
