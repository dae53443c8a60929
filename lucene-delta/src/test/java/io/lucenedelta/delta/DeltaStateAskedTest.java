// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.delta.AskingProgram.Question;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.apache.lucene.util.IOUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Measurements that are asked by a JVM without flags, and by several threads at once. */
class DeltaStateAskedTest {
  private static final int THREADS = 4;
  private static final int ROUNDS = 4;

  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  @TempDir Path folder;

  @BeforeEach
  void index() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 3).add(List.of("beta"), 1).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      for (int time = 0; time < 4; time++) {
        now = now.plus(Duration.ofDays(1));
        for (int page = 0; page < 9; page++) {
          update(writer, "p" + page, "alpha beta " + "word ".repeat(page + time % 2 * (8 - page)));
        }
        writer.commit();
      }
      FetchQueue queue = writer.fetchQueue(Duration.ofDays(1));
      queue.discovered("new", "alpha");
      queue.modified("p3", now.plus(Duration.ofHours(1)));
      assertThat(queue.take(1)).as("the columns are made").hasSize(1);
    }
  }

  private static void update(DeltaIndexWriter writer, String page, String body) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  /** Whether a writer left the columns that order the pages, or was killed. */
  @Test
  void aJvmWithoutTheFlagsOfTheStoreHearsTheSame() throws Exception {
    Path index = folder.resolve("index");
    Path killed = folder.resolve("killed");
    FolderCopy.make(index, killed);
    FolderCopy.make(folder.resolve("index.delta"), folder.resolve("killed.delta"));
    Files.delete(OrderColumns.in(folder.resolve("killed.delta")));
    List<String> expected = new ArrayList<>();
    for (Path each : List.of(index, killed)) {
      try (DeltaState state = DeltaState.open(each)) {
        for (Question question : Question.values()) {
          expected.add(question.ask(state));
        }
        expected.add(AskingProgram.copied(state, each));
      }
    }
    assertThat(
            Child.printed(AskingProgram.class, List.of(), index, killed)
                .lines()
                .filter(line -> !line.isEmpty()))
        .containsSubsequence(expected);
  }

  @Test
  void severalThreadsHearWhatOneHears() throws Exception {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Map<Question, String> answers = answers(state);
      together(
          () -> {
            for (int round = 0; round < ROUNDS; round++) {
              for (Question question : Question.values()) {
                assertThat(question.ask(state)).isEqualTo(answers.get(question));
              }
            }
          },
          () -> {});
    }
  }

  /** Nothing of what cannot be read any more is left out of an answer. */
  @ParameterizedTest
  @EnumSource(Question.class)
  void whoAsksWhileItIsClosedHearsTheSameOrThatItIsClosed(Question question) throws Exception {
    String answer;
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      answer = question.ask(state);
    }
    for (int round = 0; round < ROUNDS; round++) {
      DeltaState state = DeltaState.open(folder.resolve("index"));
      CountDownLatch asked = new CountDownLatch(THREADS);
      together(
          () -> {
            try {
              while (true) {
                assertThat(question.ask(state)).isEqualTo(answer);
                asked.countDown();
              }
            } catch (AlreadyClosedException closed) {
              asked.countDown();
            }
          },
          () -> {
            assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
            state.close();
          });
      assertThat(state.troubles()).isEmpty();
    }
  }

  /** Closed as files are listed, which both of these do. */
  @Test
  void nothingIsLeftOutOfWhatIsAskedAsItIsClosed() throws Exception {
    for (Question question : List.of(Question.STATUS, Question.ORDER_WITH_DISCOVERIES)) {
      AtomicReference<DeltaState> opened = new AtomicReference<>();
      Path state = new Closing(folder, opened).wrapPath(folder.resolve("index.delta"));
      try (DeltaState asked = DeltaState.open(folder.resolve("index"), state)) {
        opened.set(asked);
        assertThatThrownBy(() -> question.ask(asked))
            .as("%s", question)
            .isInstanceOf(AlreadyClosedException.class);
        assertThat(opened).as("closed").hasValue(null);
        assertThat(asked.troubles()).isEmpty();
      }
    }
  }

  /** Closes measurements, once, when their files are listed. */
  private static final class Closing extends FilterFileSystemProvider {
    private final AtomicReference<DeltaState> state;

    Closing(Path folder, AtomicReference<DeltaState> state) {
      super("closing", folder.getFileSystem());
      this.state = state;
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
        Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
      IOUtils.close(state.getAndSet(null));
      return super.newDirectoryStream(folder, filter);
    }
  }

  private static Map<Question, String> answers(DeltaState state) throws IOException {
    Map<Question, String> answers = new EnumMap<>(Question.class);
    for (Question question : Question.values()) {
      answers.put(question, question.ask(state));
    }
    return answers;
  }

  /** Does a step in several threads, and another one meanwhile in this. */
  private static void together(Elsewhere step, Elsewhere meanwhile) throws Exception {
    List<FutureTask<Void>> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      threads.add(
          new FutureTask<>(
              () -> {
                step.run();
                return null;
              }));
    }
    threads.forEach(Elsewhere.THREADS::execute);
    meanwhile.run();
    for (FutureTask<Void> thread : threads) {
      thread.get();
    }
  }
}
