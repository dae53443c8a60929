// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

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

  @TempDir private Path folder;
  private Instant now = Instant.parse("2024-06-01T00:00:00Z");

  private DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder().add(List.of("alpha"), 5).add(List.of("beta"), 5).build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .clock(() -> now)
        .build();
  }

  private DeltaIndexWriter open() throws IOException {
    Directory index = FSDirectory.open(folder.resolve("index"));
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
