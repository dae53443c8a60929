// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A time before 1990 means that nobody knows when a page was fetched: it begins no interval. */
class FetchedBeforeTheWebTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  private final List<String> troubles = new ArrayList<>();
  private Instant now = START;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "1989-12-31T23:59:59.999Z"})
  void theRefreshAfterAFetchThatNobodyKnowsIsNotMeasured(String unknown) throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index)) {
      put(writer, "changed", 1, Instant.parse(unknown));
      put(writer, "same", 1, Instant.parse(unknown));
      put(writer, "known", 1, now);
      commit(writer);
      for (int week = 1; week < 3; week++) {
        put(writer, "changed", 1 + week, now);
        put(writer, "known", 1 + week, now);
        writer.recordUnchanged("same", now);
        commit(writer);
      }
      assertThat(intervals(writer, "changed")).containsExactly(WEEK, null, null);
      assertThat(intervals(writer, "same")).containsExactly(WEEK, null, null);
      assertThat(intervals(writer, "known")).containsExactly(WEEK, WEEK, null);
      writer.withHistories(
          pages -> {
            assertThat(pages.of("changed").orElseThrow().totalDays()).isEqualTo(7);
            assertThat(pages.of("same").orElseThrow().totalDays()).isEqualTo(7);
            assertThat(pages.of("known").orElseThrow().totalDays()).isEqualTo(14);
          });
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void theRefreshAfterACommitByAClockThatWasNotSetIsNotMeasured() throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index)) {
      put(writer, "page", 1, null);
      commit(writer);
      now = Instant.EPOCH;
      put(writer, "page", 2, null);
      commit(writer);
      now = START.plus(WEEK);
      put(writer, "page", 3, null);
      commit(writer);
      put(writer, "page", 4, null);
      commit(writer);
      assertThat(intervals(writer, "page")).containsExactly(WEEK, null, null, null);
    }
  }

  @Test
  void anIntervalRecordedSinceSuchATimeCountsAsNotMeasured() {
    PageEntry page = new PageEntry();
    page.clear();
    page.add(refresh(START, Duration.between(Instant.EPOCH, START)));
    assertThat(page.lastRefresh()).isEqualTo(START);
    assertThat(page.usefulness()).isEqualTo(3);
    assertThat(page.refreshes()).isZero();
    assertThat(page.totalDays() + page.totalGain() + page.sumOfRates()).isZero();
    page.add(refresh(START.plus(WEEK), WEEK));
    assertThat(page.refreshes()).isEqualTo(1);
    assertThat(page.totalDays()).isEqualTo(7);
  }

  private static Refresh refresh(Instant fetched, Duration since) {
    return new Refresh(1, fetched.toEpochMilli(), true, since.toMillis(), 2, 3, null, 0, 0, null);
  }

  /** The latest first; null where a refresh was not measured. */
  private static List<Duration> intervals(DeltaIndexWriter writer, String page) throws IOException {
    return writer.explain(page).orElseThrow().refreshes().stream()
        .map(MeasuredRefresh::interval)
        .toList();
  }

  private DeltaIndexWriter open(Directory index) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .statePath(folder)
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  /** A page whose document tells no time where that is null. */
  private static void put(DeltaIndexWriter writer, String page, int often, Instant fetched)
      throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", "alpha ".repeat(often), Field.Store.NO));
    if (fetched != null) {
      document.add(new StringField("fetched", fetched.toString(), Field.Store.NO));
    }
    writer.updateDocument(new Term("url", page), document);
  }

  private void commit(DeltaIndexWriter writer) throws IOException {
    writer.commit();
    now = now.plus(WEEK);
  }
}
