// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.util.IOUtils;

/**
 * The threads that share in measuring a batch: the committing one and some that wait for it to call
 * them, daemons, which end when nobody does for a minute. For one caller at a time.
 */
final class MeasuringThreads implements Closeable {
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final ThreadPoolExecutor others;
  private final int most;
  private final int block;

  /**
   * Threads to be called.
   *
   * @param most threads, the calling one among them
   * @param block pages that a thread takes at a time
   */
  MeasuringThreads(int most, int block) {
    this.most = most;
    this.block = block;
    this.others =
        new ThreadPoolExecutor(
            Math.max(1, most - 1),
            Math.max(1, most - 1),
            1,
            TimeUnit.MINUTES,
            new LinkedBlockingQueue<>(),
            MeasuringThreads::daemon);
    others.allowCoreThreadTimeOut(true);
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "lucene-delta measuring " + NAMES.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /** How many pages a thread takes at a time. */
  int block() {
    return block;
  }

  /** How many threads are worth calling for a number of pages: each should have some blocks. */
  int useful(int pages) {
    return Math.clamp(pages / (2L * block), 1, most);
  }

  /** Work that threads share: whoever is free does what is left of it. */
  @FunctionalInterface
  interface Work {
    /**
     * Does what is left until nothing is.
     *
     * @param thread numbers the threads from 0
     */
    void share(int thread) throws IOException;
  }

  /**
   * Has the work shared by so many threads, by fewer when no more are to be had, by the calling one
   * in any case; returns when all have done with it, interrupted or not.
   *
   * @throws IOException what one of them threw, what others threw with it suppressed; likewise
   *     unchecked
   */
  void run(int threads, Work work) throws IOException {
    // with room for all: one that was called must be waited for though memory runs out
    List<CompletableFuture<Throwable>> called = new ArrayList<>(threads);
    for (int thread = 1; thread < threads; thread++) {
      int number = thread;
      try {
        called.add(CompletableFuture.supplyAsync(() -> failureOf(work, number), others));
      } catch (VirtualMachineError | RejectedExecutionException noThread) {
        break; // the others do its share
      }
    }
    Throwable failure = failureOf(work, 0);
    for (int other = 0; other < called.size(); other++) { // no lambda: to link one takes memory
      await(called.get(other));
    }
    for (CompletableFuture<Throwable> other : called) {
      Throwable another = other.join();
      // an application may keep one to throw it again
      if (another != null && !another.equals(failure)) {
        failure = IOUtils.useOrSuppress(failure, another);
      }
    }
    if (failure != null) {
      throw IOUtils.rethrowAlways(failure);
    }
  }

  /**
   * Waits until a thread has done: the caller gives back what that uses. Where there is no memory
   * to sleep with, it is awake meanwhile.
   */
  private static void await(CompletableFuture<Throwable> other) {
    while (!other.isDone()) {
      try {
        other.join();
      } catch (VirtualMachineError noRoom) {
        Thread.onSpinWait();
      }
    }
  }

  /** What a thread throws, null for nothing. */
  private static Throwable failureOf(Work work, int thread) {
    try {
      work.share(thread);
      return null;
    } catch (Throwable t) {
      return t;
    }
  }

  @Override
  public void close() {
    others.shutdown();
  }
}
