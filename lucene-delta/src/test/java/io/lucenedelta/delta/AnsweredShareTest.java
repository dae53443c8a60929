// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
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

/** What share of the queries finds anything: it shows a workload that was analysed otherwise. */
class AnsweredShareTest {
  @TempDir private Path folder;

  private final DeltaConfig config =
      DeltaConfig.builder(
              Workload.builder()
                  .add(List.of("alpha"), 3)
                  .add(List.of("beta", "gamma"), 1)
                  .add(List.of("Beta"), 6) // as no page has it: their analyzer lowers letters
                  .build())
          .keyField("url")
          .scoredField("body")
          .clock(() -> Instant.parse("2024-01-01T00:00:00Z"))
          .build();

  @Test
  void aQueryIsAnsweredWhereOnePageHasAllOfItsTerms() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()), config)) {
      put(writer, "a", "alpha beta");
      put(writer, "b", "gamma");
      writer.commit();
      assertThat(writer.status().answered()).as("no rank functions yet").isNaN();
      assertThat(writer.status().toString()).doesNotContain("answered");
      assertThat(read().answered()).isNaN();

      put(writer, "c", "gamma");
      writer.commit();
      assertThat(writer.status().answered()).isCloseTo(0.3, within(1e-12));
      assertThat(writer.status().toString()).contains(", 30.0 % of the volume answered");
      assertThat(read().answered()).isCloseTo(0.3, within(1e-12));

      put(writer, "b", "gamma and Beta");
      writer.commit();
      writer.rebuild();
      assertThat(writer.status().answered()).isCloseTo(0.4, within(1e-12));
      assertThat(read().answered()).isCloseTo(0.4, within(1e-12));
    }
  }

  @Test
  void aFileOfRankFunctionsThatCannotBeReadLeavesTheRestOfTheStatus() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new StandardAnalyzer()), config)) {
      put(writer, "a", "alpha beta");
      writer.commit();
      put(writer, "b", "gamma");
      writer.commit();
    }
    try (Stream<Path> files = Files.list(folder.resolve("index.delta"))) {
      for (Path file : files.filter(f -> f.getFileName().toString().startsWith("ranks")).toList()) {
        Files.write(file, new byte[] {1, 2, 3});
      }
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      assertThat(state.status().pages()).isEqualTo(2);
      assertThat(state.status().answered()).isNaN();
      requireTold(state);
    }
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      Discoveries discovered = state.discoveries(new StandardAnalyzer());
      discovered.add("c", "alpha", config.now());
      assertThat(state.nextPages(discovered, 3, config.now())).isNotEmpty();
      requireTold(state);
    }
  }

  private static void requireTold(DeltaState state) {
    assertThat(state.troubles())
        .singleElement()
        .asString()
        .startsWith("rank functions cannot be read, and are left out until a writer builds them");
  }

  @Test
  void queriesMeasuredByTheirTermsAreNotCounted() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = measuring(directory, 0.9)) {
      putAlphaAndTheTermsOfOtherQueriesApart(writer);
      assertThat(writer.status().wholeQueries()).isEqualTo(2);
      assertThat(writer.status().answered()).isCloseTo(12.0 / 18, within(1e-12));
      assertThat(writer.status().toString()).contains(", 66.7 % of the volume of whole queries");
    }
    assertThat(read().answered()).isCloseTo(12.0 / 18, within(1e-12));
  }

  @Test
  void nothingIsSaidWhereAllQueriesAreMeasuredByTheirTerms() throws Exception {
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = measuring(directory, 0)) {
      putAlphaAndTheTermsOfOtherQueriesApart(writer);
      assertThat(writer.status().answered()).isNaN();
      assertThat(writer.status().toString()).doesNotContain("answered");
    }
    assertThat(read().answered()).isNaN();
  }

  @Test
  void whereThereIsNoPageAndNoQueryBytesAreNoneForEachAndNoWordIsNaN() throws Exception {
    DeltaConfig none =
        DeltaConfig.builder(Workload.builder().build()).keyField("url").scoredField("body").build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()), none)) {
      DeltaStatus fresh = writer.status();
      assertThat(fresh.pagesKnown()).isZero();
      assertThat(fresh.bytesPerPage()).isZero();
      assertThat(fresh.bytesPerQuery()).isZero();
      assertThat(fresh.toString()).doesNotContain("NaN");
      put(writer, "a", "alpha");
      writer.commit();
      writer.rebuild();
      DeltaStatus ranked = writer.status();
      assertThat(ranked.lastRebuild()).isNotNull();
      assertThat(ranked.bytesPerPage()).isPositive();
      assertThat(ranked.bytesPerQuery()).isZero();
      assertThat(ranked.toString()).doesNotContain("NaN");
    }
  }

  /** Of 20 searches 12 find a page, and every term is on one. */
  private static DeltaIndexWriter measuring(Directory directory, double wholeQueries)
      throws IOException {
    DeltaConfig settings =
        DeltaConfig.builder(
                Workload.builder()
                    .add(List.of("alpha"), 12)
                    .add(List.of("beta", "gamma"), 6)
                    .add(List.of("alpha", "gamma"), 1)
                    .add(List.of("beta", "delta"), 1)
                    .build())
            .keyField("url")
            .scoredField("body")
            .wholeQueries(wholeQueries, Long.MAX_VALUE)
            .clock(() -> Instant.parse("2024-01-01T00:00:00Z"))
            .build();
    return new DeltaIndexWriter(directory, new IndexWriterConfig(new StandardAnalyzer()), settings);
  }

  private static void putAlphaAndTheTermsOfOtherQueriesApart(DeltaIndexWriter writer)
      throws IOException {
    put(writer, "a", "alpha");
    put(writer, "b", "beta");
    writer.commit();
    put(writer, "c", "gamma");
    put(writer, "d", "delta");
    writer.commit();
    writer.rebuild();
  }

  private DeltaStatus read() throws IOException {
    try (DeltaState state = DeltaState.open(folder.resolve("index"))) {
      return state.status();
    }
  }

  private static void put(DeltaIndexWriter writer, String url, String body) throws IOException {
    Document page = new Document();
    page.add(new StringField("url", url, Field.Store.NO));
    page.add(new TextField("body", body, Field.Store.NO));
    writer.updateDocument(new Term("url", url), page);
  }
}
