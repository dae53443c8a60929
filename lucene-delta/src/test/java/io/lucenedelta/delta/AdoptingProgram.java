// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** Opens {@code INDEX} for measuring; its exit status is 0 if {@code PAGES} pages were found. */
public final class AdoptingProgram {
  private AdoptingProgram() {}

  /** Runs the program. */
  public static void main(String[] arguments) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .fetchTimeField("fetched")
            .build();
    try (Directory directory = FSDirectory.open(Path.of(arguments[0]));
        DeltaIndexWriter writer =
            new DeltaIndexWriter(
                directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      System.exit(writer.status().pages() == Long.parseLong(arguments[1]) ? 0 : 1);
    }
  }
}
