// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A commit of another writer is noticed, however the one before it ended; none of ours is. */
class AnotherWriterTest {
  private static final int PAGES = 40;

  @TempDir private Path folder;
  private Path index;

  private final DeltaConfig.Builder settings =
      DeltaConfig.builder(
              Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 3).build())
          .keyField("url")
          .scoredField("body")
          .fetchTimeField("fetched");

  private static Instant day(int day) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(day));
  }

  /** All pages came on day 0. */
  @BeforeEach
  void indexAll() throws IOException {
    index = folder.resolve("index");
    try (DeltaIndexWriter writer = open()) {
      for (int page = 0; page < PAGES; page++) {
        put(writer, "p" + page, "alpha ".repeat(1 + page % 5) + "word", 0);
      }
      writer.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aPageThatItChangedAfterAKillIsMeasuredFromThenOn(boolean itsOwnData) throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha beta", 1);
      writer.commit();
      writer.nextPages(1); // settles it and finds usefulness
      put(writer, "p5", "alpha beta", 2);
      writer.commit();
      kill();
    }
    plain(itsOwnData, 7, "p3", "p7");
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha", 8);
      put(writer, "p5", "alpha", 8);
      put(writer, "p7", "alpha", 8);
      writer.commit();
      assertThat(intervals(writer, "p3", "p5", "p7")).containsExactly(1L, 6L, 1L);
    }
  }

  /** Lucene keeps the commit data of the last commit, the name of its batch with it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatItChangedIsToldAndCountedOnce(boolean itsOwnData) throws IOException {
    assertThat(readersTroubles()).isEmpty();
    plain(itsOwnData, 7, "p3", "p7");
    assertThat(readersTroubles())
        .singleElement()
        .asString()
        .contains("committed without being measured since batch 1, by another writer");
    List<String> told = new ArrayList<>();
    settings.listener(new Troubles(told));
    try (DeltaIndexWriter writer = open()) {
      DeltaStatus status = writer.status();
      assertThat(status.batchesIncomplete()).isEqualTo(1);
      assertThat(status.lastIncomplete())
          .contains("committed without being measured since batch 1, by another writer");
      assertThat(told)
          .singleElement()
          .asString()
          .contains(
              itsOwnData
                  ? "committed by a writer that does not measure and sets commit data"
                  : status.lastIncomplete());
    }
    assertThat(readersTroubles()).isEmpty();
    told.clear();
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
    assertThat(told).hasSize(itsOwnData ? 1 : 0); // its commit still does not know of them
  }

  /** As of a job at night that merges the index: nothing tells that it changed no page. */
  @Test
  void aCommitThatOnlyMergedCountsLikeAnyOther() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      writer.getConfig().setMergePolicy(NoMergePolicy.INSTANCE);
      put(writer, "p3", "alpha beta", 1);
      writer.commit();
    }
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      writer.forceMerge(1);
    }
    assertThat(readersTroubles())
        .singleElement()
        .asString()
        .contains("by another writer, if only to merge,");
    try (DeltaIndexWriter writer = open()) {
      DeltaStatus status = writer.status();
      assertThat(status.batchesIncomplete()).isEqualTo(1);
      assertThat(status.lastIncomplete()).contains("by another writer, if only to merge,");
    }
  }

  @Test
  void whatUsersGetFromPagesThatItChangedAfterAKillIsFoundAnew() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha alpha alpha alpha", 1);
      writer.commit();
      writer.nextPages(1);
      kill();
    }
    plain(false, 7, "p3");
    double useful;
    try (DeltaIndexWriter writer = open()) {
      useful = usefulness(writer, "p3");
    }
    settings.statePath(folder.resolve("fresh"));
    try (DeltaIndexWriter writer = open()) {
      assertThat(useful).isEqualTo(usefulness(writer, "p3"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"batch", "data", "merge"})
  void aCommitOfTheKilledWriterIsItsOwn(String last) throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha beta", 1);
      writer.commit();
      writer.nextPages(1);
      if (last.equals("data")) {
        writer.setLiveCommitData(Map.of("app", "1").entrySet());
      } else if (last.equals("merge")) {
        writer.forceMerge(1);
      }
      writer.commit();
      kill();
    }
    try (DeltaIndexWriter writer = open()) {
      assertThat(Manifest.read(state()).usefulPages).as("of the pages found").isEqualTo(PAGES);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  /** With the latest commit for its index commit a writer is opened as it is without one. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatItChangedIsNoticedByAWriterThatIsOpenedOnItsCommitByName(boolean commits)
      throws IOException {
    plain(false, 7, "p3");
    List<String> told = new ArrayList<>();
    settings.listener(new Troubles(told));
    try (DeltaIndexWriter writer = openOnLatest()) {
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
      if (commits) {
        writer.setLiveCommitData(Map.of("app", "1").entrySet());
        writer.commit();
      }
    }
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha", 8);
      writer.commit();
      assertThat(intervals(writer, "p3")).containsExactly(1L);
      assertThat(writer.status().batchesIncomplete()).isEqualTo(1);
    }
    assertThat(told)
        .singleElement()
        .asString()
        .contains("committed without being measured since batch 1, by another writer");
  }

  /** Be it one that was opened on the index's latest commit, or anew over the index. */
  @ParameterizedTest
  @ValueSource(strings = {"latest", "create"})
  void aFirstCommitWithoutABatchIsItsWritersOwn(String from) throws IOException {
    List<String> told = new ArrayList<>();
    settings.listener(new Troubles(told));
    IndexWriterConfig config = new IndexWriterConfig(new WhitespaceAnalyzer());
    try (Directory directory = FSDirectory.open(index)) {
      List<IndexCommit> commits = DirectoryReader.listCommits(directory);
      if (from.equals("latest")) {
        config.setIndexCommit(commits.get(0));
      } else {
        config.setOpenMode(IndexWriterConfig.OpenMode.CREATE);
      }
      try (DeltaIndexWriter writer =
          new DeltaIndexWriter(directory, config, settings.clock(() -> day(9)).build())) {
        writer.setLiveCommitData(Map.of("app", "1").entrySet());
        writer.commit();
        assertThat(readersTroubles()).isEmpty();
      }
    }
    assertThat(readersTroubles()).isEmpty();
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(told).isEmpty();
  }

  @Test
  void soItIsWhereACommitThatIsNotSettledFollowsOneThatIs() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha beta", 1);
      writer.commit();
      writer.status();
    }
    Path killed = folder.resolve("killed");
    settings.faults(
        point -> {
          if (point.equals(FaultPoints.SETTLE) && !Files.exists(killed)) {
            copy(killed);
          }
        });
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha", 4);
      writer.commit();
    }
    index = killed.resolve("index");
    try (DeltaIndexWriter writer = open()) {
      assertThat(intervals(writer, "p3")).containsExactly(3L);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  /** What was measured of it was forgotten when the older index was there. */
  @Test
  void anIndexThatComesBackAfterAnOlderOneWasUsedIsMeasuredFromWhatItsDocumentsTell()
      throws IOException {
    FolderCopy.make(index, folder.resolve("older"));
    try (DeltaIndexWriter writer = open()) {
      for (int day = 1; day <= 4; day++) {
        put(writer, "p3", "alpha " + "beta ".repeat(day), day);
        writer.commit();
      }
    }
    Files.move(index, folder.resolve("latest"));
    Files.move(folder.resolve("older"), index);
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p9", "alpha beta", 5);
      writer.commit();
    }
    Files.move(index, folder.resolve("older"));
    Files.move(folder.resolve("latest"), index);
    try (DeltaIndexWriter writer = open()) {
      put(writer, "p3", "alpha", 6);
      put(writer, "p9", "alpha", 6);
      writer.commit();
      assertThat(intervals(writer, "p3", "p9")).containsExactly(2L, 6L);
    }
  }

  /** What a kill would leave now is what there is from now on. */
  private void kill() throws IOException {
    Path killed = folder.resolve("killed");
    copy(killed);
    settings.statePath(killed.resolve("index.delta"));
    index = killed.resolve("index");
  }

  private void copy(Path to) {
    try {
      FolderCopy.make(index, to.resolve("index"));
      FolderCopy.make(index.resolveSibling("index.delta"), to.resolve("index.delta"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> readersTroubles() throws IOException {
    try (DeltaState state = DeltaState.open(index)) {
      return state.troubles();
    }
  }

  private Directory state() throws IOException {
    return FSDirectory.open(index.resolveSibling("index.delta"));
  }

  private void plain(boolean itsOwnData, int day, String... pages) throws IOException {
    try (Directory directory = FSDirectory.open(index);
        IndexWriter writer =
            new IndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()))) {
      for (String page : pages) {
        put(writer, page, "beta beta", day);
      }
      if (itsOwnData) {
        writer.setLiveCommitData(Map.of("app", "1").entrySet());
      }
      writer.commit();
    }
  }

  private DeltaIndexWriter open() throws IOException {
    return new DeltaIndexWriter(
        FSDirectory.open(index),
        new IndexWriterConfig(new WhitespaceAnalyzer()),
        settings.clock(() -> day(9)).build());
  }

  private DeltaIndexWriter openOnLatest() throws IOException {
    Directory directory = FSDirectory.open(index);
    List<IndexCommit> commits = DirectoryReader.listCommits(directory);
    return new DeltaIndexWriter(
        directory,
        new IndexWriterConfig(new WhitespaceAnalyzer())
            .setIndexCommit(commits.get(commits.size() - 1)),
        settings.clock(() -> day(9)).build());
  }

  private static void put(IndexWriter writer, String page, String text, int day)
      throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.YES));
    document.add(new TextField("body", text, Field.Store.NO));
    document.add(new StringField("fetched", day(day).toString(), Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  /** Days of the latest measured intervals. */
  private static List<Long> intervals(DeltaIndexWriter writer, String... pages) throws IOException {
    List<Long> days = new ArrayList<>();
    for (String page : pages) {
      days.add(writer.explain(page).orElseThrow().refreshes().get(0).interval().toDays());
    }
    return days;
  }

  private static double usefulness(DeltaIndexWriter writer, String page) throws IOException {
    writer.nextPages(1);
    double[] found = new double[1];
    writer.withHistories(histories -> found[0] = histories.of(page).orElseThrow().usefulness());
    return found[0];
  }
}
