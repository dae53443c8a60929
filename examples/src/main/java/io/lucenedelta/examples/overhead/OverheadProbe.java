// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.lucene.util.IOConsumer;

/**
 * Indexes update batches of rising size with and without measurement, as the 2005 paper did for its
 * figure 2.
 *
 * <p>For each size and number of threads there are three writers on indexes of their own: a plain
 * one, a second plain one, and the measuring one. All load the batch once and go through some more
 * rounds for the compiler to warm up, which is not counted; then the batch is indexed again and
 * again, a share of its pages with another text each time, the three in short {@link Turns}. Merges
 * are on and are waited for. Analysis is part of what is timed, reading and parsing files is not.
 * After the load the measuring writer is asked for the order of pages once, which is not counted:
 * from then on it keeps up to date what the order is read from, as for whoever fetches by it.
 */
public final class OverheadProbe {
  /**
   * How much of a crawl is taken, in millions of characters: pages until their first texts come to
   * so much, and later texts of these to as much again. Enough to tell pages apart, small enough
   * for a laptop's memory; larger batches have each page several times.
   */
  public static final int MOST_MEGABYTES = 200;

  private final PageVersionPool pool;
  private final Workload workload;
  private final OverheadPlan plan;
  private final Path work;
  private boolean answered;
  private final UnmeasuredBatches unmeasured = new UnmeasuredBatches();

  private OverheadProbe(PageVersionPool pool, Workload workload, OverheadPlan plan, Path work) {
    this.pool = pool;
    this.workload = workload;
    this.plan = plan;
    this.work = work;
  }

  /**
   * Prepares a probe.
   *
   * @param work directory for the indexes, which are removed again
   * @throws IllegalArgumentException if no page of the crawl ever changes
   */
  public static OverheadProbe of(
      SnapshotArchive crawl, Workload workload, OverheadPlan plan, Path work) {
    PageVersionPool pool = PageVersionPool.read(crawl, MOST_MEGABYTES * 1_000_000L);
    return new OverheadProbe(pool, workload, plan, work);
  }

  /** How often {@link #run} will tell that work goes on. */
  public long turns() {
    long sum = 0;
    boolean first = true;
    for (int threads = 0; threads < plan.threads().size(); threads++) {
      for (double megabytes : plan.batches()) {
        sum +=
            (long) Turns.in(batch(megabytes), plan.commitPages())
                * (plan.uncounted(first) + plan.repeats());
        first = false;
      }
    }
    return sum;
  }

  private UpdateBatch batch(double megabytes) {
    return UpdateBatch.of(pool, megabytes, plan.leastPages(), plan.changedShare());
  }

  /**
   * Measures everything in the plan.
   *
   * @param turnDone runs each time all writers have indexed the same few pages; {@link #turns} in
   *     all
   * @param listener hears of the measuring writer
   * @param rowDone takes all rows measured until now whenever there is another, since a plan can
   *     take hours and may be broken off
   */
  public List<OverheadRow> run(
      Runnable turnDone, DeltaListener listener, IOConsumer<List<OverheadRow>> rowDone)
      throws IOException {
    Arms arms = arms(listener);
    List<OverheadRow> rows = new ArrayList<>();
    for (int threads : plan.threads()) {
      for (double megabytes : plan.batches()) {
        UpdateBatch batch = batch(megabytes);
        rows.add(measure(arms, batch, threads, turnDone, rows.isEmpty()));
        rowDone.accept(List.copyOf(rows));
      }
    }
    return rows;
  }

  private Arms arms(DeltaListener listener) {
    return new Arms(plan.ramBuffer(), plan.measuringThreads(), listener);
  }

  /** Whether a page of what was measured so far matches a query. */
  public boolean isAnswered() {
    return answered;
  }

  /** What is to be known of the rows so far: that batches could not be measured, if so. */
  public List<String> notes() {
    return unmeasured.notes();
  }

  /** Different pages of the crawl that batches are made of. */
  public int pages() {
    return pool.all().size();
  }

  /**
   * Measures what a user could do instead, with one thread on a batch of its own, which {@link
   * OverheadPlan#leastPages} does not enlarge; the texts are those of the pages.
   *
   * @param megabytes size of the batch, positive
   * @param listener hears of the measuring writer
   */
  public List<Alternative> alternatives(double megabytes, DeltaListener listener)
      throws IOException {
    UpdateBatch batch = UpdateBatch.of(pool, megabytes, 0, plan.changedShare());
    WorkFolder.make(work);
    try {
      List<Alternative> ways =
          new Alternatives(batch, workload, plan, arms(listener), work).measure();
      look(work.resolve("measured"));
      return ways;
    } finally {
      WorkFolder.remove(work);
    }
  }

  private OverheadRow measure(
      Arms arms, UpdateBatch batch, int threads, Runnable turnDone, boolean first)
      throws IOException {
    int uncounted = plan.uncounted(first);
    WorkFolder.make(work);
    Path measured = work.resolve("measured");
    try (Arm plain = arms.plain(work.resolve("plain"));
        Arm again = arms.plain(work.resolve("again"));
        Arm delta = arms.measuring(measured, workload);
        Turns turns =
            new Turns(List.of(plain, again, delta), threads, plan.commitPages(), turnDone)) {
      for (int round = 0; round < uncounted; round++) {
        turns.index(batch, round);
        if (round == 0) {
          delta.askForOrder();
        }
      }
      List<Repeat> repeats = new ArrayList<>();
      for (int repeat = 0; repeat < plan.repeats(); repeat++) {
        List<Lap> laps = turns.index(batch, uncounted + repeat);
        repeats.add(new Repeat(laps.get(0), laps.get(1), laps.get(2)));
      }
      look(measured);
      OverheadRow.Sizes sizes =
          new OverheadRow.Sizes(
              plain.indexBytes(), delta.indexBytes(), bytes(Arms.stateOf(measured)));
      return OverheadRow.of(batch, threads, repeats, sizes);
    } finally {
      WorkFolder.remove(work);
    }
  }

  private void look(Path index) throws IOException {
    try (DeltaState state = DeltaState.open(index, Arms.stateOf(index))) {
      DeltaStatus status = state.status();
      // without rank functions nobody knows, and no query at all has no share
      answered |= workload.queryCount() > 0 && status.answered() != 0;
      unmeasured.add(status);
    }
  }

  private static long bytes(Path directory) throws IOException {
    long sum = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }
}
