// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A manifest that cannot be written for a while, until the writer ends. */
class UnwrittenManifestTest {
  private final List<String> troubles = new ArrayList<>();
  private volatile boolean full;

  @TempDir Path folder;

  /** Has no room for another manifest. */
  private final class Full extends FilterDirectory {
    Full(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (full && name.equals("pending_delta")) {
        throw new IOException("injected: no space left on device");
      }
      return in.createOutput(name, context);
    }
  }

  private DeltaIndexWriter open(Path index) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .stateDirectory(Full::new)
            .listener(new Troubles(troubles))
            .build();
    return new DeltaIndexWriter(
        FSDirectory.open(index), new IndexWriterConfig(new WhitespaceAnalyzer()), config);
  }

  private static void commitBatch(DeltaIndexWriter writer, int number) throws IOException {
    for (int page = 0; page < 10; page++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + page, Field.Store.NO));
      document.add(new TextField("body", "alpha" + " word".repeat(number + page), Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + page), document);
    }
    writer.commit();
  }

  @Test
  void batchesThatNeverBecamePartOfTheHistoryAreCountedAndTold() throws IOException {
    try (DeltaIndexWriter writer = open(folder.resolve("index"))) {
      for (int batch = 1; batch <= 5; batch++) {
        full = batch > 2;
        commitBatch(writer, batch);
      }
      FolderCopy.make(folder.resolve("index"), folder.resolve("killed"));
      FolderCopy.make(folder.resolve("index.delta"), folder.resolve("killed.delta"));
      full = false;
    }
    troubles.clear();
    try (DeltaIndexWriter writer = open(folder.resolve("killed"))) {
      List<MeasuredRefresh> refreshes = writer.explain("p1").orElseThrow().refreshes();
      assertThat(refreshes).extracting(MeasuredRefresh::generation).containsExactly(5L, 2L, 1L);
      assertThat(refreshes.get(0).measured()).as("the pages before it were not known").isFalse();
      assertThat(writer.status().batchesIncomplete()).as("two and that one").isEqualTo(3);
      assertThat(troubles)
          .containsExactly(
              "what was measured of 2 batches between batch 2 and batch 5 never became part of the history: the state could not be written before its writer ended");
    }
  }
}
