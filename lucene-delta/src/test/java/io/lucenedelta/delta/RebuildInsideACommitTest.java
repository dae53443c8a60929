// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexCommit;
import org.apache.lucene.index.IndexDeletionPolicy;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.KeepOnlyLastCommitDeletionPolicy;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An application's deletion policy hears of a commit before measuring does: what it asks for then
 * is read from an index whose last batch is not settled.
 */
class RebuildInsideACommitTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final Directory index = new ByteBuffersDirectory();
  private final List<String> troubles = new ArrayList<>();
  private final Asking policy = new Asking();
  @TempDir Path folder;
  private DeltaIndexWriter writer;
  private Instant now = START;
  private Runnable beforeRanks; // once

  private final class Asking extends IndexDeletionPolicy {
    private final IndexDeletionPolicy last = new KeepOnlyLastCommitDeletionPolicy();
    private boolean asks;
    private int asked;

    @Override
    public void onInit(List<? extends IndexCommit> commits) throws IOException {
      last.onInit(commits);
    }

    @Override
    public void onCommit(List<? extends IndexCommit> commits) throws IOException {
      last.onCommit(commits);
      if (asks) {
        asks = false;
        asked++;
        writer.rebuild();
      }
    }
  }

  private void put(int page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", "p" + page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", "p" + page), document);
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .clock(() -> now)
            .faults(this::reached)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(
        index,
        new IndexWriterConfig(new WhitespaceAnalyzer()).setIndexDeletionPolicy(policy),
        config);
  }

  private void reached(String point) {
    Runnable step = beforeRanks;
    if (step != null && point.equals(FaultPoints.RANKS)) {
      beforeRanks = null;
      step.run();
    }
  }

  @Test
  void refreshesAreRecordedOnceAndRanksCountEachPageOnce() throws IOException {
    writer = open();
    try (DeltaIndexWriter closed = writer) {
      for (int batch = 0; batch < 7; batch++) {
        now = START.plusSeconds(3_600L * batch);
        for (int page = 0; page < 10 + 2 * batch; page++) { // two new ones in each
          put(page, "alpha ".repeat(1 + (page + batch) % 4) + "other ".repeat(page));
        }
        policy.asks = batch % 2 == 1;
        writer.commit();
        assertThat(writer.status().pages()).isEqualTo(10 + 2 * batch);
        assertThat(writer.explain("p0").orElseThrow().refreshes()).hasSize(1 + batch);
        if (batch > 0) {
          assertThat(writer.measurer().ranks().table().results(0))
              .as("results after batch %d", batch)
              .isEqualTo(10 + 2 * batch);
        }
      }
      assertThat(closed.measurer().ranksFollow()).isTrue();
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(policy.asked).isEqualTo(3);
    assertThat(troubles).isEmpty();
  }

  /** The commit is on the disk when rank functions are built, and its batch still to be settled. */
  @Test
  void pagesThatAnotherThreadCommitsWhileRanksAreBuiltCountOnce() throws Exception {
    writer = open();
    try (DeltaIndexWriter closed = writer) {
      for (int week = 0; week < 3; week++) {
        now = START.plus(Duration.ofDays(7L * week));
        for (int page = 0; page < 40; page++) {
          put(page, (page < 10 ? "alpha " : "none ") + "other ".repeat((page + week) % 7));
        }
        closed.commit();
      }
      now = START.plus(Duration.ofDays(21));
      for (int page = 10; page < 13; page++) {
        put(page, "alpha alpha"); // three more results, and no page more
      }
      closed.prepareCommit();
      String before = segments();
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      beforeRanks =
          () -> {
            commits.add(CompletableFuture.runAsync(this::commit, Elsewhere.THREADS));
            await(() -> !segments().equals(before));
          };
      closed.rebuild();
      commits.get(0).get(30, TimeUnit.SECONDS);
      assertThat(closed.status().batchesMeasured()).isEqualTo(4);
      assertThat(closed.measurer().ranks().table().results(0)).isEqualTo(13);
      assertThat(closed.measurer().ranksFollow()).isTrue();
    }
    assertThat(troubles).isEmpty();
  }

  private String segments() {
    try {
      return SegmentInfos.getLastCommitSegmentsFileName(index);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void commit() {
    try {
      writer.commit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void await(BooleanSupplier done) {
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!done.getAsBoolean()) {
      assertThat(System.nanoTime()).as("the other thread commits").isLessThan(until);
      Thread.yield();
    }
  }
}
