// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * What a refresh did to one page's score for one query (2005, section 5.2).
 *
 * @param query the query's number in the workload
 * @param before s1, the score before the refresh; 0 when the page was not in the result
 * @param after s2, the score after it; 0 when the page is no longer in the result
 */
public record ScoreShift(int query, double before, double after) {
  /**
   * Checks the arguments.
   *
   * @throws IllegalArgumentException if the query is negative or a score negative or not finite
   */
  public ScoreShift {
    if (query < 0) {
      throw new IllegalArgumentException("a query number must not be negative, was " + query);
    }
    requireScore(before);
    requireScore(after);
  }

  private static void requireScore(double score) {
    if (!(score >= 0 && score <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException("a score must be 0 or more and finite, was " + score);
    }
  }

  /** Whether the page was not in the result before and is now. */
  public boolean enters() {
    return before == 0 && after > 0;
  }

  /** Whether the page was in the result before and is no longer. */
  public boolean leaves() {
    return before > 0 && after == 0;
  }
}
