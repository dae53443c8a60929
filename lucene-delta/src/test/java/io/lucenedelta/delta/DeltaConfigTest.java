// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings as an application meets them. */
class DeltaConfigTest {
  private static final Workload QUERIES =
      Workload.builder().add(List.of("alpha", "beta"), 3).add(List.of("gamma"), 0.5).build();

  @TempDir Path folder;

  private static DeltaConfig.Builder config() {
    return DeltaConfig.builder(QUERIES).keyField("url").scoredField("body");
  }

  @Test
  void inALogItIsItsSettings() {
    assertThat(config().measuringThreads(2).build())
        .hasToString(
            "DeltaConfig[keyField=url, scoredFields=[ScoredField[name=body, boost=1.0]],"
                + " fetchTimeField=none,"
                + " workload=workload of 2 queries over 3 terms, asked 3.5 times in all,"
                + " wholeQueries=2, importance=none, statePath=beside the index,"
                + " estimator=PassedPages[views=PowerLawViews[scale=1.0, exponent=1.5], known=12],"
                + " rebuildShare=0.1, rebuildEvery=never, batchMemory=1073741824,"
                + " measuringThreads=2, countCosts=false, selfAudit=none]");
    assertThat(
            config()
                .fetchTimeField("at")
                .importance(new Importance(page -> 1, Importance.Role.FACTOR))
                .statePath(Path.of("state"))
                .rebuildEvery(9)
                .selfAudit(5, Duration.ofSeconds(2))
                .build())
        .asString()
        .contains("fetchTimeField=at", "importance=FACTOR", "statePath=state", "rebuildEvery=9")
        .endsWith("selfAudit=5 in PT2S]");
  }

  @Test
  void inALogCostsAreTheirSums() {
    assertThat(new Costs(false)).hasToString("CPU time is not counted");
    assertThat(new Costs(true)).asString().startsWith("CPU nanoseconds by step {NOTE=0, FLUSH=0,");
  }

  @Test
  void moreThreadsThanAWriterCanHoldAreRefusedWhenTheyAreSet() throws IOException {
    for (int threads : new int[] {0, -1, 10_001, Integer.MAX_VALUE}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> config().measuringThreads(threads))
          .withMessageContaining("1 to 10000 threads, was " + threads);
    }
    DeltaConfig most = config().measuringThreads(10_000).build();
    try (Directory directory = FSDirectory.open(folder.resolve("index"));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), most)) {
      assertThat(writer.isOpen()).isTrue();
    }
  }
}
