// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
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
