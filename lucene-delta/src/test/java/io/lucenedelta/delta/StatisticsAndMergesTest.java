// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.MergeScheduler;
import org.apache.lucene.index.MergeTrigger;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statistics count deleted pages, as Lucene's do, until these are merged away. */
class StatisticsAndMergesTest {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");
  private static final int PAGES = 200;
  private static final int BATCHES = 14;

  /** The batch that adds more than a tenth of the pages; the next one reads statistics anew. */
  private static final int GROWING = 9;

  @TempDir Path folder;

  @Test
  void whatIsMeasuredDependsOnTheMergesThatAreDoneWhenStatisticsAreReadAnew() throws IOException {
    List<Double> serial = qualityChanges("serial", new SerialMergeScheduler());
    assertThat(serial).hasSize(BATCHES);
    assertThat(serial.subList(1, BATCHES)).allMatch(change -> change > 0);
    assertThat(qualityChanges("again", new SerialMergeScheduler())).isEqualTo(serial);
    List<Double> late = qualityChanges("late", new LateMerges());
    assertThat(late.subList(0, GROWING + 1)).isEqualTo(serial.subList(0, GROWING + 1));
    assertThat(late.subList(GROWING + 1, BATCHES))
        .doesNotContainAnyElementsOf(serial.subList(GROWING + 1, BATCHES));
  }

  /** Merges as threads do that come to it only when the writer waits for them. */
  private static final class LateMerges extends MergeScheduler {
    private final MergeScheduler serial = new SerialMergeScheduler();

    @Override
    public void merge(MergeSource source, MergeTrigger trigger) throws IOException {
      if (trigger == MergeTrigger.CLOSING) {
        serial.merge(source, trigger);
      }
    }

    @Override
    public void close() throws IOException {
      serial.close();
    }
  }

  /** Of batches that update two fifths of the pages each. */
  private List<Double> qualityChanges(String name, MergeScheduler merges) throws IOException {
    List<Double> changes = new ArrayList<>();
    Instant[] now = {START};
    DeltaConfig config =
        DeltaConfig.builder(workload())
            .keyField("url")
            .scoredField("body")
            .hashSeed(0)
            .clock(() -> now[0])
            .listener(
                new DeltaListener() {
                  @Override
                  public void batchMeasured(long generation, int measured, double qualityChange) {
                    changes.add(qualityChange);
                  }
                })
            .build();
    LogDocMergePolicy pairs = new LogDocMergePolicy();
    pairs.setMergeFactor(2);
    Random random = new Random(1);
    try (Directory index = FSDirectory.open(folder.resolve(name));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                index,
                new IndexWriterConfig(new WhitespaceAnalyzer())
                    .setMaxFullFlushMergeWaitMillis(0)
                    .setMergePolicy(pairs)
                    .setMergeScheduler(merges),
                config)) {
      int pages = PAGES;
      for (int batch = 0; batch < BATCHES; batch++) {
        for (int page = 0; page < pages; page++) {
          if (batch == 0 || (page + batch) % 5 < 2) {
            put(writer, page, random);
          }
        }
        for (int added = 0; batch == GROWING && added < PAGES * 12 / 100; added++) {
          put(writer, pages++, random);
        }
        writer.commit();
        now[0] = now[0].plus(Duration.ofDays(7));
      }
    }
    return changes;
  }

  private static Workload workload() {
    WorkloadBuilder workload = Workload.builder();
    for (int topic = 0; topic < 20; topic++) {
      workload.add(List.of("topic" + topic), 10 + topic);
    }
    return workload.build();
  }

  private static void put(DeltaIndexWriter writer, int page, Random random) throws IOException {
    StringBuilder text = new StringBuilder();
    for (int word = 0; word < 10; word++) {
      text.append("topic").append(Math.min(random.nextInt(20), random.nextInt(20))).append(' ');
    }
    String url = "https://a.example/" + page;
    Document document = new Document();
    document.add(new StringField("url", url, Field.Store.YES));
    document.add(new TextField("body", text.toString(), Field.Store.NO));
    writer.updateDocument(new Term("url", url), document);
  }
}
