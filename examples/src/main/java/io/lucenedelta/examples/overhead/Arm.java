// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.lucenedelta.examples.crawl.CrawledPage;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;

/**
 * One way to index, with an index of its own; the same batches go through every arm.
 *
 * <p>An arm is timed from the first page until the commit has returned and its merges are done, so
 * that no arm leaves work behind for the next one to pay.
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
  private final FlushClock flushes;

  /**
   * An arm that closes the writer with its directory and its analyzer; {@code flushes} is the codec
   * the writer was configured with.
   */
  Arm(IndexWriter writer, FlushClock flushes, Update update, Supplier<Map<String, Long>> costs) {
    this.writer = writer;
    this.flushes = flushes;
    this.merges = (ConcurrentMergeScheduler) writer.getConfig().getMergeScheduler();
    this.update = update;
    this.costs = costs;
  }

  /** Indexes a batch in its state of a round and commits. */
  Lap index(UpdateBatch batch, int round, int threads) throws IOException {
    System.gc();
    Map<String, Long> costsBefore = costs.get();
    long flushed = flushes.nanos();
    long allocated = THREADS.getTotalThreadAllocatedBytes();
    long compiled = compilerMillis();
    long cpu = PROCESS.getProcessCpuTime();
    long wall = System.nanoTime();
    addAll(batch, round, threads);
    writer.commit();
    merges.sync();
    return new Lap(
        (System.nanoTime() - wall) / 1e9,
        (PROCESS.getProcessCpuTime() - cpu) / 1e9,
        (compilerMillis() - compiled) / 1e3,
        (flushes.nanos() - flushed) / 1e9,
        THREADS.getTotalThreadAllocatedBytes() - allocated,
        difference(costsBefore, costs.get()));
  }

  /** What the compiler was busy so far; 0 in a JVM that has none. */
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

  private void addAll(UpdateBatch batch, int round, int threads) throws IOException {
    AtomicInteger next = new AtomicInteger();
    if (threads == 1) {
      addSome(batch, round, next);
      return;
    }
    ExecutorService indexers = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < threads; thread++) {
        running.add(
            indexers.submit(
                () -> {
                  addSome(batch, round, next);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("indexing failed: " + e.getCause().getMessage(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("indexing was interrupted", e);
    } finally {
      indexers.shutdownNow();
    }
  }

  private void addSome(UpdateBatch batch, int round, AtomicInteger next) throws IOException {
    for (int i = next.getAndIncrement(); i < batch.size(); i = next.getAndIncrement()) {
      update.accept(writer, batch.page(i, round));
    }
  }

  private static Map<String, Long> difference(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> difference = new LinkedHashMap<>();
    after.forEach((step, nanos) -> difference.put(step, nanos - before.getOrDefault(step, 0L)));
    return difference;
  }
}
