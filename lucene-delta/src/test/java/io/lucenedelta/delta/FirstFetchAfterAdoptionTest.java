// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When a page that was in the index before anything was measured was fetched nobody knows, unless
 * its document tells: what changed until it is fetched again may be the change of an hour or a
 * year.
 */
class FirstFetchAfterAdoptionTest {
  private static final int PAGES = 40;
  private static final Instant FIRST = Instant.parse("1990-01-01T00:00:00Z");

  private final List<String> troubles = new ArrayList<>();
  private FaultPoints faults = FaultPoints.NONE;

  @TempDir private Path folder;
  private Instant now = Instant.parse("2024-06-01T00:00:00Z");

  private DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder().add(List.of("alpha"), 5).add(List.of("beta"), 5).build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .clock(() -> now)
        .listener(new Troubles(troubles))
        .faults(point -> faults.at(point))
        .build();
  }

  private DeltaIndexWriter open() throws IOException {
    return open("index");
  }

  private DeltaIndexWriter open(String name) throws IOException {
    Directory index = FSDirectory.open(folder.resolve(name));
    return new DeltaIndexWriter(index, lucenes(), config());
  }

  private static IndexWriterConfig lucenes() {
    return new IndexWriterConfig(new WhitespaceAnalyzer());
  }

  private Document document(String url, int page, int edition) {
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.NO));
    String text = "alpha ".repeat(1 + page % 5) + "beta ".repeat(edition);
    document.add(new TextField("body", text, Field.Store.NO));
    return document;
  }

  @BeforeEach
  void indexPagesByPlainLucene() throws IOException {
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        IndexWriter plain = new IndexWriter(index, lucenes())) {
      for (int page = 0; page < PAGES; page++) {
        plain.addDocument(document("p" + page, page, 0));
        Document timed = document("t" + page, page, 0);
        timed.add(config().fetchTime(now.minus(Duration.ofDays(30))));
        plain.addDocument(timed);
      }
    }
  }

  @Test
  void isNoMeasurementUnlessTheDocumentTellsWhenItWasFetched() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      writer.nextPages(1);
      double before = useful(writer, "p1");
      now = now.plus(Duration.ofHours(1));
      for (String url : List.of("p1", "t1")) {
        writer.updateDocument(new Term("url", url), document(url, 1, 1));
      }
      writer.updateDocument(new Term("url", "p2"), document("p2", 2, 0)); // as it was
      writer.recordUnchanged("p3", now);
      writer.recordUnchanged("t3", now);
      writer.commit();
      for (String url : List.of("p1", "p2", "p3")) {
        assertThat(last(writer, url).fetched()).as(url).isEqualTo(now);
        assertThat(last(writer, url).measured()).as(url).isFalse();
      }
      for (String url : List.of("t1", "t3")) {
        assertThat(last(writer, url).measured()).as(url).isTrue();
        assertThat(last(writer, url).interval()).isEqualTo(Duration.ofHours(30 * 24 + 1));
      }
      assertThat(useful(writer, "p1")).as("of the new text").isGreaterThan(before);
      assertThat(writer.measurer().ranks().table().results(1)).as("pages about beta").isEqualTo(2);

      now = now.plus(Duration.ofDays(2));
      writer.updateDocument(new Term("url", "p1"), document("p1", 1, 2));
      writer.recordUnchanged("p3", now);
      writer.commit();
      assertThat(last(writer, "p1").qualityChange()).isPositive();
      assertThat(last(writer, "p1").interval()).isEqualTo(Duration.ofDays(2));
      assertThat(last(writer, "p3").interval()).isEqualTo(Duration.ofDays(2));
    }
  }

  @Test
  void isMeasuredSinceTheLastVisitThatWasToldBefore() throws Exception {
    Instant visited = now.minus(Duration.ofDays(60));
    try (DeltaIndexWriter writer = open()) {
      for (String url : List.of("p1", "p2", "t1")) {
        writer.recordUnchanged(url, visited);
      }
      writer.recordUnchanged("p3", FIRST.minusMillis(1));
      writer.recordUnchanged("p4", now.plus(Duration.ofDays(2)));
      writer.recordUnchanged("p5", FIRST);
      writer.commit();
      assertThat(troubles)
          .containsExactly(
              "visits not recorded: 1 not later than the page's last refresh (the first is of t1);"
                  + " 1 dated before 1990 (the first is of p3);"
                  + " 1 more than a day ahead of the clock (the first is of p4)");
      assertThat(writer.explain("p3")).isEmpty();
      assertThat(last(writer, "p5").fetched()).isEqualTo(FIRST);
      for (String url : List.of("p1", "p2")) {
        assertThat(last(writer, url).fetched()).as(url).isEqualTo(visited);
        assertThat(last(writer, url).measured()).as(url).isFalse();
      }
      assertThat(nextOf(writer, "p1")).as("waits longer").isGreaterThan(nextOf(writer, "p6"));

      now = now.plus(Duration.ofDays(1));
      writer.updateDocument(new Term("url", "p1"), document("p1", 1, 1));
      writer.recordUnchanged("p2", now);
      writer.recordUnchanged("p6", visited);
      writer.commit();
      assertThat(last(writer, "p1").qualityChange()).isPositive();
      assertThat(last(writer, "p2").qualityChange()).isZero();
      for (String url : List.of("p1", "p2")) {
        assertThat(last(writer, url).interval()).as(url).isEqualTo(Duration.ofDays(61));
      }
      writer.recordUnchanged("p6", visited.minusMillis(1));
      writer.commit();
      assertThat(last(writer, "p6").fetched()).isEqualTo(visited);
      assertThat(troubles).hasSize(2).last().asString().contains("1 not later").contains("p6");
    }
  }

  private double nextOf(DeltaIndexWriter writer, String page) throws IOException {
    return writer.nextPages(2 * PAGES, now.plus(Duration.ofHours(1))).stream()
        .filter(next -> next.page().equals(page))
        .findAny()
        .orElseThrow()
        .priority();
  }

  @Test
  void isMeasuredSinceThatVisitHoweverItWasKept() throws Exception {
    Instant visited = now.minus(Duration.ofDays(60));
    Map<String, List<Object>> expected;
    try (DeltaIndexWriter writer = open()) {
      writer.nextPages(1);
      faults = point -> copyAt(FaultPoints.SETTLE, point, "unsettled");
      for (int page = 0; page < PAGES; page += 2) {
        writer.recordUnchanged("p" + page, visited.plus(Duration.ofDays(page)));
      }
      writer.commit();
      faults = FaultPoints.NONE;
      expected = histories(writer);
      assertThat(expected.get("p4")).startsWith(visited.plus(Duration.ofDays(4)));
      copy("settled");
      writer.rebuild();
      assertThat(histories(writer)).as("rebuilt").isEqualTo(expected);
      try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
        assertThat(histories(state.histories())).as("read by others").isEqualTo(expected);
      }
    }
    for (String kept : List.of("index", "unsettled", "settled")) {
      Instant before = now;
      try (DeltaIndexWriter writer = open(kept)) {
        assertThat(histories(writer)).as(kept).isEqualTo(expected);
        now = now.plus(Duration.ofDays(1));
        writer.updateDocument(new Term("url", "p4"), document("p4", 4, 1));
        writer.commit();
        assertThat(last(writer, "p4").interval()).as(kept).isEqualTo(Duration.ofDays(57));
      }
      now = before;
    }
    assertThat(troubles).isEmpty();
  }

  private void copyAt(String at, String point, String name) {
    if (point.equals(at)) {
      try {
        copy(name);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void copy(String name) throws IOException {
    FolderCopy.make(folder.resolve("index"), folder.resolve(name));
    FolderCopy.make(folder.resolve("index.delta"), folder.resolve(name + ".delta"));
  }

  private static Map<String, List<Object>> histories(DeltaIndexWriter writer) throws IOException {
    Map<String, List<Object>> facts = new TreeMap<>();
    writer.withHistories(pages -> facts.putAll(histories(pages)));
    return facts;
  }

  private static Map<String, List<Object>> histories(PageHistories pages) {
    Map<String, List<Object>> facts = new TreeMap<>();
    pages.forEach(
        page ->
            facts.put(
                page.page(), List.of(page.lastRefresh(), page.refreshes(), page.totalDays())));
    return facts;
  }

  private static MeasuredRefresh last(DeltaIndexWriter writer, String page) throws IOException {
    return writer.explain(page).orElseThrow().refreshes().get(0);
  }

  private static double useful(DeltaIndexWriter writer, String page) throws IOException {
    double[] useful = new double[1];
    writer.withHistories(
        all ->
            all.forEach(known -> useful[0] += known.page().equals(page) ? known.usefulness() : 0));
    return useful[0];
  }
}
