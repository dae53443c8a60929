// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.List;
import java.util.Locale;

/**
 * What to measure. A value out of range is refused by the name of the option that brings it.
 *
 * @param batches batch sizes in millions of characters, one at least, each positive and at most
 *     {@value #MOST_MEGABYTES}
 * @param leastPages pages that every batch has at least, however small its size, 0 or more
 * @param commitPages pages after which a writer commits, at least 1; it commits at the end of a
 *     batch in any case
 * @param threads numbers of indexing threads, one at least, each 1 to {@value #MOST_THREADS}
 * @param measuringThreads threads that measure a batch while its commit waits, 1 to {@value
 *     #MOST_MEASURING_THREADS}
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
  public static final int MOST_THREADS = 1024;

  /** As many as an index takes; it would say so in the first row, when all has been read. */
  public static final int MOST_MEASURING_THREADS = 10_000;

  /** The largest batch, in millions of characters: a terabyte. */
  public static final int MOST_MEGABYTES = 1_000_000;

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
                    "--batches must be positive and at most %,d, was %s",
                    MOST_MEGABYTES,
                    size)));
    threads.forEach(n -> require(n >= 1, "--threads must be at least 1, was " + n));
    threads.forEach(
        n ->
            require(
                n <= MOST_THREADS,
                "--threads must be at most %d, was %d".formatted(MOST_THREADS, n)));
    requireEachOnce("--batches", batches);
    requireEachOnce("--threads", threads);
    require(leastPages >= 0, "--pages must be 0 or more, was " + leastPages);
    require(commitPages >= 1, "--commit-every must be at least 1, was " + commitPages);
    require(
        measuringThreads >= 1 && measuringThreads <= MOST_MEASURING_THREADS,
        "--measuring-threads must be 1 to %d, was %d"
            .formatted(MOST_MEASURING_THREADS, measuringThreads));
    require(warmUp >= 1, "--warm-up must be at least 1, was " + warmUp);
    require(repeats >= 1, "--repeats must be at least 1, was " + repeats);
    require(
        changedShare >= 0 && changedShare <= 1,
        "--changed must be a share from 0 to 1, was " + changedShare);
    require(ramBuffer > 0, "--ram-buffer must be positive, was " + ramBuffer);
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

  private static void requireEachOnce(String option, List<? extends Number> values) {
    require(!values.isEmpty(), option + " names none: give one at least, or leave it out");
    for (int i = 1; i < values.size(); i++) {
      require(
          !values.subList(0, i).contains(values.get(i)),
          "%s names %s twice: name each once".formatted(option, values.get(i)));
    }
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
