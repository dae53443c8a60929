// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is asked of a writer between the first step of a commit and its last. */
class AskedDuringACommitTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private interface Question {
    Object ask() throws IOException;
  }

  private final Directory index = new ByteBuffersDirectory();
  private final AtomicReference<Question> asked = new AtomicReference<>();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  @TempDir Path folder;
  private DeltaIndexWriter writer;
  private Instant now = START;
  private boolean stuck;

  @BeforeEach
  void indexOnce() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .clock(() -> now)
            .listener(new AskingListener())
            .build();
    writer = new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
    update("alpha");
    writer.commit();
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
    CompletableFuture.runAsync(this::commit).get(60, TimeUnit.SECONDS);
    stuck = false;
    assertThat(failure).hasValue(null);
    assertThat(asked).as("the listener was called").hasValue(null);
  }

  private void commit() {
    try {
      writer.commit();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks when a batch is measured, after another thread has begun to ask the same and waits. */
  private final class AskingListener implements DeltaListener {
    @Override
    public void batchMeasured(long generation, int refreshes, double qualityChange) {
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

    private void answer(Question question) {
      try {
        question.ask();
      } catch (IOException | RuntimeException e) {
        failure.set(e);
      }
    }
  }
}
