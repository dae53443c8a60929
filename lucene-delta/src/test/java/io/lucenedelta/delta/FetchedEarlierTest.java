// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Crawlers deliver late, and twice. */
class FetchedEarlierTest {
  private final DeltaConfig config =
      DeltaConfig.builder(
              Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 5).build())
          .keyField("url")
          .scoredField("body")
          .fetchTimeField("fetched")
          .clock(() -> week(10))
          .build();

  @TempDir Path folder;

  private static Instant week(int week) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week));
  }

  private DeltaIndexWriter open(Directory directory) throws IOException {
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private void put(DeltaIndexWriter writer, String url, String body, int week) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    document.add(config.fetchTime(week(week)));
    writer.updateDocument(new Term("url", url), document);
  }

  private void commit(DeltaIndexWriter writer, String body, int week) throws IOException {
    put(writer, "late", body, week);
    writer.commit();
  }

  /** Refreshes of the page, the latest first. */
  private static List<MeasuredRefresh> refreshes(DeltaIndexWriter writer) throws IOException {
    return writer.explain("late").orElseThrow().refreshes();
  }

  private static PageHistory history(DeltaIndexWriter writer) throws IOException {
    PageHistory[] found = new PageHistory[1];
    writer.withHistories(histories -> found[0] = histories.of("late").orElseThrow());
    return found[0];
  }

  private static List<Object> sums(DeltaIndexWriter writer) throws IOException {
    PageHistory history = history(writer);
    return List.of(history.totalDays(), history.totalGain(), history.refreshes());
  }

  @Test
  void aFetchThatIsNotLaterThanTheLastIsRecordedWithoutAMeasurement() throws IOException {
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      List<Object> all;
      try (DeltaIndexWriter writer = open(directory)) {
        for (int page = 0; page < 12; page++) {
          put(writer, "page" + page, "alpha ".repeat(1 + page) + "beta", 0);
        }
        commit(writer, "alpha", 0);
        commit(writer, "alpha beta beta", 5);
        List<Object> before = sums(writer);
        assertThat(before.subList(0, 1)).containsExactly(35.0);
        commit(writer, "beta beta", 3);
        commit(writer, "alpha alpha", 3);
        assertThat(sums(writer)).as("neither counts").isEqualTo(before);
        commit(writer, "beta", 6);
        assertThat(sums(writer)).as("days until week 5 count already").isEqualTo(before);
        commit(writer, "alpha", 7);
        assertThat(refreshes(writer))
            .extracting(
                MeasuredRefresh::fetched, MeasuredRefresh::interval, MeasuredRefresh::measured)
            .containsExactly(
                tuple(week(7), Duration.ofDays(7), true),
                tuple(week(6), null, false),
                tuple(week(3), null, false),
                tuple(week(3), null, false),
                tuple(week(5), Duration.ofDays(35), true),
                tuple(week(0), null, false));
        assertThat(refreshes(writer).get(0).qualityChange()).isPositive();
        all = sums(writer);
        assertThat(all.get(0)).isEqualTo(35.0 + 7);
        assertThat(history(writer).lastRefresh()).isEqualTo(week(7));
        writer.rebuild();
        assertThat(sums(writer)).isEqualTo(all);
      }
      try (DeltaIndexWriter writer = open(directory)) {
        assertThat(sums(writer)).isEqualTo(all);
      }
    }
  }
}
