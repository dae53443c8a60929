// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NullArgumentsTest {
  private static final Instant NOW = Instant.parse("2024-01-01T00:00:00Z");
  private static final Analyzer ANALYZER = new WhitespaceAnalyzer();

  @TempDir private static Path folder;
  private static Path index;
  private static Directory directory;
  private static DeltaConfig config;
  private static DeltaIndexWriter writer;
  private static FetchQueue queue;
  private static DeltaState state;

  private static DeltaConfig.Builder builder() {
    Workload workload = Workload.builder().add(List.of("alpha"), 1).build();
    return DeltaConfig.builder(workload).keyField("url").scoredField("body");
  }

  @BeforeAll
  static void open() throws Exception {
    index = folder.resolve("index");
    directory = FSDirectory.open(index);
    config = builder().build();
    writer = new DeltaIndexWriter(directory, new IndexWriterConfig(ANALYZER), config);
    Document page = new Document();
    page.add(new StringField("url", "a", Field.Store.NO));
    writer.addDocument(page);
    writer.commit();
    queue = writer.fetchQueue(Duration.ofDays(1));
    state = DeltaState.open(index);
  }

  @AfterAll
  static void close() throws Exception {
    state.close();
    writer.close();
    directory.close();
  }

  private static Arguments call(String name, ThrowingCallable call) {
    return arguments(name, call);
  }

  private static IndexWriterConfig another() {
    return new IndexWriterConfig(ANALYZER);
  }

  static Stream<Arguments> calls() {
    return Stream.of(
        call("directory", () -> new DeltaIndexWriter(null, another(), config)),
        call("writer config", () -> new DeltaIndexWriter(directory, null, config)),
        call("config", () -> new DeltaIndexWriter(directory, another(), null)),
        call("scored field", () -> builder().scoredField(null)),
        call("self-audit", () -> builder().selfAudit(3, null)),
        call("lease", () -> writer.fetchQueue(null)),
        call("use", () -> writer.withHistories(null)),
        call("page of histories", () -> writer.withHistories(pages -> pages.of(null))),
        call("time", () -> writer.nextPages(1, null)),
        call("strategy", () -> writer.nextPages((RefreshPolicy) null, 1, NOW)),
        call("its time", () -> writer.nextPages(new UserUtility(1), 1, null)),
        call("explained page", () -> writer.explain(null)),
        call("page unchanged", () -> writer.recordUnchanged(null, NOW)),
        call("time of a batch", () -> queue.take(1, (Instant) null)),
        call("discovered page", () -> queue.discovered(null)),
        call("page of words", () -> queue.discovered(null, "alpha")),
        call("index", () -> DeltaState.open(null)),
        call("index of two", () -> DeltaState.open(null, folder)),
        call("state", () -> DeltaState.open(index, null)),
        call("target", () -> state.copyTo(null)),
        call("discoveries", () -> state.nextPages((Discoveries) null, 1, NOW)),
        call("time of a state", () -> state.nextPages(1, null)),
        call("strategy of a state", () -> state.nextPages((RefreshPolicy) null, 1, NOW)),
        call("page explained by a state", () -> state.explain(null)),
        call("page of a state", () -> state.histories().of(null)),
        call("analyzer", () -> state.discoveries(null)),
        call("text", () -> AnalyzedQueries.of(ANALYZER, "body").terms(null)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  void whatIsMissingIsSaid(String name, ThrowingCallable call) {
    assertThatNullPointerException().as(name).isThrownBy(call).withMessageEndingWith("was null");
  }
}
