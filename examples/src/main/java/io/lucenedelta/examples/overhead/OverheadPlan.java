// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.List;
import java.util.Locale;

/**
 * What to measure.
 *
 * @param batches batch sizes in millions of characters, each positive and at most a million
 * @param leastPages pages that every batch has at least, however small its size, 0 or more
 * @param commitPages pages after which a writer commits, at least 1; it commits at the end of a
 *     batch in any case
 * @param threads numbers of indexing threads, each at least 1 and at most 1024
 * @param measuringThreads threads that measure a batch while its commit waits, at least 1
 * @param warmUp rounds that the first batch goes through each writer, once loaded, before anything
 *     is counted: the compiler is at work then; at least 1
 * @param repeats how often each batch goes through each writer, at least 1
 * @param changedShare share of the pages of a batch whose text changed, 0 to 1
 * @param ramBuffer what every writer holds before it flushes, in megabytes, positive
 */
public record OverheadPlan(
    List<Double> batches,
    int leastPages,
    int commitPages,
    List<Integer> threads,
    int measuringThreads,
    int warmUp,
    int repeats,
    double changedShare,
    double ramBuffer) {
  /** More would only wait for each other, or not start at all. */
  private static final int MOST_THREADS = 1024;

  private static final double MOST_MEGABYTES = 1e6; // a terabyte

  /** Checks the ranges. */
  public OverheadPlan {
    batches = List.copyOf(batches);
    threads = List.copyOf(threads);
    batches.forEach(
        size ->
            require(
                size > 0 && size <= MOST_MEGABYTES,
                String.format(
                    Locale.ENGLISH,
                    "a batch size must be positive and at most %,.0f, was %s",
                    MOST_MEGABYTES,
                    size)));
    threads.forEach(n -> require(n >= 1, "indexing threads must be at least 1, was " + n));
    threads.forEach(
        n ->
            require(
                n <= MOST_THREADS,
                "indexing threads must be at most %d, was %d".formatted(MOST_THREADS, n)));
    require(!batches.isEmpty() && !threads.isEmpty(), "name a batch size and a number of threads");
    require(leastPages >= 0, "the least number of pages must be 0 or more, was " + leastPages);
    require(commitPages >= 1, "pages between commits must be at least 1, was " + commitPages);
    require(measuringThreads >= 1, "measuring threads must be at least 1, was " + measuringThreads);
    require(warmUp >= 1, "rounds to warm up must be at least 1, was " + warmUp);
    require(repeats >= 1, "repeats must be at least 1, was " + repeats);
    require(
        changedShare >= 0 && changedShare <= 1,
        "the changed share must lie between 0 and 1, was " + changedShare);
    require(ramBuffer > 0, "the RAM buffer must be positive, was " + ramBuffer);
  }

  /** Rows to measure: one for each size of a batch and number of threads. */
  public int rows() {
    return batches.size() * threads.size();
  }

  /**
   * Rounds of a batch before any is counted: loading it, and what it takes to warm up.
   *
   * @param first whether nothing was indexed before
   */
  int uncounted(boolean first) {
    return 1 + (first ? warmUp : 1);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
