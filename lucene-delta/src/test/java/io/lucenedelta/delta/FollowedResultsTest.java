// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What refreshes are worth by rank functions that follow, and by ones built for every batch. */
class FollowedResultsTest {
  private static final int PAGES = 600;
  private static final int TOPICS = 30;
  private static final int BATCH = 30;
  private static final int BATCHES = 48;
  private static final int LOADING = PAGES / BATCH + 1; // batches until every page is there

  @TempDir Path folder;

  /** A twentieth of the pages gets new text at a time, of topics that go while others come. */
  @Test
  void theyAgreeWhileOneTopicGivesWayToAnother() throws IOException {
    WorkloadBuilder queries = Workload.builder();
    for (int topic = 0; topic < TOPICS; topic++) {
      queries.add(List.of("topic" + topic), 1);
    }
    Workload workload = queries.build();
    DeltaConfig.Builder built = config(workload, "built").rebuildShare(1e-9);
    DeltaConfig.Builder followed = config(workload, "followed");
    try (DeltaIndexWriter anew = open(built.build());
        DeltaIndexWriter following = open(followed.build())) {
      double gained = 0;
      double expected = 0;
      double errors = 0;
      Set<Instant> builds = new HashSet<>();
      for (int batch = 0; batch < LOADING + BATCHES; batch++) {
        index(anew, batch);
        index(following, batch);
        double gain = gains(following) - gained;
        double exact = gains(anew) - expected;
        gained += gain;
        expected += exact;
        if (batch >= LOADING) {
          assertThat(exact).isPositive();
          errors += Math.abs(gain / exact - 1);
          builds.add(following.status().lastRebuild());
        }
      }
      assertThat(errors / BATCHES).as("error of a batch's ΔQ_A").isLessThan(0.05);
      assertThat(builds).as("builds").hasSizeBetween(2, BATCHES / 2);
    }
  }

  private DeltaConfig.Builder config(Workload workload, String name) {
    return DeltaConfig.builder(workload)
        .keyField("url")
        .scoredField("body")
        .fetchTimeField("fetched")
        .statePath(folder.resolve(name + ".state"));
  }

  private static DeltaIndexWriter open(DeltaConfig config) throws IOException {
    IndexWriterConfig settings = new IndexWriterConfig(new WhitespaceAnalyzer());
    return new DeltaIndexWriter(new ByteBuffersDirectory(), settings, config);
  }

  private static void index(DeltaIndexWriter writer, int batch) throws IOException {
    Instant fetched = Instant.parse("2024-01-01T00:00:00Z").plus(Duration.ofDays(batch));
    Random random = new Random(batch);
    for (int i = 0; i < BATCH; i++) {
      String url = "page" + (batch * BATCH + i) % PAGES;
      Document document = new Document();
      document.add(new StringField("url", url, Field.Store.NO));
      document.add(new StringField("fetched", fetched.toString(), Field.Store.NO));
      document.add(new TextField("body", text(random, batch), Field.Store.NO));
      writer.updateDocument(new Term("url", url), document);
    }
    writer.commit();
  }

  /** Words of the third of all topics that a batch is about. */
  private static String text(Random random, int batch) {
    StringBuilder text = new StringBuilder("page");
    for (int word = 0; word < 20; word++) {
      int topic = (batch / 4 + random.nextInt(TOPICS / 3)) % TOPICS;
      text.append(random.nextInt(3) == 0 ? " topic" + topic : " word" + random.nextInt(50));
    }
    return text.toString();
  }

  private static double gains(DeltaIndexWriter writer) throws IOException {
    double[] sum = new double[1];
    writer.withHistories(pages -> pages.forEach(page -> sum[0] += page.totalGain()));
    return sum[0];
  }
}
