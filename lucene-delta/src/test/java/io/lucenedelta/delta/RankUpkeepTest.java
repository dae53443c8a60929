// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rank functions of a live index that have followed its batches, against such built anew. */
class RankUpkeepTest {
  private static final int PAGES = 150;
  private static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "other", "words"};

  @TempDir Path folder;

  private static DeltaConfig config() {
    return DeltaConfig.builder(
            Workload.builder()
                .add(List.of("alpha"), 5)
                .add(List.of("beta", "gamma"), 3)
                .add(List.of("delta"), 1)
                .add(List.of("alpha", "beta", "gamma", "delta"), 1)
                .build())
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .build();
  }

  private static Document document(Random random, DeltaConfig config, String page, int batch) {
    StringBuilder body = new StringBuilder();
    for (int i = random.nextInt(25); i >= 0; i--) {
      body.append(WORDS[random.nextInt(WORDS.length)]).append(' ');
    }
    Document document = new Document();
    document.add(new StringField("url", page, Field.Store.NO));
    document.add(new TextField("body", body.toString(), Field.Store.NO));
    document.add(config.fetchTime(Instant.ofEpochSecond(1_700_000_000L + 3600L * batch)));
    return document;
  }

  @Test
  void numbersAndFirstScoresAreThoseOfTheIndex() throws IOException {
    long seed =
        Long.getLong("upkeep.seed", 7); // once in thousands a score beyond those kept matters
    Random random = new Random(seed);
    DeltaConfig config = config();
    int compared = 0;
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      for (int opening = 0; opening < 4; opening++) {
        try (DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
          for (int i = 0; i < 5; i++) {
            int batch = 5 * opening + i;
            change(random, config, writer, batch);
            compared += compare(index, config, writer, "seed " + seed + ", batch " + batch);
          }
        }
      }
    }
    assertThat(compared).as("batches compared, seed %d", seed).isGreaterThan(10);
  }

  private static void change(Random random, DeltaConfig config, DeltaIndexWriter writer, int batch)
      throws IOException {
    for (int i = batch == 0 ? PAGES : random.nextInt(60); i > 0; i--) {
      String page = "page" + random.nextInt(PAGES);
      if (random.nextInt(8) == 0) {
        writer.deleteDocuments(new Term("url", page));
      } else {
        writer.updateDocument(new Term("url", page), document(random, config, page, batch));
      }
    }
    writer.commit();
  }

  private static int compare(
      Directory index, DeltaConfig config, DeltaIndexWriter writer, String what)
      throws IOException {
    writer.status();
    Ranks followed = writer.measurer().ranks();
    if (followed == null || !writer.measurer().ranksFollow()) {
      return 0;
    }
    RankTable anew;
    try (DirectoryReader reader = DirectoryReader.open(index)) {
      anew = followed.renewed(reader, config, WorkloadTerms.of(config.workload())).table();
    }
    ShiftMeter freshMeter = new PassedPages(PowerLawViews.PAPER).over(followed.table());
    for (int query = 0; query < anew.size(); query++) {
      String which = config.workload().queryText(query) + ", " + what;
      assertThat(first(followed.table(), query)).as(which).isEqualTo(first(anew, query));
      assertThat((double) followed.table().results(query))
          .as("N of " + which)
          .isBetween(0.98 * anew.results(query), 1.02 * anew.results(query));
      float best = followed.table().knotScore(query, 0);
      assertThat(followed.meter().change(query, best / 2, best))
          .as("what measuring keeps of " + which)
          .isEqualTo(freshMeter.change(query, best / 2, best));
    }
    return 1;
  }

  private static float[] first(RankTable table, int query) {
    float[] scores = new float[RankTable.KNOWN];
    for (int knot = 0; knot < scores.length; knot++) {
      scores[knot] = table.knotScore(query, knot);
    }
    return Arrays.copyOf(scores, Math.min(scores.length, table.results(query)));
  }
}
