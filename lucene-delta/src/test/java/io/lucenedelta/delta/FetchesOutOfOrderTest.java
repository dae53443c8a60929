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

/** A fetch that is dated before the one recorded before it begins no interval. */
class FetchesOutOfOrderTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final Duration WEEK = Duration.ofDays(7);

  private final List<String> troubles = new ArrayList<>();
  private Instant now = START;
  private FaultPoints faults = FaultPoints.NONE;

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"2000-01-01T00:00:00Z", "2023-12-01T00:00:00Z"})
  void theRefreshAfterACommitByAClockThatWasBehindIsNotMeasured(String behind) throws IOException {
    try (Directory index = new ByteBuffersDirectory()) {
      try (DeltaIndexWriter writer = open(index)) {
        for (int week = 0; week < 2; week++) {
          put(writer, "changed", 1 + week, null);
          put(writer, "same", 1, null);
          commit(writer);
        }
        Instant right = now;
        now = Instant.parse(behind);
        put(writer, "changed", 3, null);
        put(writer, "same", 1, null);
        commit(writer);
        now = right.plus(WEEK);
      }
      try (DeltaIndexWriter writer = open(index)) { // which is remembered
        for (int week = 3; week < 5; week++) {
          put(writer, "changed", 1 + week, null);
          writer.recordUnchanged("same", now);
          commit(writer);
        }
        for (String page : List.of("changed", "same")) {
          assertThat(intervals(writer, page)).containsExactly(WEEK, null, null, WEEK, null);
          writer.withHistories(
              pages -> assertThat(pages.of(page).orElseThrow().totalDays()).isEqualTo(14));
        }
        writer.rebuild();
        writer.withHistories(
            pages -> assertThat(pages.of("changed").orElseThrow().totalDays()).isEqualTo(14));
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void noDayCountsTwiceWhereOlderFetchesAreDeliveredLate() throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index)) {
      for (int week = 0; week < 6; week++) {
        put(writer, "late", 1 + 2 * week, now);
        for (int copy = 0; week % 3 == 1 && copy < 2; copy++) { // the late one, and once more
          writer.commit();
          put(writer, "late", 2 + 2 * week, now.minus(Duration.ofDays(5)));
        }
        commit(writer);
      }
      assertThat(intervals(writer, "late"))
          .as("late ones and those after them are not measured")
          .containsExactly(null, null, null, WEEK, WEEK, null, null, null, WEEK, null);
      writer.withHistories(
          pages -> assertThat(pages.of("late").orElseThrow().totalDays()).isEqualTo(21));
    }
    assertThat(troubles).isEmpty();
  }

  /** It is settled from the index, which tells the times of pages before refreshes are added. */
  @Test
  void theFetchAfterALateOneBeginsAnIntervalAlsoWhereItsBatchIsNotWhole() throws IOException {
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer = open(index)) {
      put(writer, "late", 1, now);
      put(writer, "other", 1, now);
      commit(writer);
      put(writer, "late", 2, START.minus(Duration.ofDays(2)));
      writer.commit();
      put(writer, "late", 3, now);
      writer.flush();
      put(writer, "other", 2, now);
      faults =
          point -> {
            if (point.equals(FaultPoints.END_SEGMENT)) {
              throw new IllegalStateException("not noted");
            }
          };
      commit(writer);
      faults = FaultPoints.NONE;
      for (int week = 2; week < 4; week++) {
        put(writer, "late", 2 + week, now);
        commit(writer);
      }
      assertThat(intervals(writer, "late")).containsExactly(WEEK, WEEK, null, null, null);
      assertThat(troubles).anyMatch(trouble -> trouble.contains("not noted"));
    }
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
            .faults(point -> faults.at(point))
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
