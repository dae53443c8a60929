// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.io.Closeable;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Hands out what a snapshot holds in its order, on the thread that reads it, while idle processors
 * find the texts of what follows and prepare them: parsing and analysing take longer than reading.
 *
 * <p>Only so much of what follows is held that memory does not grow with the snapshot: four pages a
 * processor, none of them larger than the largest page, and packed not more than that together.
 * Where no processor is idle, the thread that reads does all of it. Not safe for use by several
 * threads.
 */
final class ReadAhead implements Closeable {
  private static final int PAGES_A_PROCESSOR = 4;

  private final SnapshotFilter filter;
  private final SnapshotTally tally;
  private final Queue<Ahead> queue = new ArrayDeque<>();
  private final int most;
  private long bytes; // of all in the queue
  private boolean failed; // so that nothing more is handed out

  /** What hands out a finding, once it is found; of so many bytes of the snapshot. */
  private record Ahead(FutureTask<Runnable> turn, int bytes) {}

  ReadAhead(SnapshotFilter filter, SnapshotTally tally) {
    this.filter = filter;
    this.tally = tally;
    // without another thread nobody would take from the pool what is given to it
    int others = ForkJoinPool.getCommonPoolParallelism();
    this.most = others == 0 ? 0 : PAGES_A_PROCESSOR * (others + 1);
  }

  /** Adds what needs no work. */
  void add(Finding finding) {
    add(new Ahead(new FutureTask<>(() -> finding.turn(filter, tally)), 0));
  }

  /**
   * Adds what is found by work on some bytes, and hands out as much as had to wait too long.
   *
   * @param work done once, on whatever thread; what it throws is thrown where its finding would be
   *     handed out
   */
  void add(byte[] body, Supplier<Finding> work) {
    FutureTask<Runnable> turn = new FutureTask<>(() -> work.get().turn(filter, tally));
    if (most > 0) {
      ForkJoinPool.commonPool().execute(turn);
    }
    add(new Ahead(turn, body.length));
  }

  private void add(Ahead ahead) {
    queue.add(ahead);
    bytes += ahead.bytes();
    while (queue.size() > most || bytes > PageText.LARGEST) {
      handOut();
    }
  }

  private void handOut() {
    FutureTask<Runnable> first = queue.element().turn();
    for (Ahead next : queue) {
      if (!first.isDone()) {
        next.turn().run(); // does nothing if another thread has begun
      }
    }
    bytes -= queue.remove().bytes();
    failed = true;
    found(first).run();
    failed = false;
  }

  private static Runnable found(FutureTask<Runnable> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CrawlException("interrupted while a page was parsed", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) e.getCause(); // nothing else is thrown there
    }
  }

  /** Hands out the rest, unless something failed in handing out. */
  @Override
  public void close() {
    while (!failed && !queue.isEmpty()) {
      handOut();
    }
    queue.forEach(ahead -> ahead.turn().cancel(false));
  }
}
