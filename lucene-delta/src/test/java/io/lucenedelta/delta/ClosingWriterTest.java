// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.ThreadInterruptedException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Others want a writer's place while it closes, or take it before its measurements are closed. */
class ClosingWriterTest {
  @TempDir Path folder;

  private final Watched index = new Watched();
  private Runnable whenSettling = () -> {};
  private Elsewhere atNextTime;

  /** An index in which another thread does something once, when a file is written, or unlocked. */
  private static final class Watched extends FilterDirectory {
    private Elsewhere atNextFile;
    private Elsewhere atUnlocking;
    private boolean full;

    Watched() {
      super(new ByteBuffersDirectory());
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      Elsewhere step = atNextFile;
      atNextFile = null;
      Elsewhere.take(step);
      if (full) {
        throw new IOException("injected: no space left on device");
      }
      return super.createOutput(name, context);
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
      Lock lock = super.obtainLock(name);
      return new Lock() {
        @Override
        public void close() throws IOException {
          lock.close();
          Elsewhere step = atUnlocking;
          atUnlocking = null;
          Elsewhere.take(step);
        }

        @Override
        public void ensureValid() throws IOException {
          lock.ensureValid();
        }
      };
    }
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .clock(this::time)
            .faults(
                point -> {
                  if (point.equals(FaultPoints.SETTLE)) {
                    whenSettling.run();
                  }
                })
            .build();
    return new DeltaIndexWriter(index, settings(), config);
  }

  /** Another thread does something once, when the time is asked for. */
  private Instant time() {
    Elsewhere step = atNextTime;
    atNextTime = null;
    Elsewhere.take(step);
    return Instant.now();
  }

  private static Document page(String key, int alphas) {
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(alphas), Field.Store.NO));
    return document;
  }

  private static void put(DeltaIndexWriter writer, String key, int alphas) throws IOException {
    writer.updateDocument(new Term("url", key), page(key, alphas));
  }

  /** Has one commit, and a page for the next. */
  private DeltaIndexWriter openWithAPageToCommit() throws IOException {
    DeltaIndexWriter writer = open();
    put(writer, "a", 1);
    writer.commit();
    put(writer, "a", 2);
    return writer;
  }

  private void assertThatTheLastCommitWasMeasured() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      assertThat(writer.explain("a").orElseThrow().refreshes())
          .extracting(MeasuredRefresh::generation)
          .containsExactly(2L, 1L);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
  }

  @Test
  void whatAWriterCommitsAsItClosesIsMeasuredThoughAnotherWantsItsPlace() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    index.atNextFile =
        () -> assertThatThrownBy(this::open).isInstanceOf(StateLockedException.class);
    writer.close();
    assertThat(index.atNextFile).as("the other thread ran").isNull();
    assertThatTheLastCommitWasMeasured();
  }

  /** It would come after the last commit, and neither be recorded nor be told of. */
  @Test
  void aVisitIsRefusedThoughAnotherThreadClosesTheWriterOnlyWhileItIsRecorded() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    atNextTime = writer::close;
    assertThatThrownBy(() -> writer.recordUnchanged("a", Instant.now()))
        .isInstanceOf(AlreadyClosedException.class);
    assertThat(atNextTime).as("the other thread ran").isNull();
    assertThatTheLastCommitWasMeasured();
  }

  @Test
  void aThreadThatMayNotWaitForTheCloseOfAnotherDoesNotEndItsMeasuring() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    index.atNextFile =
        () -> {
          Thread.currentThread().interrupt();
          assertThatThrownBy(writer::close).isInstanceOf(ThreadInterruptedException.class);
        };
    writer.close();
    assertThat(index.atNextFile).as("the other thread ran").isNull();
    assertThatTheLastCommitWasMeasured();
  }

  @Test
  void whoClosesWaitsUntilTheCommitOfAnotherThreadIsSettled() throws Exception {
    DeltaIndexWriter writer = openWithAPageToCommit();
    FutureTask<Boolean> closing =
        new FutureTask<>(
            () -> {
              writer.close();
              return true;
            });
    Thread closer = new Thread(closing);
    whenSettling =
        () -> {
          whenSettling = () -> {};
          closer.start();
          while (closer.getState() != Thread.State.BLOCKED && !closing.isDone()) {
            Thread.onSpinWait();
          }
        };
    try {
      writer.commit();
    } catch (AlreadyClosedException e) {
      // when it looks for merges after the commit, as without measuring
    }
    assertThat(closing.get()).as("closed").isTrue();
    assertThatTheLastCommitWasMeasured();
  }

  private void commitByAnotherWriter() throws IOException {
    try (IndexWriter other = new IndexWriter(index, settings())) {
      other.updateDocument(new Term("url", "a"), page("a", 5));
      other.updateDocument(new Term("url", "b"), page("b", 3));
    }
  }

  private void assertThatThePagesAreThoseOfTheOther() throws IOException {
    try (DeltaIndexWriter writer = open()) {
      assertThat(alphas(writer, "a")).isEqualTo(5);
      assertThat(alphas(writer, "b")).isEqualTo(3);
      assertThat(writer.status().pages()).isEqualTo(2);
    }
  }

  private static int alphas(DeltaIndexWriter writer, String page) throws IOException {
    PageEntry entry = new PageEntry();
    assertThat(writer.measurer().page(new BytesRef(page), entry)).as(page).isTrue();
    entry.vector.rewind();
    return entry.vector.next() ? entry.vector.frequency() : 0;
  }

  @Test
  void whatAnotherWriterCommitsAsSoonAsTheIndexIsFreeIsReadFromIt() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    index.atUnlocking = this::commitByAnotherWriter;
    writer.close();
    assertThat(index.atUnlocking).as("the other thread ran").isNull();
    assertThatThePagesAreThoseOfTheOther();
  }

  @Test
  void whatAnotherWriterCommitsAfterLuceneClosedAFailedOneIsReadFromTheIndex() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    index.full = true;
    assertThatThrownBy(writer::commit).hasMessageContaining("injected");
    index.full = false;
    assertThat(writer.isOpen()).isFalse();
    commitByAnotherWriter();
    assertThatThePagesAreThoseOfTheOther();
  }

  @Test
  void aWriterThatLuceneClosedAfterAFailureAnswersNoMoreAndSaysWhy() throws IOException {
    DeltaIndexWriter writer = openWithAPageToCommit();
    FetchQueue queue = writer.fetchQueue(Duration.ofHours(1));
    index.full = true;
    assertThatThrownBy(writer::commit).hasMessageContaining("injected");
    index.full = false;
    for (ThrowingCallable question :
        List.<ThrowingCallable>of(
            () -> writer.nextPages(1),
            () -> queue.take(1),
            () -> writer.explain("a"),
            writer::status,
            writer::rebuild)) {
      assertThatThrownBy(question)
          .isInstanceOf(AlreadyClosedException.class)
          .hasMessageContaining("ask a new writer")
          .hasRootCauseMessage("injected: no space left on device");
    }
    queue.failed("a");
    writer.close();
    for (ThrowingCallable question :
        List.<ThrowingCallable>of(
            () -> writer.nextPages(1),
            writer::status,
            () -> queue.take(1),
            () -> queue.failed("a"))) {
      assertThatThrownBy(question)
          .isInstanceOf(AlreadyClosedException.class)
          .hasRootCauseMessage("injected: no space left on device");
    }
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(Duration.ofHours(1)).heldCount()).isEqualTo(1);
    }
  }
}
