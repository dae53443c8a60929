// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Random;

/** Rank functions and scores as they come, with all their edges, for laws. */
final class RandomShifts {
  private RandomShifts() {}

  /** A function with 4 to 7 knots, often flat in part, over 0 to a million results. */
  static LogLogRankFunction function(Random random) {
    double[] score = new double[4 + random.nextInt(4)];
    score[0] = 1e-3 + 20 * random.nextDouble();
    for (int knot = 1; knot < score.length; knot++) {
      double fall = 0.2 + 0.8 * random.nextDouble();
      score[knot] = random.nextInt(3) == 0 ? score[knot - 1] : score[knot - 1] * fall;
    }
    int results = random.nextInt(20) == 0 ? 0 : (int) Math.exp(random.nextDouble() * 14);
    if (results <= 1) {
      java.util.Arrays.fill(score, score[0]);
    }
    return LogLogRankFunction.of(results, score);
  }

  /** A score of a page in that result: inside, at a knot, outside, or 0. */
  static double score(Random random, LogLogRankFunction f) {
    double highest = f.results() == 0 ? 10 : f.scoreOfKnot(0);
    double lowest = f.results() == 0 ? 1 : f.scoreOfKnot(f.pieces());
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> highest * (1 + random.nextDouble());
      case 2 -> lowest * random.nextDouble();
      case 3 -> f.results() == 0 ? 3 : f.scoreOfKnot(random.nextInt(f.pieces() + 1));
      default -> lowest + (highest - lowest) * random.nextDouble();
    };
  }

  /** A table of results of random length, many of them short or tied. */
  static RankTable table(Random random, int queries) {
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(queries);
    for (int query = 0; query < queries; query++) {
      float[] scores = new float[(int) Math.exp(random.nextDouble() * 9) - 1];
      int distinct = random.nextBoolean() ? 5 : 1_000_000;
      for (int i = 0; i < scores.length; i++) {
        scores[i] = 0.5f + 20f * random.nextInt(distinct) / distinct * random.nextFloat();
        scores[i] = distinct == 5 ? 1 + random.nextInt(5) : scores[i];
      }
      table.put(query, KnotSample.of(scores, scores.length));
    }
    return table.build();
  }
}
