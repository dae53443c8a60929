// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.LogLogRankFunction;

/**
 * What the pages between two ranks lose together when each moves one position down, and gain when
 * it moves up: the integral of |I′|·F⁻¹.
 */
record LostScore(ViewingLikelihood views, LogLogRankFunction function) {
  /**
   * The integral between two ranks, 0 when they are not in order. Beyond N, where a page enters,
   * F⁻¹ stays what it is at N.
   *
   * @param from first rank, at least 1
   * @param to last rank, at most N + 1
   */
  double between(double from, double to) {
    double sum = 0;
    for (int piece = 0; piece < function.pieces(); piece++) {
      double low = Math.max(from, function.rankOfKnot(piece));
      double high = Math.min(to, function.rankOfKnot(piece + 1));
      if (low < high) {
        sum += views.lostViews(low, high, function.scoreAt(low), function.exponent(piece));
      }
    }
    double beyond = Math.max(from, function.results());
    if (function.results() > 0 && beyond < to) {
      sum += views.lostViews(beyond, to, function.scoreAt(beyond), 0);
    }
    return sum;
  }
}
