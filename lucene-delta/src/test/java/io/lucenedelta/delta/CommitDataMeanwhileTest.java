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
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.NoDeletionPolicy;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.InfoStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Commit data that another thread sets while a commit is flushed takes the place of the batch's.
 */
class CommitDataMeanwhileTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private final List<Throwable> causes = new ArrayList<>(); // of these, or null
  private Runnable whileFlushing;
  private Runnable whileDeleting;
  private boolean unsettled; // the next batch to be settled is not
  private boolean unbegun; // the next batch to be begun is not
  private boolean failing; // the next file to be made durable is not
  private boolean unreadable; // the next file of segments is, once
  private IndexDeletionPolicy policy = new KeepOnlyLastCommitDeletionPolicy();
  private boolean earlier; // the next writer is opened on the first commit
  @TempDir Path folder;

  /** What is known of a refresh, but for the number of its batch. */
  private record Known(Instant fetched, Duration interval, double qualityChange) {
    static List<Known> of(DeltaIndexWriter writer) throws IOException {
      return of(writer, "a");
    }

    static List<Known> of(DeltaIndexWriter writer, String page) throws IOException {
      return writer.explain(page).orElseThrow().refreshes().stream()
          .map(r -> new Known(r.fetched(), r.interval(), r.qualityChange()))
          .toList();
    }
  }

  @Test
  void whatTheCommitBroughtIsMeasuredWithTheNextOne() throws IOException {
    List<Known> undisturbed = new ArrayList<>();
    try (DeltaIndexWriter writer = threeCommits("undisturbed", false)) {
      put(writer, "p1", "x", 3);
      writer.commit();
      undisturbed.addAll(Known.of(writer));
    }
    try (DeltaIndexWriter writer = threeCommits("disturbed", true)) {
      DeltaStatus between = writer.status();
      assertThat(between.batchesIncomplete()).isEqualTo(1);
      assertThat(between.lastIncomplete())
          .contains("is measured with the next commit", "set commit data before commit()");
      assertThat(Known.of(writer)).isEqualTo(undisturbed.subList(1, 3));
      put(writer, "p1", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).isEqualTo(undisturbed);
      assertThat(undisturbed.get(0).qualityChange()).isPositive();
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(writer.status().selfAudit().audited())
          .as("the commit before the batch has some of it")
          .isEqualTo(between.selfAudit().audited());
      assertThat(committedData(writer)).containsEntry("app", "1");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void dataSetBeforeTheLastSegmentIsFlushedChangesNothing() throws IOException {
    try (DeltaIndexWriter writer = twoCommits("index")) {
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      whileFlushing = () -> addCommitData(writer);
      writer.commit();
      assertThat(whileFlushing).as("the other thread ran").isNull();
      assertThat(committedData(writer))
          .containsEntry("app", "1")
          .containsEntry(BatchNames.GENERATION, "3");
      assertThat(writer.status().batchesMeasured()).isEqualTo(3);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatTheCommitBroughtIsMeasuredWithTheNextOneThoughItCouldNotBeLookedAt() throws IOException {
    List<Known> undisturbed = new ArrayList<>();
    try (DeltaIndexWriter writer = threeCommits("undisturbed", false)) {
      undisturbed.addAll(Known.of(writer));
    }
    unreadable = true;
    try (DeltaIndexWriter writer = threeCommits("disturbed", true)) {
      assertThat(unreadable).as("the commit could not be read").isFalse();
      put(writer, "p1", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).isEqualTo(undisturbed);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).singleElement().asString().contains("could not be settled yet");
  }

  @Test
  void itIsMeasuredWithTheNextOneThoughThatIsSettledFromTheIndex() throws IOException {
    try (DeltaIndexWriter writer = threeCommits("disturbed", true)) {
      put(writer, "p1", "x", 3);
      unsettled = true;
      writer.commit();
      assertThat(unsettled).isFalse();
      assertThat(Known.of(writer)).hasSize(3);
      assertThat(Known.of(writer, "p1")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void aPageThatChangesAgainIsMeasuredFromItsLastMeasuredVersion() throws IOException {
    List<Known> inOne = new ArrayList<>();
    try (DeltaIndexWriter writer = twoCommits("in one")) {
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      put(writer, "a", "x", 3);
      writer.commit();
      inOne.addAll(Known.of(writer));
    }
    try (DeltaIndexWriter writer = threeCommits("disturbed", true)) {
      put(writer, "a", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).isEqualTo(inOne);
      assertThat(inOne.get(0).interval()).isEqualTo(Duration.ofDays(14));
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aWriterThatIsClosedMakesTheCommitThatIsMissing() throws IOException {
    List<Known> undisturbed = new ArrayList<>();
    try (DeltaIndexWriter writer = threeCommits("undisturbed", false)) {
      undisturbed.addAll(Known.of(writer));
    }
    threeCommits("disturbed", true).close();
    try (DeltaIndexWriter writer = open("disturbed")) {
      assertThat(Known.of(writer)).isEqualTo(undisturbed);
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(committedData(writer)).containsEntry("app", "1");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void whatIsReadFromTheIndexBeforeItWasMeasuredIsCountedAndTold() throws IOException {
    threeCommits("disturbed", true).rollback();
    assertThat(troubles).singleElement().asString().contains("before another commit");
    try (DeltaIndexWriter writer = open("disturbed")) {
      DeltaStatus status = writer.status();
      assertThat(status.batchesIncomplete()).isEqualTo(1);
      assertThat(status.lastIncomplete()).contains("before another commit could measure it");
      put(writer, "a", "alpha", 3);
      writer.commit();
      assertThat(Known.of(writer)).hasSize(3);
      assertThat(Known.of(writer).get(0).interval())
          .as("since what was read")
          .isEqualTo(Duration.ofDays(7));
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
  }

  @Test
  void aRebuildOrARankFunctionBuiltInBetweenLosesNothing() throws IOException {
    try (DeltaIndexWriter writer = threeCommits("disturbed", true)) {
      writer.rebuild();
      assertThat(writer.measurer().ranksFollow()).as("they have what is not measured").isFalse();
      put(writer, "p1", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).hasSize(3);
      assertThat(Known.of(writer).get(0).qualityChange()).isPositive();
      put(writer, "p1", "alpha", 4);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void rankFunctionsThatAreBuiltBeforeTheCommitIsMeasuredAreBuiltOnceMore() throws IOException {
    try (DeltaIndexWriter writer = open("disturbed")) {
      put(writer, "a", "alpha", 0);
      put(writer, "p1", "alpha alpha", 0);
      writer.commit();
      put(writer, "a", "alpha alpha alpha", 1);
      whileDeleting = () -> addCommitData(writer);
      writer.commit();
      assertThat(writer.nextPages(2)).hasSize(2);
      assertThat(writer.measurer().ranks()).as("of an index ahead of the pages").isNull();
      put(writer, "p1", "x", 2);
      writer.commit();
      assertThat(Known.of(writer)).hasSize(2);
      assertThat(writer.measurer().ranksFollow()).as("told twice of one page").isFalse();
      put(writer, "p1", "alpha", 3);
      writer.commit();
      assertThat(writer.status().batchesIncomplete()).isZero();
      assertThat(writer.measurer().ranksFollow()).isTrue();
    }
    assertThat(troubles).isEmpty();
  }

  private DeltaIndexWriter failedAndDisturbed(boolean nameKept) throws IOException {
    DeltaIndexWriter writer = twoCommits("disturbed");
    failAndDisturb(writer, nameKept);
    return writer;
  }

  /** A batch whose own commit fails, then one of data set meanwhile. */
  private void failAndDisturb(DeltaIndexWriter writer, boolean nameKept) throws IOException {
    put(writer, "a", "alpha alpha alpha alpha alpha", 2);
    failing = true;
    assertThatThrownBy(writer::commit).hasMessage("injected");
    put(writer, "p1", "alpha alpha alpha", 2);
    whileDeleting =
        () -> {
          if (nameKept) {
            addCommitData(writer);
          } else {
            writer.setLiveCommitData(
                Map.of(BatchNames.STATE, stateId(writer), "app", "1").entrySet());
          }
        };
    writer.commit();
    assertThat(whileDeleting).as("the other thread ran").isNull();
  }

  private static String stateId(DeltaIndexWriter writer) {
    for (Map.Entry<String, String> entry : writer.getLiveCommitData()) {
      if (entry.getKey().equals(BatchNames.STATE)) {
        return entry.getValue();
      }
    }
    throw new AssertionError("the commits name no state");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAFailedCommitWouldHaveBroughtIsMeasuredWithTheNextOneToo(boolean nameKept)
      throws IOException {
    List<Known> undisturbed = new ArrayList<>();
    List<Known> undisturbedOther = new ArrayList<>();
    try (DeltaIndexWriter writer = twoCommits("undisturbed")) {
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      put(writer, "p1", "alpha alpha alpha", 2);
      writer.commit();
      undisturbed.addAll(Known.of(writer));
      undisturbedOther.addAll(Known.of(writer, "p1"));
    }
    try (DeltaIndexWriter writer = failedAndDisturbed(nameKept)) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(writer.status().lastIncomplete()).contains("is measured with the next commit");
      put(writer, "p2", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).isEqualTo(undisturbed);
      assertThat(Known.of(writer, "p1")).isEqualTo(undisturbedOther);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void whatAFailedCommitWouldHaveBroughtIsCountedIfItIsReadFirst(boolean nameKept)
      throws IOException {
    failedAndDisturbed(nameKept).rollback();
    try (DeltaIndexWriter writer = open("disturbed")) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(Known.of(writer)).hasSize(nameKept ? 3 : 2); // what was measured has that name
      assertThat(Known.of(writer, "p1")).hasSize(1);
      PageEntry entry = new PageEntry();
      assertThat(writer.measurer().page(new BytesRef("a"), entry)).isTrue();
      entry.vector.rewind();
      assertThat(entry.vector.next()).isTrue();
      assertThat(entry.vector.frequency()).isEqualTo(5);
      put(writer, "p1", "alpha", 3);
      writer.commit();
      assertThat(Known.of(writer, "p1").get(0).interval())
          .as("since what was read")
          .isEqualTo(Duration.ofDays(7));
    }
  }

  @Test
  void whatIsMeasuredWithTheNextOneIsNoBatchThatCouldNotBeBegunThoughOneBeforeItWas()
      throws IOException {
    try (DeltaIndexWriter writer = twoCommits("disturbed")) {
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      unbegun = true;
      writer.commit();
      assertThat(unbegun).isFalse();
      put(writer, "p1", "alpha alpha alpha", 3);
      whileDeleting = () -> addCommitData(writer);
      writer.commit();
      assertThat(whileDeleting).as("the other thread ran").isNull();
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      put(writer, "p2", "x", 4);
      writer.commit();
      assertThat(Known.of(writer)).hasSize(3);
      assertThat(Known.of(writer, "p1")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
  }

  @Test
  void whatIsReadBeforeItIsMeasuredIsNotComparedWithItselfLater() throws IOException {
    try (DeltaIndexWriter writer = twoCommits("disturbed")) {
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      unsettled = true;
      writer.commit();
      put(writer, "p1", "alpha alpha alpha", 2);
      whileDeleting = () -> addCommitData(writer);
      writer.commit();
      put(writer, "p2", "x", 3);
      writer.commit();
      assertThat(unsettled).isFalse();
      assertThat(Known.of(writer, "p1")).hasSize(1);
      assertThat(Known.of(writer, "p2")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(2);
    }
  }

  /** Until then a queue is not written: that of the later commits would count again. */
  @Test
  void aCommitToAnEarlierOneLeavesItForGoodThoughItNamesNoBatch() throws IOException {
    policy = NoDeletionPolicy.INSTANCE;
    twoCommits("index").close();
    earlier = true;
    try (DeltaIndexWriter writer = open("index")) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
      queue.discovered("new");
      queue.save();
      assertThat(folder.resolve("index.delta/queue_1")).doesNotExist();
      put(writer, "a", "alpha alpha alpha alpha alpha", 2);
      whileDeleting = () -> addCommitData(writer);
      writer.commit();
      assertThat(whileDeleting).as("the other thread ran").isNull();
      queue.save();
      assertThat(folder.resolve("index.delta/queue_1")).exists();
      put(writer, "p1", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).as("not compared with itself").hasSize(1);
      assertThat(Known.of(writer, "p1")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(troubles).singleElement().asString().contains("before another commit");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aCommitToAnEarlierOneLeavesItForGoodThoughABatchWasMeasuredWhoseCommitFailed(
      boolean nameKept) throws IOException {
    policy = NoDeletionPolicy.INSTANCE;
    twoCommits("index").close();
    earlier = true;
    try (DeltaIndexWriter writer = open("index")) {
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
      queue.discovered("new");
      failAndDisturb(writer, nameKept);
      queue.save();
      assertThat(folder.resolve("index.delta/queue_1")).exists();
      put(writer, "p2", "x", 3);
      writer.commit();
      assertThat(Known.of(writer)).as("not compared with itself").hasSize(1);
      assertThat(Known.of(writer, "p1")).hasSize(1);
      assertThat(Known.of(writer, "p2")).hasSize(2);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      assertThat(troubles).singleElement().asString().contains("before another commit");
    }
    earlier = false;
    try (DeltaIndexWriter writer = open("index")) {
      assertThat(Known.of(writer, "p2")).hasSize(2);
    }
  }

  @Test
  void whyACommitToAnEarlierOneCouldNotBeReadIsToldThoughNothingCanBeWrittenEither()
      throws IOException {
    policy = NoDeletionPolicy.INSTANCE;
    twoCommits("index").close();
    earlier = true;
    DeltaIndexWriter writer = open("index");
    put(writer, "a", "alpha alpha alpha alpha alpha", 2);
    whileDeleting = () -> addCommitData(writer);
    unreadable = true;
    Path inTheWay = folder.resolve("index.delta/pending_delta/in_the_way");
    Files.createDirectories(inTheWay);
    writer.commit();
    assertThat(unreadable).as("the commit could not be read").isFalse();
    assertThat(causes)
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause).hasMessage("injected");
              assertThat(cause.getSuppressed())
                  .singleElement()
                  .asString()
                  .contains("pending_delta");
            });
    Files.delete(inTheWay);
    writer.close();
  }

  private DeltaIndexWriter twoCommits(String place) throws IOException {
    DeltaIndexWriter writer = open(place);
    for (int page = 0; page < 20; page++) {
      put(writer, "p" + page, "alpha ".repeat(page % 5 + 1) + "x ".repeat(page), 0);
    }
    put(writer, "a", "alpha", 0);
    writer.commit();
    put(writer, "a", "alpha alpha", 1);
    writer.commit();
    return writer;
  }

  private DeltaIndexWriter threeCommits(String place, boolean disturbed) throws IOException {
    DeltaIndexWriter writer = twoCommits(place);
    put(writer, "a", "alpha alpha alpha alpha alpha", 2);
    if (disturbed) {
      whileDeleting = () -> addCommitData(writer);
    }
    writer.commit();
    assertThat(whileDeleting).as("the other thread ran").isNull();
    return writer;
  }

  private static void addCommitData(DeltaIndexWriter writer) {
    Map<String, String> data = new HashMap<>();
    writer.getLiveCommitData().forEach(e -> data.put(e.getKey(), e.getValue()));
    data.put("app", "1");
    writer.setLiveCommitData(data.entrySet());
  }

  private static Map<String, String> committedData(DeltaIndexWriter writer) throws IOException {
    return SegmentInfos.readLatestCommit(writer.getDirectory()).getUserData();
  }

  private DeltaIndexWriter open(String place) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 2).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .selfAudit(30, Duration.ofHours(1))
            .faults(this::reached)
            .listener(
                new DeltaListener() {
                  @Override
                  public void trouble(Trouble kind, String sentence, Throwable cause) {
                    troubles.add(sentence);
                    causes.add(cause);
                  }
                })
            .build();
    IndexWriterConfig writer =
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setIndexDeletionPolicy(policy)
            .setInfoStream(new Deleting());
    Directory directory = new Watched(FSDirectory.open(folder.resolve(place)));
    if (earlier) {
      writer.setIndexCommit(DirectoryReader.listCommits(directory).get(0));
    }
    return new DeltaIndexWriter(directory, writer, config);
  }

  private void reached(String point) {
    if (unbegun && point.equals(FaultPoints.BEGIN)) {
      unbegun = false;
      throw new IllegalStateException("injected");
    }
    if (unsettled && point.equals(FaultPoints.SETTLE)) {
      unsettled = false;
      throw new IllegalStateException("injected");
    }
  }

  private static void put(DeltaIndexWriter writer, String page, String body, int week)
      throws IOException {
    Instant fetched = START.plus(Duration.ofDays(7L * week));
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(new StringField("fetched", fetched.toString(), Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  /** Has another thread do something once while a flush is written; fails once when told. */
  private final class Watched extends FilterDirectory {
    Watched(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      Runnable other = whileFlushing;
      whileFlushing = null;
      run(other);
      return super.createOutput(name, context);
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      if (unreadable && whileDeleting == null && name.startsWith("segments_3")) {
        unreadable = false;
        throw new IOException("injected");
      }
      return super.openInput(name, context);
    }

    @Override
    public void sync(Collection<String> names) throws IOException {
      if (failing) {
        failing = false;
        throw new IOException("injected");
      }
      super.sync(names);
    }
  }

  /** Has another thread do something once when deletions are applied: all has been flushed then. */
  private final class Deleting extends InfoStream {
    @Override
    public boolean isEnabled(String component) {
      return component.equals("IW");
    }

    @Override
    public void message(String component, String message) {
      if (message.startsWith("now apply all deletes")) {
        Runnable other = whileDeleting;
        whileDeleting = null;
        run(other);
      }
    }

    @Override
    public void close() {}
  }

  private static void run(Runnable other) {
    if (other != null) {
      CompletableFuture.runAsync(other, Elsewhere.THREADS).orTimeout(30, TimeUnit.SECONDS).join();
    }
  }
}
