// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.replay.CurveVariant.Fit;
import io.lucenedelta.examples.replay.CurveVariant.Placement;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CurveVariantTest {
  private static final int N = 200;

  private static CurveVariant variant(int pieces, Placement placement, Fit fit) {
    return new CurveVariant(pieces, placement, fit);
  }

  private static CurveVariant through(int pieces, Placement placement) {
    return variant(pieces, placement, Fit.INTERPOLATED);
  }

  /** Scores by rank, and one that is not of the result. */
  private static float[] scores(IntToDoubleFunction byRank) {
    float[] scores = new float[N + 1];
    for (int rank = 1; rank <= N; rank++) {
      scores[rank - 1] = (float) byRank.applyAsDouble(rank);
    }
    return scores;
  }

  private static double[] ranks(LogLogRankFunction curve) {
    return IntStream.rangeClosed(0, curve.pieces()).mapToDouble(curve::rankOfKnot).toArray();
  }

  @Test
  void aQueryTakesItsLengthAScoreAKnotAndRanksWhereTheyAreItsOwn() {
    assertThat(CurveVariant.PRODUCT.bytes()).isEqualTo(RankTable.BYTES);
    assertThat(CurveVariant.PAPER.bytes()).isEqualTo(4 * (1 + 4));
    assertThat(through(14, Placement.FIRST).bytes()).isEqualTo(4 * (1 + 15));
    assertThat(through(5, Placement.DATA).bytes()).isEqualTo(4 * (1 + 6 + 4));
    assertThat(variant(5, Placement.EQUAL, Fit.LEAST_SQUARES).bytes()).isEqualTo(4 * (1 + 6));
  }

  @Test
  void scoresOfTheFirstPositionsAreKnownWhereEachHasAKnot() {
    assertThat(CurveVariant.PRODUCT.known()).isEqualTo(RankTable.KNOWN);
    assertThat(through(14, Placement.FIRST).known()).isEqualTo(12);
    assertThat(through(14, Placement.DATA).known()).isEqualTo(1);
  }

  @Test
  void theNameTellsPiecesPlacementAndFit() {
    assertThat(CurveVariant.PRODUCT.label())
        .isEqualTo((RankTable.KNOTS - 1) + " pieces, the product's, interpolated");
    assertThat(variant(4, Placement.EQUAL, Fit.LEAST_SQUARES).label())
        .isEqualTo("4 pieces, equal, least squares");
  }

  @Test
  void knotsLieAtEqualDistancesOrAtTheFirstRanksAndHaveTheScoresBetweenRanks() {
    float[] scores = scores(rank -> 8 * Math.pow(rank, -0.4)); // a straight line
    LogLogRankFunction equal = CurveVariant.PAPER.draw(scores, N);
    LogLogRankFunction first = through(6, Placement.FIRST).draw(scores, N);
    double third = Math.cbrt(N);
    double step = Math.cbrt(N / 4.0);
    assertThat(ranks(equal))
        .containsExactly(new double[] {1, third, third * third, N}, within(1e-9));
    assertThat(ranks(first))
        .containsExactly(new double[] {1, 2, 3, 4, 4 * step, 4 * step * step, N}, within(1e-9));
    for (LogLogRankFunction curve : new LogLogRankFunction[] {equal, first}) {
      for (int knot = 0; knot <= curve.pieces(); knot++) {
        assertThat(curve.scoreOfKnot(knot))
            .isCloseTo(8 * Math.pow(curve.rankOfKnot(knot), -0.4), within(1e-6));
      }
    }
  }

  /** The curve falls faster from rank 7 on; ln(rank) ÷ rank is greatest at 3. */
  @Test
  void knotsLieOneAfterTheOtherWhereErrorsByRankAreLargest() {
    float[] bent = scores(rank -> 9 * Math.pow(rank, -0.2) * Math.pow(Math.max(1, rank / 7.0), -1));
    assertThat(ranks(through(2, Placement.DATA).draw(bent, N)))
        .containsExactly(new double[] {1, 3, N}, within(1e-9));
    LogLogRankFunction curve = through(3, Placement.DATA).draw(bent, N);
    assertThat(ranks(curve)).containsExactly(new double[] {1, 3, 7, N}, within(1e-9));
    assertThat(curve.scoreOfKnot(2)).isEqualTo(bent[6]);
  }

  @Test
  void noOtherScoresOfTheKnotsHaveLessSquaredErrorByRank() {
    float[] scores = scores(rank -> Math.exp(2 - 0.15 * Math.pow(Math.log(rank), 2)));
    LogLogRankFunction curve = variant(3, Placement.EQUAL, Fit.LEAST_SQUARES).draw(scores, N);
    double least = squaredError(curve, scores);
    for (int knot = 0; knot <= curve.pieces(); knot++) {
      for (double factor : new double[] {0.995, 1.005}) {
        double[] moved =
            IntStream.rangeClosed(0, curve.pieces()).mapToDouble(curve::scoreOfKnot).toArray();
        moved[knot] *= factor;
        assertThat(squaredError(LogLogRankFunction.through(N, ranks(curve), moved), scores))
            .as("knot %s times %s", knot, factor)
            .isGreaterThan(least);
      }
    }
  }

  private static double squaredError(LogLogRankFunction curve, float[] scores) {
    return IntStream.rangeClosed(1, N)
        .mapToDouble(rank -> Math.pow(Math.log(curve.scoreAt(rank) / scores[rank - 1]), 2) / rank)
        .sum();
  }
}
