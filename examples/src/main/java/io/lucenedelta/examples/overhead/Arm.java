// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.lucenedelta.examples.crawl.CrawledPage;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.IORunnable;

/**
 * One way to index, with an index of its own; the same batches go through every arm.
 *
 * <p>A turn of an arm is timed until its merges are done, so that no arm leaves work behind for the
 * next one to pay.
 */
final class Arm implements Closeable {
  private static final OperatingSystemMXBean PROCESS =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final CompilationMXBean COMPILER = ManagementFactory.getCompilationMXBean();

  /** Puts one page into the index. */
  @FunctionalInterface
  interface Update {
    void accept(IndexWriter writer, CrawledPage page) throws IOException;
  }

  private final IndexWriter writer;
  private final ConcurrentMergeScheduler merges;
  private final Update update;
  private final Supplier<Map<String, Long>> costs;
  private final IORunnable question;
  private final FlushClock flushes;
  private long commitNanos; // on the wall
  private int commits;

  /**
   * An arm that closes the writer with its directory and its analyzer; {@code flushes} is the codec
   * the writer was configured with, {@code question} what is asked of a writer that measures.
   */
  Arm(
      IndexWriter writer,
      FlushClock flushes,
      Update update,
      Supplier<Map<String, Long>> costs,
      IORunnable question) {
    this.writer = writer;
    this.flushes = flushes;
    this.merges = (ConcurrentMergeScheduler) writer.getConfig().getMergeScheduler();
    this.update = update;
    this.costs = costs;
    this.question = question;
  }

  /** Puts a page into the index; safe for several threads. */
  void update(CrawledPage page) throws IOException {
    update.accept(writer, page);
  }

  /** Commits what was indexed. */
  void commit() throws IOException {
    long begin = System.nanoTime();
    writer.commit();
    commitNanos += System.nanoTime() - begin;
    commits++;
  }

  /**
   * Asks once for the order of pages, where there is one: only from then on is what it is read from
   * kept up to date with every page, as it is for whoever fetches by it.
   */
  void askForOrder() throws IOException {
    question.run();
  }

  /** Ends a turn: what was indexed is merged as far as the merge policy wants it. */
  void awaitMerges() {
    merges.sync();
  }

  /** What the clocks show now. The differences of two readings tell what a turn took. */
  Lap soFar() {
    return new Lap(
        System.nanoTime() / 1e9,
        commitNanos / 1e9,
        commits,
        PROCESS.getProcessCpuTime() / 1e9,
        compilerMillis() / 1e3,
        flushes.nanos() / 1e9,
        THREADS.getTotalThreadAllocatedBytes(),
        costs.get());
  }

  /**
   * For how long the compiler's threads were at work so far, on the wall, which is more than their
   * CPU where they wait for a processor; 0 in a JVM that has none.
   */
  private static long compilerMillis() {
    return COMPILER == null ? 0 : COMPILER.getTotalCompilationTime();
  }

  /** Bytes of all files of the index. */
  long indexBytes() throws IOException {
    Directory directory = writer.getDirectory();
    long sum = 0;
    for (String file : directory.listAll()) {
      sum += directory.fileLength(file);
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    Directory directory = writer.getDirectory();
    Analyzer analyzer = writer.getAnalyzer();
    try (directory;
        analyzer) {
      writer.close();
    }
  }
}
