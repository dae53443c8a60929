// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.delta.DeltaIndexWriter;
import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.core.KeywordAnalyzer;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.IOConsumer;
import org.apache.lucene.util.IOSupplier;

/**
 * What it takes to measure an index that exists already: a plain index of generated pages is
 * adopted, its rank functions are built, and a tenth of the workload's terms are replaced.
 */
public final class AdoptionProbe {
  /**
   * One step of it.
   *
   * @param name what was done
   * @param seconds by the clock
   * @param cpuSeconds of the thread that did it: of indexing, without merges, which have theirs
   * @param heapBytes most heap that was found in use after a collection, 0 if there was none
   * @param status how measuring stood afterwards; null where nothing is measured
   */
  public record Step(
      String name, double seconds, double cpuSeconds, long heapBytes, DeltaStatus status) {}

  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final double REPLACED = 0.1;

  private final GeneratedPages pages = new GeneratedPages();
  private final Path folder;
  private final long count;
  private final DeltaListener progress;
  private final List<Step> steps = new ArrayList<>();

  /**
   * A probe that works in a folder, which it fills with an index and its measurements and removes.
   *
   * @param count number of pages, at least 1
   * @param progress hears how far long steps are
   */
  public AdoptionProbe(Path folder, long count, DeltaListener progress) {
    if (count < 1) {
      throw new IllegalArgumentException("at least 1 page is needed, was " + count);
    }
    this.folder = folder;
    this.count = count;
    this.progress = progress;
  }

  /** Takes all steps, in order. */
  public List<Step> run() throws IOException {
    WorkFolder.make(folder);
    try (Directory directory = FSDirectory.open(folder.resolve("index"))) {
      timed("index plainly", () -> indexPlainly(directory));
      Workload before = pages.workload(0);
      timed("adopt", () -> open(directory, before, this::nothing));
      timed("open again", () -> open(directory, before, this::nothing));
      timed("first batch, which builds ranks", () -> open(directory, before, this::onePage));
      Workload after = pages.workload(REPLACED);
      timed("replace a tenth of the terms", () -> open(directory, after, this::nothing));
    } finally {
      WorkFolder.remove(folder);
    }
    return List.copyOf(steps);
  }

  private void timed(String name, IOSupplier<DeltaStatus> work) throws IOException {
    try (HeapAfterCollections heap = HeapAfterCollections.watch()) {
      long begin = System.nanoTime();
      long cpu = CLOCK.getCurrentThreadCpuTime();
      DeltaStatus status = work.get();
      double cpuSeconds = (CLOCK.getCurrentThreadCpuTime() - cpu) / 1e9;
      steps.add(new Step(name, (System.nanoTime() - begin) / 1e9, cpuSeconds, heap.most(), status));
    }
  }

  private DeltaStatus indexPlainly(Directory directory) throws IOException {
    IndexWriterConfig config = new IndexWriterConfig(new KeywordAnalyzer()).setRAMBufferSizeMB(128);
    try (IndexWriter writer = new IndexWriter(directory, config)) {
      for (long page = 0; page < count; page++) {
        writer.addDocument(pages.document(page));
        if (page % 10_000 == 9_999) {
          progress.progress("indexing plainly", page + 1, count);
        }
      }
    }
    return null;
  }

  private DeltaStatus open(Directory directory, Workload workload, IOConsumer<DeltaIndexWriter> use)
      throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(workload)
            .keyField("url")
            .scoredField(PageAnalysis.BODY)
            .listener(progress)
            .build();
    try (DeltaIndexWriter writer =
        new DeltaIndexWriter(directory, new IndexWriterConfig(new KeywordAnalyzer()), config)) {
      use.accept(writer);
      return writer.status();
    }
  }

  private void nothing(DeltaIndexWriter writer) {}

  private void onePage(DeltaIndexWriter writer) throws IOException {
    String key = GeneratedPages.key(0);
    writer.updateDocument(new Term("url", key), pages.document(key, count));
    writer.commit();
  }
}
