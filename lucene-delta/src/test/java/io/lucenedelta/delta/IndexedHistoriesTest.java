// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A page looked up has the history that a pass over all gives it. */
class IndexedHistoriesTest {
  private static final int PAGES = 1200;

  @TempDir static Path folder;

  private static Instant now = Instant.parse("2024-01-01T00:00:00Z");

  @BeforeAll
  static void index() throws IOException {
    Workload workload =
        Workload.builder().add(List.of("alpha"), 5).add(List.of("beta", "alpha"), 2).build();
    DeltaConfig config =
        DeltaConfig.builder(workload).keyField("url").scoredField("body").clock(() -> now).build();
    try (Directory files = FSDirectory.open(folder.resolve("index"))) {
      try (IndexWriter plain = new IndexWriter(files, settings())) {
        plain.addDocument(page("adopted", "alpha"));
      }
      try (DeltaIndexWriter writer = new DeltaIndexWriter(files, settings(), config)) {
        for (int batch = 0; batch < 12; batch++) {
          for (int page = batch; page < PAGES; page += 1 + batch) {
            put(writer, page, "alpha ".repeat(1 + page % 7) + "beta ".repeat((page + batch) % 3));
          }
          writer.commit();
          now = now.plus(Duration.ofDays(1));
        }
        writer.deleteDocuments(new Term("url", "page7"));
        writer.commit();
      }
    }
  }

  private static IndexWriterConfig settings() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private static Document page(String key, String body) {
    Document document = new Document();
    document.add(new StringField("url", key, Field.Store.NO));
    document.add(new TextField("body", body, Field.Store.NO));
    return document;
  }

  private static void put(DeltaIndexWriter writer, int page, String body) throws IOException {
    writer.updateDocument(new Term("url", "page" + page), page("page" + page, body));
  }

  private static List<Object> facts(PageHistory page) {
    return List.of(
        page.page(),
        page.lastRefresh(),
        page.refreshes(),
        page.sumOfRates(),
        page.totalGain(),
        page.totalDays(),
        page.usefulness());
  }

  private static List<List<Object>> collected(Consumer<Consumer<? super PageHistory>> pages) {
    List<List<Object>> facts = new ArrayList<>();
    pages.accept(page -> facts.add(facts(page)));
    return facts;
  }

  @Test
  void onePageAFewAndAllHaveTheSameHistories() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      PageHistories histories = state.histories();
      Map<Object, List<Object>> all = new HashMap<>();
      collected(histories::forEach).forEach(page -> all.put(page.get(0), page));
      assertThat(all).hasSize(PAGES).hasSize((int) histories.size());
      for (Object page : all.keySet()) {
        assertThat(histories.of((String) page).map(IndexedHistoriesTest::facts))
            .isEqualTo(Optional.of(all.get(page)));
      }
      for (int some : List.of(2, PAGES / 2)) {
        Set<String> pages =
            IntStream.range(0, some).mapToObj(page -> "page" + page).collect(Collectors.toSet());
        pages.add("nowhere");
        List<List<Object>> expected = new ArrayList<>();
        pages.stream().filter(all::containsKey).forEach(page -> expected.add(all.get(page)));
        assertThat(collected(taker -> histories.forEach(pages, taker)))
            .containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void aPageThatLeftOrNeverWasHasNone() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.histories().of("page7")).isEmpty();
      assertThat(state.histories().of("page")).isEmpty();
      assertThat(state.histories().of("zzz")).isEmpty();
      assertThat(state.explain("page7")).as("what was measured stays").isPresent();
      assertThat(state.explain("zzz")).isEmpty();
    }
  }

  @Test
  void aPageThatWasThereBeforeHasTheTimeOfItsAdoption() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      PageHistory adopted = state.histories().of("adopted").orElseThrow();
      assertThat(adopted.refreshes()).isZero();
      assertThat(adopted.lastRefresh()).isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
    }
  }

  @Test
  void pagesThatWereThereBeforeHaveTheTimesThatTheirDocumentsTell(@TempDir Path other)
      throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .clock(() -> Instant.parse("2024-01-01T00:00:00Z"))
            .build();
    List<List<Object>> live = new ArrayList<>();
    try (Directory files = FSDirectory.open(other.resolve("index"))) {
      try (IndexWriter plain = new IndexWriter(files, settings())) {
        for (String time :
            List.of(
                "2023-05-01T00:00:00Z", "2023-06-01T12:00:00Z", "soon", "+50000-01-01T00:00:00Z")) {
          Document page = page(time, "alpha");
          page.add(new StringField("fetched", time, Field.Store.NO));
          plain.addDocument(page);
          plain.commit(); // a segment each
        }
        plain.addDocument(page("never", "alpha"));
        for (String time : List.of("2023-07-01T00:00:00Z", "2023-02-01T00:00:00Z")) {
          Document page = page("twice", "alpha");
          page.add(new StringField("fetched", time, Field.Store.NO));
          plain.addDocument(page);
        }
      }
      try (DeltaIndexWriter writer = new DeltaIndexWriter(files, settings(), config)) {
        writer.withHistories(histories -> live.addAll(collected(histories::forEach)));
      }
    }
    try (DeltaState state = DeltaState.open(other.resolve("index"))) {
      assertThat(collected(state.histories()::forEach))
          .containsExactlyInAnyOrderElementsOf(live)
          .extracting(page -> page.get(1))
          .containsExactlyInAnyOrder(
              Instant.parse("2023-05-01T00:00:00Z"),
              Instant.parse("2023-06-01T12:00:00Z"),
              Instant.parse("2023-02-01T00:00:00Z"), // the last copy counts
              Instant.parse("2024-01-01T00:00:00Z"),
              Instant.parse("2024-01-01T00:00:00Z"),
              Instant.parse("2024-01-01T00:00:00Z"));
      for (List<Object> page : live) {
        assertThat(state.histories().of((String) page.get(0)).map(IndexedHistoriesTest::facts))
            .isEqualTo(Optional.of(page));
      }
    }
  }
}
