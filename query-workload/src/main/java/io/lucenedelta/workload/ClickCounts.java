// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.Arrays;

/**
 * How many clicks the results at each rank received: what the viewing likelihood is fitted to (2005
 * paper, section 3: "by monitoring user behavior"). Not safe for use by several threads.
 */
public final class ClickCounts {
  /** Clicks below this rank are not distinguished: nobody looks there, and a log may be hostile. */
  public static final int DEEPEST_RANK = 100_000;

  private long[] clicks = new long[16];
  private int deepest;

  /**
   * Adds a click.
   *
   * @param rank from 1; beyond {@link #DEEPEST_RANK} taken as that
   * @throws IllegalArgumentException if it is less
   */
  public void add(int rank) {
    add(rank, 1);
  }

  /**
   * Adds clicks at a rank, as a line of a log that was counted already tells of several.
   *
   * @param rank as above
   * @param times how many clicks, at least 1
   * @throws IllegalArgumentException if one of them is less
   */
  public void add(int rank, long times) {
    if (rank < 1) {
      throw new IllegalArgumentException("rank must be at least 1, was " + rank);
    }
    if (times < 1) {
      throw new IllegalArgumentException("clicks to add must be at least 1, were " + times);
    }
    int counted = Math.min(rank, DEEPEST_RANK);
    if (counted >= clicks.length) {
      clicks = Arrays.copyOf(clicks, Math.max(counted + 1, 2 * clicks.length));
    }
    clicks[counted] += times;
    deepest = Math.max(deepest, counted);
  }

  /**
   * Clicks at a rank, 0 at ranks without.
   *
   * @param rank 0 or more, 0 having none
   * @throws IndexOutOfBoundsException if it is negative
   */
  public long at(int rank) {
    return rank < clicks.length ? clicks[rank] : 0;
  }

  /** The greatest rank with a click, 0 without clicks. */
  public int deepestRank() {
    return deepest;
  }

  /** How many ranks have a click, which is less than the greatest where some between have none. */
  public int clickedRanks() {
    return (int) Arrays.stream(clicks).filter(count -> count > 0).count();
  }

  /** Clicks at all ranks. */
  public long total() {
    return Arrays.stream(clicks).sum();
  }
}
