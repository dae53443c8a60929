// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live index that scores by importance alone, where most pages share the least importance. */
class StandingsTest {
  private static final long SEED = 4;
  private static final int PAGES = 200;
  private static final int MANY = 70_000; // more than are sampled

  @TempDir Path folder;
  private final Random random = new Random(SEED);

  private static DeltaConfig config() {
    Workload workload =
        Workload.builder()
            .add(List.of("alpha"), 10)
            .add(List.of("beta"), 5)
            .add(List.of("alpha", "beta"), 3)
            .build();
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .importance(
            new Importance(
                page -> page.endsWith("7") ? 1 + page.charAt(4) - '0' : 1, Importance.Role.ALONE))
        .selfAudit(PAGES, Duration.ofHours(1))
        .build();
  }

  private static DeltaIndexWriter open(Directory index, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  /** Writes all pages in week 0, some of them later. */
  private void commit(DeltaIndexWriter writer, DeltaConfig config, int week) throws IOException {
    for (int i = 0; i < PAGES; i++) {
      if (week == 0 || random.nextInt(20) == 0) {
        Document page = new Document();
        page.add(new StringField("url", key(i), Field.Store.NO));
        String body = (random.nextBoolean() ? "alpha " : "") + (random.nextBoolean() ? "beta" : "");
        page.add(new TextField("body", body, Field.Store.NO));
        page.add(
            config.fetchTime(
                Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(7L * week))));
        writer.updateDocument(new Term("url", key(i)), page);
      }
    }
    writer.commit();
  }

  private static String key(int page) {
    return "page%03d".formatted(page);
  }

  @Test
  void whatAPageLeavesToThoseBehindItFollowsItsPlaceAmongEquals() throws IOException {
    DeltaConfig config = config();
    try (Directory index = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer = open(index, config)) {
      for (int week = 0; week < 12; week++) {
        commit(writer, config, week);
      }
      SelfAudit audit = writer.status().selfAudit();
      assertThat(audit.audited()).as("seed %d", SEED).isGreaterThan(50);
      assertThat(audit.agreement().spearman()).as("seed %d", SEED).isGreaterThan(0.97);
      assertThat(audit.agreement().negative()).isZero();
    }
  }

  @Test
  void standingsSurviveReopening() throws IOException {
    DeltaConfig config = config();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      float[] before = new float[PAGES];
      try (DeltaIndexWriter writer = open(index, config)) {
        commit(writer, config, 0);
        commit(writer, config, 1);
        for (int page = 0; page < PAGES; page++) {
          before[page] = writer.measurer().ranks().standings().of(key(page));
        }
      }
      assertThat(before).as("nobody stands where another does").doesNotHaveDuplicates();
      try (DeltaIndexWriter writer = open(index, config)) {
        for (int page = 0; page < PAGES; page++) {
          assertThat(writer.measurer().ranks().standings().of(key(page)))
              .as(key(page))
              .isEqualTo(before[page]);
        }
      }
    }
    assertThat(config().ranksByImportance()).isTrue();
  }

  @Test
  void standingsOfMorePagesThanAreSampledSurviveWriting() throws IOException {
    try (Directory index = manyEqualPages();
        DirectoryReader reader = DirectoryReader.open(index)) {
      DeltaConfig config = alike(1);
      Standings standings = Standings.of(reader, config);
      try (IndexOutput out = index.createOutput("standings", IOContext.DEFAULT)) {
        standings.write(out);
      }
      try (IndexInput in = index.openInput("standings", IOContext.DEFAULT)) {
        Standings read = Standings.read(in, config);
        for (int page = 0; page < MANY; page += 777) {
          assertThat(read.of(key(page))).as(key(page)).isEqualTo(standings.of(key(page)));
        }
      }
    }
  }

  @Test
  void amongEqualsAnotherSeedMakesAnotherOrder() throws IOException {
    try (Directory index = manyEqualPages();
        DirectoryReader reader = DirectoryReader.open(index)) {
      Standings standings = Standings.of(reader, alike(1));
      Standings others = Standings.of(reader, alike(2));
      int same = 0;
      int compared = 0;
      for (int page = 0; page < MANY; page += 777, compared++) {
        same += standings.of(key(page)) == others.of(key(page)) ? 1 : 0;
      }
      assertThat(same).isLessThan(compared / 4);
    }
  }

  private static DeltaConfig alike(long hashSeed) {
    return DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
        .keyField("url")
        .scoredField("body")
        .importance(new Importance(page -> 1, Importance.Role.ALONE))
        .hashSeed(hashSeed)
        .build();
  }

  private static Directory manyEqualPages() throws IOException {
    Directory index = new ByteBuffersDirectory();
    try (IndexWriter writer = new IndexWriter(index, new IndexWriterConfig())) {
      for (int page = 0; page < MANY; page++) {
        Document document = new Document();
        document.add(new StringField("url", key(page), Field.Store.NO));
        writer.addDocument(document);
      }
    }
    return index;
  }
}
