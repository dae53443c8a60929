// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Leads several writers through the same batch, a few pages each in turn.
 *
 * <p>A machine that others share is faster in one minute and slower in the next, by more than
 * measuring costs. So turns are short: what goes on in the background meets all writers alike. The
 * order of writers changes from turn to turn, so that none always follows the same one, and from
 * round to round in each turn: in the last one writers commit, which is most of measuring. Garbage
 * is collected when heap runs out, whoever is at work then.
 */
final class Turns implements Closeable {
  /** A quarter of a second for pages of usual size; reading clocks takes microseconds. */
  private static final int PAGES = 250;

  private final List<Arm> arms;
  private final int threads;
  private final int commitPages;
  private final Runnable turnDone;
  private final ExecutorService indexers;
  private int rounds;

  /**
   * Prepares turns.
   *
   * @param arms the writers, which stay the caller's
   * @param threads indexing threads, at least 1
   * @param commitPages pages after which a writer commits, at least 1; each also does at the end
   * @param turnDone runs when each of the writers had its turn; {@link #in} a round so often
   */
  Turns(List<Arm> arms, int threads, int commitPages, Runnable turnDone) {
    this.arms = List.copyOf(arms);
    this.threads = threads;
    this.commitPages = commitPages;
    this.turnDone = turnDone;
    this.indexers = Executors.newFixedThreadPool(threads);
  }

  /** How many turns of each writer a batch takes. */
  static int in(UpdateBatch batch, int commitPages) {
    int whole = batch.size() / commitPages;
    return whole * Math.ceilDiv(commitPages, PAGES)
        + Math.ceilDiv(batch.size() % commitPages, PAGES);
  }

  /**
   * Indexes the batch in its state of a round through all writers, each of which commits when it is
   * due and in its last turn.
   *
   * @return what it took each writer, in their order of construction
   * @throws IllegalStateException if a page cannot be indexed, for the reason that is its cause
   */
  List<Lap> index(UpdateBatch batch, int round) throws IOException {
    System.gc();
    Lap[] laps = new Lap[arms.size()];
    int turn = rounds++; // from 0, all rounds of six, twelve … turns would end in the same order
    int to;
    for (int from = 0; from < batch.size(); from = to) {
      int due = from - from % commitPages + Math.min(commitPages, batch.size()); // no overflow
      to = Math.min(Math.min(from + PAGES, due), batch.size());
      boolean commit = to == due || to == batch.size();
      for (int arm : order(turn++)) {
        Lap lap = turn(arms.get(arm), batch, round, from, to, commit);
        laps[arm] = from == 0 ? lap : laps[arm].plus(lap);
      }
      turnDone.run();
    }
    return List.of(laps);
  }

  /**
   * Begins with each writer in turn, then does so backwards: three have six orders, all of them.
   */
  private List<Integer> order(int turn) {
    List<Integer> order = new ArrayList<>();
    for (int arm = 0; arm < arms.size(); arm++) {
      order.add(arm);
    }
    if (turn / arms.size() % 2 == 1) {
      Collections.reverse(order);
    }
    Collections.rotate(order, turn);
    return order;
  }

  /** Stops the threads, which have nothing to do between rounds. */
  @Override
  public void close() {
    indexers.shutdown();
  }

  private Lap turn(Arm arm, UpdateBatch batch, int round, int from, int to, boolean commit)
      throws IOException {
    Lap before = arm.soFar();
    AtomicInteger next = new AtomicInteger(from);
    Callable<Void> some =
        () -> {
          for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
            arm.update(batch.page(i, round));
          }
          return null;
        };
    try {
      for (Future<Void> one : indexers.invokeAll(Collections.nCopies(threads, some))) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("indexing failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("indexing was interrupted", e);
    }
    if (commit) {
      arm.commit();
    }
    arm.awaitMerges();
    return arm.soFar().less(before);
  }
}
