// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.MergeInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Alone, since it listens to what no thread catches. */
@Isolated
class QuietMergesTest {
  @Test
  void aMergeThatFailsIsToldByTheWriterAndNotByItsThread() throws IOException {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler usual = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> uncaught.add(failure));
    QuietMerges merges = new QuietMerges();
    IndexWriterConfig config = new IndexWriterConfig(new KeywordAnalyzer());
    config.setMergeScheduler(merges);
    IndexWriter writer = new IndexWriter(withoutRoomForMerges(), config);
    try {
      assertThatThrownBy(
              () -> {
                for (int segment = 0; segment < 100; segment++) {
                  Document document = new Document();
                  document.add(new StringField("id", "page " + segment, Field.Store.NO));
                  writer.addDocument(document);
                  writer.flush();
                  merges.sync();
                }
                writer.commit();
              })
          .isInstanceOf(IllegalStateException.class)
          .satisfies(
              failure ->
                  assertThat(Failures.sentence(failure))
                      .endsWith(": No space left on device: free space there, or write elsewhere"));
      assertThat(uncaught).isEmpty();
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(usual);
      writer.rollback();
    }
  }

  private static Directory withoutRoomForMerges() {
    return new FilterDirectory(new ByteBuffersDirectory()) {
      @Override
      public IndexOutput createOutput(String name, IOContext context) throws IOException {
        MergeInfo merge = context.mergeInfo();
        if (merge != null) {
          throw new IOException("No space left on device");
        }
        return super.createOutput(name, context);
      }
    };
  }
}
