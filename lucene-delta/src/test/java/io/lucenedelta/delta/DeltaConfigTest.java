// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.assertj.core.api.ThrowableAssert;
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
  void whatCannotBeMeasuredIsRefusedWithTheValueSeen() {
    DeltaConfig.Builder without = DeltaConfig.builder(QUERIES);
    refuses("no key field is configured; call keyField(name)", without.scoredField("body")::build);
    refuses(
        "no scored field is configured; call scoredField(name)",
        DeltaConfig.builder(QUERIES).keyField("url")::build);
    refuses("no key field is configured", config().keyField("")::build);
    refuses("a scored field needs a name, was empty", () -> config().scoredField(""));
    refuses("field url is configured twice", config().scoredField("url")::build);
    refuses("field body is configured twice", config().scoredField("body")::build);
    refuses("field body is configured twice", config().fetchTimeField("body")::build);
    refuses("field url is configured twice", config().fetchTimeField("url")::build);
    refuses("fetch time field has an empty name", config().fetchTimeField("")::build);
    for (float boost : new float[] {0, -1, Float.NaN, 2e15f, Float.POSITIVE_INFINITY}) {
      refuses(
          "boost of scored field title must be positive and at most 1.0E15, was " + boost,
          () -> config().scoredField("title", boost));
    }
    refuses("every 1 or more batches, was 0", () -> config().rebuildEvery(0));
    refuses("a share over 0 of the pages has changed, was 0.0", () -> config().rebuildShare(0));
    refuses("was NaN", () -> config().rebuildShare(Double.NaN));
    refuses("batch memory must not be negative, was -1", () -> config().batchMemory(-1));
    refuses("1 or more refreshes a batch, was 0", () -> config().selfAudit(0, Duration.ofDays(1)));
    refuses("needs some time, was PT0S", () -> config().selfAudit(1, Duration.ZERO));
  }

  private static void refuses(String complaint, ThrowableAssert.ThrowingCallable call) {
    assertThatIllegalArgumentException().isThrownBy(call).withMessageContaining(complaint);
  }

  @Test
  void aFetchTimeWithoutAFieldForItIsRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> config().build().fetchTime(Instant.EPOCH))
        .withMessageContaining("call fetchTimeField(name) on the builder");
    assertThatNullPointerException()
        .isThrownBy(() -> config().fetchTimeField("at").build().fetchTime(null))
        .withMessage("a fetch time is an instant, was null");
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
