// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process dies after a commit whose segments were merged before it, and the next one asks other
 * questions: what it reads of a page does not look like what was measured. With soft deletes, and a
 * deletion by query, so that only the index can settle the commit.
 */
class MergedBeforeACrashTest {
  private static final int PAGES = 40;
  private static final int BATCHES = 3;

  private final List<String> troubles = new ArrayList<>();

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "alpha, body, true", "beta, body, true", "alpha, title, true", "beta, title, true",
    "alpha, body, false", "beta, body, false", "alpha, title, false", "beta, title, false"
  })
  void noRefreshOfTheLastBatchIsLost(String term, String field, boolean timed) throws Exception {
    Path copy = folder.resolve("copy");
    DeltaConfig first = config("alpha", "body", timed);
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(directory, first)) {
      for (int batch = 0; batch < BATCHES; batch++) {
        for (int page = 0; page < PAGES; page++) {
          put(writer, first, "p" + page, batch + page, day(batch), timed);
          if (page == PAGES / 2) {
            writer.flush(); // two segments a batch, so that there is something to merge
          }
        }
        if (batch == BATCHES - 1) {
          writer.deleteDocuments(new TermQuery(new Term("url", "none")));
          writer.forceMerge(1); // so that the commit's own segments are gone
        }
        writer.commit();
        if (batch < BATCHES - 1) {
          writer.status(); // settles it
        }
      }
      copy(folder.resolve("index"), copy.resolve("index"));
      copy(folder.resolve("index.delta"), copy.resolve("index.delta"));
    }
    try (Directory directory = FSDirectory.open(copy.resolve("index"));
        DeltaIndexWriter writer = open(directory, config(term, field, timed))) {
      for (int page = 0; page < PAGES; page++) {
        assertThat(writer.explain("p" + page).orElseThrow().refreshes())
            .as("page %d", page)
            .hasSize(BATCHES);
      }
      assertThat(writer.status().batchesMeasured()).isEqualTo(BATCHES);
      assertThat(writer.status().batchesIncomplete()).isZero();
    }
    assertThat(troubles).isEmpty();
  }

  private DeltaConfig config(String term, String field, boolean timed) {
    Workload workload = Workload.builder().add(List.of(term), 3).add(List.of("gamma"), 2).build();
    DeltaConfig.Builder config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField(field)
            .clock(() -> day(BATCHES))
            .listener(new Troubles(troubles));
    return timed ? config.fetchTimeField("fetched").build() : config.build();
  }

  private static DeltaIndexWriter open(Directory directory, DeltaConfig config) throws IOException {
    IndexWriterConfig writer = new IndexWriterConfig(new WhitespaceAnalyzer());
    return new DeltaIndexWriter(directory, writer.setSoftDeletesField("deleted"), config);
  }

  private static Instant day(int day) {
    return Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(day));
  }

  private static void put(
      DeltaIndexWriter writer, DeltaConfig config, String url, int text, Instant at, boolean timed)
      throws IOException {
    Document page = new Document();
    page.add(new StringField("url", url, Field.Store.NO));
    page.add(new TextField("title", "beta gamma " + "alpha ".repeat(text % 4), Field.Store.NO));
    page.add(new TextField("body", "alpha beta beta " + "gamma ".repeat(text % 5), Field.Store.NO));
    if (timed) {
      page.add(config.fetchTime(at));
    }
    writer.softUpdateDocument(new Term("url", url), page, new NumericDocValuesField("deleted", 1));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(file.getFileName().toString()));
      }
    }
  }
}
