// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A queue whose writer is closed while crawlers ask, or by a thread that is interrupted. */
class FetchQueueClosedTest {
  private static final Duration LEASE = Duration.ofDays(1);

  private Instant now = Instant.parse("2024-01-01T00:00:00Z");
  private Runnable whenLeased = () -> {};
  private Runnable whenUnlocked = () -> {};
  private Runnable whenWritten = () -> {};
  private final List<String> troubles = new ArrayList<>();
  @TempDir Path folder;

  @Test
  void aBatchHandedOutWhileTheWriterClosesIsWrittenDownFirst() throws Exception {
    DeltaIndexWriter writer = open();
    put(writer, "a", "b", "c");
    FetchQueue queue = writer.fetchQueue(LEASE);
    FutureTask<Boolean> closing = closing(writer);
    Thread closer = new Thread(closing);
    whenLeased =
        () -> {
          closer.start();
          awaitWaiting(closer, closing);
        };
    List<String> taken = queue.take(2);
    assertThat(closing.get()).as("interrupted").isFalse();
    assertThat(taken).hasSize(2);
    whenLeased = () -> {};
    assertThatThrownBy(() -> queue.take(2))
        .isInstanceOf(AlreadyClosedException.class)
        .hasMessageContaining("closed with its writer");
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(LEASE).take(3)).hasSize(1).doesNotContainAnyElementsOf(taken);
    }
  }

  @Test
  void aThreadInterruptedWhileItWaitsForABatchStillClosesAll() throws Exception {
    DeltaIndexWriter writer = open();
    put(writer, "a", "b", "c");
    FetchQueue queue = writer.fetchQueue(LEASE);
    FutureTask<Boolean> closing = closing(writer);
    Thread closer = new Thread(closing);
    whenLeased =
        () -> {
          closer.start();
          awaitWaiting(closer, closing);
          closer.interrupt();
          while (closer.isInterrupted()) {
            Thread.onSpinWait(); // it has noticed, and waits again
          }
        };
    List<String> taken = queue.take(2);
    assertThat(closing.get()).as("still interrupted").isTrue();
    assertThat(troubles).isEmpty();
    whenLeased = () -> {};
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(LEASE).take(3)).hasSize(1).doesNotContainAnyElementsOf(taken);
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void aClosedQueueSaysSoWhateverItIsAskedOrTold() throws IOException {
    DeltaIndexWriter writer = open();
    put(writer, "a");
    FetchQueue queue = writer.fetchQueue(LEASE);
    writer.close();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            queue::save, () -> queue.take(1), () -> queue.gone("a"), () -> queue.discovered("b"))) {
      assertThatThrownBy(call)
          .isInstanceOf(AlreadyClosedException.class)
          .hasMessage(
              "this fetch queue was closed with its writer; ask or tell that of the next writer");
    }
  }

  /** Closes a writer; tells whether the thread is interrupted then. */
  private static FutureTask<Boolean> closing(DeltaIndexWriter writer) {
    return new FutureTask<>(
        () -> {
          writer.close();
          return Thread.interrupted();
        });
  }

  private static void awaitWaiting(Thread thread, FutureTask<?> task) {
    while (thread.getState() != Thread.State.WAITING && !task.isDone()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void whatCrawlersToldIsKeptWhenTheThreadThatClosesIsInterrupted() throws IOException {
    DeltaIndexWriter writer = open();
    put(writer, "a", "b", "c");
    FetchQueue queue = writer.fetchQueue(LEASE);
    queue.gone("a");
    queue.discovered("new");
    whenUnlocked = () -> Thread.currentThread().interrupt();
    writer.close();
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(troubles).isEmpty();
    whenUnlocked = () -> {};
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(LEASE).take(9)).containsExactlyInAnyOrder("b", "c", "new");
    }
  }

  @Test
  void whatCrawlersToldIsKeptWhenTheThreadIsInterruptedAsItWrites() throws IOException {
    DeltaIndexWriter writer = open();
    put(writer, "a", "b");
    writer.fetchQueue(LEASE).gone("a");
    whenWritten =
        () -> {
          whenWritten = () -> {};
          Thread.currentThread().interrupt();
        };
    writer.close();
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(troubles).isEmpty();
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(LEASE).take(9)).containsExactly("b");
    }
  }

  @Test
  void whatCannotBeSavedAsTheWriterIsClosedIsLostAndTheListenerHearsWhatToTellAgain()
      throws IOException {
    DeltaIndexWriter writer = open();
    put(writer, "a");
    writer.fetchQueue(LEASE).discovered("new");
    whenWritten =
        () -> {
          throw new UncheckedIOException(new IOException("disk is full"));
        };
    writer.close();
    assertThat(troubles)
        .containsExactly(
            "what crawlers told since pages were last handed out could not be saved; tell the next"
                + " writer's queue addresses, what sitemaps say and which pages are gone again");
    whenWritten = () -> {};
    try (DeltaIndexWriter next = open()) {
      assertThat(next.fetchQueue(LEASE).discoveredCount()).isZero();
    }
  }

  @Test
  void ofTwoThreadsThatCloseAWriterOneSavesTheQueueAndBothLeaveTheFolderFree() throws Exception {
    DeltaIndexWriter writer = open();
    put(writer, "a", "b");
    writer.fetchQueue(LEASE).gone("a");
    FutureTask<Boolean> second =
        new FutureTask<>(
            () -> {
              writer.close();
              open().close();
              return true;
            });
    Thread closer = new Thread(second);
    AtomicInteger written = new AtomicInteger();
    whenWritten =
        () -> {
          if (written.incrementAndGet() == 1) {
            closer.start();
            while (closer.getState() != Thread.State.BLOCKED && !second.isDone()) {
              Thread.onSpinWait();
            }
          }
        };
    writer.close();
    assertThat(second.get()).as("the next writer has the folder").isTrue();
    assertThat(troubles).isEmpty();
    assertThat(written).as("times").hasValue(1);
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .stateDirectory(Written::new)
            .listener(new Troubles(troubles))
            .faults(
                point -> {
                  if (point.equals(FaultPoints.LEASED)) {
                    whenLeased.run();
                  }
                })
            .build();
    Directory directory = new Unlocked(FSDirectory.open(folder.resolve("index")));
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new SimpleAnalyzer()), config);
  }

  private void put(DeltaIndexWriter writer, String... pages) throws IOException {
    for (String page : pages) {
      Document document = new Document();
      document.add(new StringField("url", page, Field.Store.YES));
      document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
      writer.updateDocument(new Term("url", page), document);
    }
    writer.commit();
    now = now.plus(Duration.ofDays(7));
  }

  /** Tells when the file of the queue is about to be written. */
  private final class Written extends FilterDirectory {
    Written(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.contains("queue")) {
        whenWritten.run();
      }
      return super.createOutput(name, context);
    }
  }

  /** Tells when a writer has closed the index. */
  private final class Unlocked extends FilterDirectory {
    Unlocked(Directory in) {
      super(in);
    }

    @Override
    public Lock obtainLock(String name) throws IOException {
      Lock lock = super.obtainLock(name);
      return new Lock() {
        @Override
        public void close() throws IOException {
          lock.close();
          whenUnlocked.run();
        }

        @Override
        public void ensureValid() throws IOException {
          lock.ensureValid();
        }
      };
    }
  }
}
