// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

/**
 * What one score shift does to the quality of one query's result, asked once: a query asked f times
 * counts f times as much.
 *
 * @param rankBefore r1, real-valued; infinite when the page was not in the result
 * @param rankAfter r2, likewise
 * @param own the page's own part: the views it gains or loses times its score now
 * @param others the part of the pages it passes, which move one position the other way
 */
public record ShiftEffect(double rankBefore, double rankAfter, double own, double others) {
  /** A shift that moves nothing. */
  static ShiftEffect none(double rank) {
    return new ShiftEffect(rank, rank, 0, 0);
  }

  /** The change in quality: own part and others' part. */
  public double total() {
    return own + others;
  }
}
