// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

/**
 * F_q: where a page with a given score stands in the result of one query, and the score that stands
 * at a given rank (2005, section 5.1.2).
 *
 * <p>Laws: {@code rankOf} never increases with the score; {@code scoreAt} never increases with the
 * rank; ranks lie in [1, results()], except that a score of 0, which means not in the result, has
 * rank {@link Double#POSITIVE_INFINITY}. With no results every positive score has rank 1.
 *
 * <p>Implementations are immutable.
 */
public interface ScoreRankFunction {
  /** N, the number of results, 0 or more. */
  int results();

  /**
   * F_q(score), real-valued.
   *
   * @throws IllegalArgumentException if the score is negative or not finite
   */
  double rankOf(double score);

  /** F_q⁻¹(rank); ranks outside [1, results()] get the score at the nearer end, 0 if no results. */
  double scoreAt(double rank);
}
