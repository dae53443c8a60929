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
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folders of measurements that go on beside other indexes, as {@code docs/store-format.md} and
 * {@code docs/crawlers.md} say.
 */
class ReshardingTest {
  private static final int PAGES = 30;
  private static final int WEEKS = 4;

  private final List<String> troubles = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  @TempDir Path folder;

  @BeforeEach
  void index() throws IOException {
    try (DeltaIndexWriter writer = open("index")) {
      for (int week = 0; week < WEEKS; week++) {
        change(writer, week, all());
      }
    }
  }

  private DeltaIndexWriter open(String index) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(
                Workload.builder().add(List.of("alpha"), 10).add(List.of("beta"), 3).build())
            .keyField("url")
            .scoredField("body")
            .clock(() -> now)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(
        FSDirectory.open(folder.resolve(index)),
        new IndexWriterConfig(new WhitespaceAnalyzer()),
        config);
  }

  private static List<String> all() {
    return IntStream.range(0, PAGES).mapToObj(page -> "p" + page).toList();
  }

  /** A week later. */
  private void change(DeltaIndexWriter writer, int week, List<String> pages) throws IOException {
    now = now.plus(Duration.ofDays(7));
    for (String page : pages) {
      put(writer, page, "alpha ".repeat(1 + (page.hashCode() + week) % 4) + "beta");
    }
    writer.commit();
  }

  private static void put(DeltaIndexWriter writer, String page, String text) throws IOException {
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", text, Field.Store.NO));
    writer.updateDocument(new Term("url", page), document);
  }

  private void copyMeasurements(String to) throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      state.copyTo(folder.resolve(to + ".delta"));
    }
  }

  private static List<MeasuredRefresh> refreshes(DeltaIndexWriter writer, String page)
      throws IOException {
    return writer.explain(page).map(PageExplanation::refreshes).orElse(List.of());
  }

  private static long measured(DeltaIndexWriter writer, String page) throws IOException {
    return refreshes(writer, page).stream().filter(MeasuredRefresh::measured).count();
  }

  @Test
  void aNewIndexBesideTheOldOneTakesOverHistoriesAndMeasuresFromTheSecondTimeOn() throws Exception {
    copyMeasurements("new");
    try (DeltaIndexWriter old = open("index"); // goes on
        DeltaIndexWriter anew = open("new")) {
      now = now.plus(Duration.ofHours(1));
      for (String page : all()) {
        put(anew, page, "alpha ALPHA by another analyzer");
        if (page.endsWith("9")) {
          anew.commit();
        }
      }
      anew.commit();
      for (String page : all()) {
        assertThat(refreshes(anew, page)).as(page).hasSize(WEEKS + 1);
        assertThat(measured(anew, page)).as(page).isEqualTo(measured(old, page)).isPositive();
      }
      assertThat(anew.nextPages(PAGES + 1, now.plus(Duration.ofDays(1)))).hasSize(PAGES);
      change(anew, 9, all());
      assertThat(measured(anew, "p1")).isEqualTo(measured(old, "p1") + 1);
      assertThat(anew.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("the index does not know of the measurements", "take over their histories");
  }

  @Test
  void bothHalvesOfAnIndexGoOnWithTheHistoriesOfTheirPages() throws Exception {
    for (String half : List.of("p1", "p2")) {
      FolderCopy.make(folder.resolve("index"), folder.resolve(half));
      copyMeasurements(half);
      try (DeltaIndexWriter writer = open(half)) {
        List<String> own = new ArrayList<>(all());
        own.removeIf(page -> page.startsWith(half));
        for (String page : all()) {
          if (page.startsWith(half)) {
            writer.deleteDocuments(new Term("url", page));
          }
        }
        writer.commit();
        assertThat(writer.nextPages(PAGES, now.plus(Duration.ofDays(1)))).hasSameSizeAs(own);
        assertThat(measured(writer, "p0")).isEqualTo(WEEKS - 1);
        change(writer, 9, own);
        assertThat(measured(writer, "p0")).isEqualTo(WEEKS);
        assertThat(writer.status().batchesIncomplete()).isZero();
      }
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void anIndexMadeOfOthersKeepsTheHistoriesOfWhoseFolderItWasGiven() throws Exception {
    try (DeltaIndexWriter other = open("other")) {
      change(other, 0, List.of("q0", "q1"));
      change(other, 1, List.of("q0", "q1"));
    }
    copyMeasurements("whole");
    try (Directory one = FSDirectory.open(folder.resolve("index"));
        Directory two = FSDirectory.open(folder.resolve("other"));
        DeltaIndexWriter whole = open("whole")) {
      whole.addIndexes(one, two);
      whole.commit();
      assertThat(whole.status().pages()).isEqualTo(PAGES + 2);
      assertThat(measured(whole, "p0")).isEqualTo(WEEKS - 1);
      assertThat(refreshes(whole, "q0")).isEmpty();
      change(whole, 9, List.of("p0", "q0"));
      change(whole, 10, List.of("p0", "q0"));
      assertThat(measured(whole, "p0")).isEqualTo(WEEKS + 1);
      assertThat(measured(whole, "q0")).isOne();
    }
    assertThat(troubles)
        .singleElement()
        .asString()
        .contains("the index does not know of the measurements");
  }
}
