// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.List;

/**
 * What to measure.
 *
 * @param batches batch sizes in millions of characters, each positive
 * @param leastPages pages that every batch has at least, however small its size, 0 or more
 * @param threads numbers of indexing threads, each at least 1
 * @param repeats how often each batch goes through each writer, at least 1
 * @param changedShare share of the pages of a batch whose text changed, 0 to 1
 * @param ramBuffer what every writer holds before it flushes, in megabytes, positive
 */
public record OverheadPlan(
    List<Double> batches,
    int leastPages,
    List<Integer> threads,
    int repeats,
    double changedShare,
    double ramBuffer) {
  /** Loading the index, and one round for the compiler to warm up. */
  static final int UNCOUNTED_ROUNDS = 2;

  private static final int WRITERS = 3;

  /** Checks the ranges. */
  public OverheadPlan {
    batches = List.copyOf(batches);
    threads = List.copyOf(threads);
    batches.forEach(size -> require(size > 0, "a batch size must be positive, was " + size));
    threads.forEach(n -> require(n >= 1, "indexing threads must be at least 1, was " + n));
    require(!batches.isEmpty() && !threads.isEmpty(), "name a batch size and a number of threads");
    require(leastPages >= 0, "the least number of pages must be 0 or more, was " + leastPages);
    require(repeats >= 1, "repeats must be at least 1, was " + repeats);
    require(
        changedShare >= 0 && changedShare <= 1,
        "the changed share must lie between 0 and 1, was " + changedShare);
    require(ramBuffer > 0, "the RAM buffer must be positive, was " + ramBuffer);
  }

  /** How many times a batch goes through a writer, counted or not. */
  public int laps() {
    return batches.size() * threads.size() * WRITERS * (UNCOUNTED_ROUNDS + repeats);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
