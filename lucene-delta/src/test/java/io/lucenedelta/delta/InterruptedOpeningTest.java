// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever interrupts a thread that opens a writer hears of it as from Lucene. */
class InterruptedOpeningTest {
  private int untilInterrupt = Integer.MAX_VALUE;

  @Test
  void anInterruptAtAnyFileIsToldAsLuceneTellsIt(@TempDir Path folder) throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 1).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder)
            .stateDirectory(Interrupting::new)
            .build();
    try (Directory index = new ByteBuffersDirectory()) {
      open(index, config).close();
      int files = 0;
      for (; ; files++) {
        untilInterrupt = files;
        IndexWriterConfig writerConfig = new IndexWriterConfig();
        if (opens(index, writerConfig, config)) {
          break;
        }
        assertThat(Thread.interrupted()).as("still interrupted").isFalse();
        untilInterrupt = Integer.MAX_VALUE;
        open(index, config).close();
      }
      assertThat(files).isGreaterThan(2);
    }
  }

  private boolean opens(Directory index, IndexWriterConfig writer, DeltaConfig config)
      throws IOException {
    try {
      new DeltaIndexWriter(index, writer, config).close();
      if (untilInterrupt >= 0) {
        return true;
      }
      Thread.interrupted(); // nothing that opening needs failed of it
    } catch (ThreadInterruptedException e) {
      assertThat(e).cause().hasMessageContaining("interrupted while opening the measurements");
      assertThat(e.getCause().getCause().getSuppressed())
          .as("closing the index")
          .noneMatch(ThreadInterruptedException.class::isInstance);
    }
    return false;
  }

  private static DeltaIndexWriter open(Directory index, DeltaConfig config) throws IOException {
    return new DeltaIndexWriter(index, new IndexWriterConfig(), config);
  }

  private final class Interrupting extends FilterDirectory {
    Interrupting(Directory in) {
      super(in);
    }

    private void count() {
      if (untilInterrupt-- == 0) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      count();
      return in.openInput(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      count();
      return in.createOutput(name, context);
    }
  }
}
