// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * Opens a writer in a locale of the JVM that spells Java source wrongly: {@code FOLDER}. Ends with
 * status 0 when it is refused with a sentence, and opens after one was opened in another locale.
 */
public final class LocaleProgram {
  private LocaleProgram() {}

  /** Opens three times; whatever is thrown but the refusal ends the program with status 1. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    try {
      open(folder);
      System.exit(2);
    } catch (IllegalStateException e) {
      if (!e.getMessage().contains("-Duser.language=en")) {
        throw e;
      }
    }
    Locale own = Locale.getDefault();
    Locale.setDefault(Locale.ROOT);
    open(folder);
    Locale.setDefault(own);
    open(folder);
  }

  private static void open(Path folder) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .build();
    try (Directory index = new ByteBuffersDirectory();
        DeltaIndexWriter writer =
            new DeltaIndexWriter(index, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
      writer.commit();
    }
  }
}
