// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import org.apache.lucene.store.Directory;

/**
 * Measures the candidates of a batch and writes them down before the commit; used once.
 *
 * <p>Threads take blocks of pages in order, and the file gets them in that order, whoever is ready
 * first: what is written does not depend on the number of threads.
 */
final class CandidateWriter {
  /** Blocks taken or waiting for one before them to be written: what bounds their memory. */
  private static final int MOST_AHEAD = 64;

  private static final int TOLD_EVERY = 10_000; // pages

  private final Batch batch;
  private final PageStore pages;
  private final FoundPages found;
  private final Ranks ranks;
  private final BatchShifts kept;
  private final long workloadId;
  private final Costs costs;
  private final DeltaConfig config;
  private final AuditSample sample;
  private final MeasuringThreads threads;
  private final Semaphore ahead = new Semaphore(MOST_AHEAD);
  private final Map<Integer, RefreshFile.Buffer> ready = new HashMap<>(); // by block
  private final Queue<RefreshFile.Buffer> free = new ArrayDeque<>();
  private int blocks;
  private int taken;
  private int written;
  private int toldAt = TOLD_EVERY; // pages; of the committing thread

  /**
   * A writer that records refreshes without measuring them when {@code ranks} is null.
   *
   * @param found gets what the store knows of each page
   * @param kept gets the score shifts; null when nobody is told of them
   * @param sample is offered every refresh that changed its page; null when nothing is audited
   */
  CandidateWriter(
      Batch batch,
      PageStore pages,
      FoundPages found,
      Ranks ranks,
      BatchShifts kept,
      long workloadId,
      Costs costs,
      DeltaConfig config,
      AuditSample sample,
      MeasuringThreads threads) {
    this.batch = batch;
    this.pages = pages;
    this.found = found;
    this.ranks = ranks;
    this.kept = kept;
    this.workloadId = workloadId;
    this.costs = costs;
    this.config = config;
    this.sample = sample;
    this.threads = threads;
  }

  /** Writes the file, durably. */
  void write(Directory directory, String name, UndatedTimes undated) throws IOException {
    config.faults().at(FaultPoints.BEFORE_RUN);
    long begin = costs.begin();
    blocks = Math.ceilDiv(batch.pageCount(), threads.block());
    found.begin(pages, batch.pageCount());
    int count = alone() ? 1 : threads.useful(batch.pageCount());
    List<TermScores> scores = ranks == null ? List.of() : ranks.scores(count);
    try (RefreshFile.Writer file = new RefreshFile.Writer(directory, name)) {
      costs.end(Costs.Step.HISTORY, begin);
      threads.run(count, thread -> share(thread, scores, file, undated));
      tellProgress(); // another thread may have had the last blocks
      begin = costs.begin();
      file.finish();
    }
    costs.end(Costs.Step.HISTORY, begin);
    if (batch.complaint() != null) {
      config.listener().trouble(Trouble.SETUP, batch.complaint(), null);
    }
    config.faults().at(FaultPoints.AFTER_RUN);
  }

  /**
   * Whether the committing thread measures alone: importance is asked by no other one, as promised,
   * and what the auditor's sample takes depends on the order in which it is offered refreshes.
   */
  private boolean alone() {
    return config.importance() != null || sample != null;
  }

  private void share(
      int thread, List<TermScores> scores, RefreshFile.Writer file, UndatedTimes undated)
      throws IOException {
    Costs.Loop loop = costs.loop();
    CandidateMeasure measure =
        new CandidateMeasure(
            batch,
            pages,
            found,
            ranks == null ? null : new PageMeasure(ranks, scores.get(thread), config, loop),
            workloadId,
            loop,
            config,
            sample,
            kept == null ? null : kept.part(thread),
            undated);
    boolean done = false;
    try {
      for (int block = take(); block >= 0; block = take()) {
        RefreshFile.Buffer target = target();
        int from = block * threads.block();
        int to = Math.min(from + threads.block(), batch.pageCount());
        measure.measure(batch.pages(from, to), target);
        loop.round();
        append(block, target, file);
        loop.step(Costs.Step.HISTORY);
        if (thread == 0) { // the committing one, as promised
          tellProgress();
        }
      }
      done = true;
    } finally {
      if (!done) {
        giveUp();
      }
    }
    loop.end(Costs.Step.HISTORY);
  }

  /** The next block nobody has taken, or -1. */
  private int take() {
    ahead.acquireUninterruptibly();
    synchronized (this) {
      if (taken < blocks) {
        return taken++;
      }
    }
    ahead.release();
    return -1;
  }

  private void tellProgress() {
    int done = pagesWritten();
    if (done >= toldAt) {
      toldAt += TOLD_EVERY * (1 + (done - toldAt) / TOLD_EVERY);
      config.listener().progress("measuring pages", done, batch.pageCount());
    }
  }

  private synchronized int pagesWritten() {
    return Math.min(written * threads.block(), batch.pageCount());
  }

  /** Nobody takes a block any more. */
  private synchronized void giveUp() {
    taken = blocks;
    ahead.release(MOST_AHEAD); // nothing may be written any more that others wait for
  }

  private synchronized RefreshFile.Buffer target() {
    RefreshFile.Buffer target = free.isEmpty() ? new RefreshFile.Buffer() : free.remove();
    target.clear();
    return target;
  }

  private synchronized void append(int block, RefreshFile.Buffer measured, RefreshFile.Writer file)
      throws IOException {
    ready.put(block, measured);
    for (RefreshFile.Buffer next = ready.remove(written);
        next != null;
        next = ready.remove(written)) {
      file.append(next);
      free.add(next);
      written++;
      ahead.release();
    }
  }
}
