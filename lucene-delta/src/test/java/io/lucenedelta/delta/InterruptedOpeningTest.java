// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.ThreadInterruptedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever interrupts a thread that opens a writer hears of it as from Lucene. */
class InterruptedOpeningTest {
  private static final int PAGES = 40;

  private int untilInterrupt = Integer.MAX_VALUE;
  private String interruptedAt = "none"; // what the names of files begin with

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

  /** Or who wants to break that off would wait for it. */
  @Test
  void thePagesThatItHadYetToReadAreNotReadBeforeItIsTold(@TempDir Path folder) throws IOException {
    AtomicInteger puts = new AtomicInteger();
    FaultPoints interrupts =
        point -> {
          if (point.equals(FaultPoints.STORE) && puts.getAndIncrement() == 0) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new ClosedByInterruptException());
          }
        };
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config("alpha").build())) {
        put(writer);
      }
      DeltaConfig another = config("beta").faults(interrupts).build();
      assertThatThrownBy(() -> open(index, another)).isInstanceOf(ThreadInterruptedException.class);
      assertThat(Thread.interrupted()).as("still interrupted").isFalse();
      assertThat(puts).as("pages written").hasValue(1);
      try (DeltaIndexWriter writer = open(index, another)) {
        assertThat(writer.status().pages()).isEqualTo(PAGES);
      }
    }
  }

  /** Or in a large index an opening that is given up after some time would never come to an end. */
  @Test
  void anInterruptAsThePageStoreIsCheckedLeavesItToTheNextOpening(@TempDir Path folder)
      throws IOException {
    AtomicInteger puts = new AtomicInteger();
    List<String> troubles = new ArrayList<>();
    FaultPoints counting =
        point -> {
          if (point.equals(FaultPoints.STORE)) {
            puts.incrementAndGet();
          }
        };
    DeltaConfig config =
        config("alpha")
            .faults(counting)
            .stateDirectory(Interrupting::new)
            .listener(new Troubles(troubles))
            .build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config)) {
        put(writer);
      }
      assertThat(puts).hasValue(PAGES);
      interruptedAt = PagesCheck.PREFIX;
      assertThatThrownBy(() -> open(index, config)).isInstanceOf(ThreadInterruptedException.class);
      assertThat(Thread.interrupted()).as("still interrupted").isFalse();
      interruptedAt = "none";
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.status().pages()).isEqualTo(PAGES);
      }
      assertThat(puts).as("with those read anew").hasValue(PAGES);
      assertThat(troubles).isEmpty();
    }
  }

  @Test
  void whatAnotherWriterChangedCountsOnceWhereTheFirstOpeningIsInterrupted(@TempDir Path folder)
      throws IOException {
    AtomicInteger untilLast = new AtomicInteger(Integer.MAX_VALUE);
    FaultPoints interrupts =
        point -> {
          if (point.equals(FaultPoints.STORE) && untilLast.decrementAndGet() == 0) {
            Thread.currentThread().interrupt();
          }
        };
    DeltaConfig config = config("alpha").faults(interrupts).build();
    try (Directory index = FSDirectory.open(folder.resolve("index"))) {
      try (DeltaIndexWriter writer = open(index, config)) {
        put(writer);
      }
      try (IndexWriter plain = new IndexWriter(index, new IndexWriterConfig())) {
        put(plain);
      }
      FolderCopy.make(folder.resolve("index"), folder.resolve("copy"));
      FolderCopy.make(folder.resolve("index.delta"), folder.resolve("copy.delta"));
      untilLast.set(Integer.MAX_VALUE);
      try (Directory copy = FSDirectory.open(folder.resolve("copy"))) {
        open(copy, config).close();
      }
      untilLast.set(Integer.MAX_VALUE - untilLast.get());
      assertThatThrownBy(() -> open(index, config)).isInstanceOf(ThreadInterruptedException.class);
      assertThat(Thread.interrupted()).as("still interrupted").isFalse();
      try (DeltaIndexWriter writer = open(index, config)) {
        assertThat(writer.status().batchesIncomplete()).isOne();
      }
    }
  }

  private static DeltaConfig.Builder config(String term) {
    return DeltaConfig.builder(Workload.builder().add(List.of(term), 1).build())
        .keyField("url")
        .scoredField("body");
  }

  private static void put(IndexWriter writer) throws IOException {
    for (int page = 0; page < PAGES; page++) {
      Document document = new Document();
      document.add(new StringField("url", "p" + page, Field.Store.NO));
      document.add(new TextField("body", "alpha beta", Field.Store.NO));
      writer.updateDocument(new Term("url", "p" + page), document);
    }
    writer.commit();
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

    private void count(String name) {
      if (untilInterrupt-- == 0 || name.startsWith(interruptedAt)) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public IndexInput openInput(String name, IOContext context) throws IOException {
      count(name);
      return in.openInput(name, context);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      count(name);
      return in.createOutput(name, context);
    }
  }
}
