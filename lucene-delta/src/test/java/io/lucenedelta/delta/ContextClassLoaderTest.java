// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chronicle Map looks for its classes by the thread's context class loader. */
class ContextClassLoaderTest {
  private static final int NOT_MEASURED = 10;
  private static final int NOT_AS_BEFORE = 11;

  @TempDir Path folder;

  /** In a process of its own: Chronicle Map remembers what an earlier writer found. */
  @Test
  void theFirstWriterOfAProcessOpensOnAThreadThatHasNone() throws Exception {
    assertThat(Child.run(Program.class, List.of(), folder.resolve("index"))).isZero();
  }

  @Test
  void aThreadKeepsItsOwnWhenAStoreIsMadeOrOpened() throws IOException {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    ClassLoader own = new ClassLoader(null) {};
    thread.setContextClassLoader(own);
    try {
      PageStore store = PageStore.create(folder, 1, 0, FaultPoints.NONE);
      store.close();
      assertThat(thread.getContextClassLoader()).isSameAs(own);
      PageStore.open(folder, 1, store.capacity(), FaultPoints.NONE).close();
      assertThat(thread.getContextClassLoader()).isSameAs(own);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Makes measurements, and goes on with them, on a thread without a context class loader. */
  static final class Program {
    private Program() {}

    public static void main(String[] arguments) throws IOException {
      Thread.currentThread().setContextClassLoader(null);
      for (int page = 1; page <= 2; page++) {
        if (pagesWith("p" + page, Path.of(arguments[0])) != page) {
          System.exit(NOT_MEASURED);
        }
      }
      System.exit(Thread.currentThread().getContextClassLoader() == null ? 0 : NOT_AS_BEFORE);
    }

    private static long pagesWith(String key, Path index) throws IOException {
      DeltaConfig config =
          DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
              .keyField("url")
              .scoredField("body")
              .build();
      try (Directory directory = FSDirectory.open(index);
          DeltaIndexWriter writer =
              new DeltaIndexWriter(
                  directory, new IndexWriterConfig(new WhitespaceAnalyzer()), config)) {
        Document document = new Document();
        document.add(new StringField("url", key, Field.Store.NO));
        document.add(new TextField("body", "alpha", Field.Store.NO));
        writer.updateDocument(new Term("url", key), document);
        writer.commit();
        return writer.status().pages();
      }
    }
  }
}
