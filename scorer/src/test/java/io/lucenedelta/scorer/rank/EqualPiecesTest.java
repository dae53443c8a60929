// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EqualPiecesTest {
  @Test
  void theKnotsAreTheScoresAtTheThirdsInLogRank() {
    float[] scores = new float[27];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = i + 1; // rank 1 has 27, rank 3 has 25, rank 9 has 19
    }
    LogLogRankFunction function = EqualPieces.of(scores, scores.length);
    assertThat(function.results()).isEqualTo(27);
    assertThat(function.pieces()).isEqualTo(3);
    assertThat(function.scoreOfKnot(0)).isEqualTo(27);
    assertThat(function.scoreOfKnot(1)).isCloseTo(25, within(1e-9));
    assertThat(function.scoreOfKnot(2)).isCloseTo(19, within(1e-9));
    assertThat(function.scoreOfKnot(3)).isEqualTo(1);
    assertThat(function.rankOf(25)).isCloseTo(3, within(1e-9));
  }

  @Test
  void aScoreBetweenTwoRanksLiesOnTheStraightLineInLogarithms() {
    // scores 1/rank, so that every curve through them is the same straight line
    float[] scores = {1 / 5f, 1 / 2f, 1f, 1 / 4f, 1 / 3f};
    LogLogRankFunction function = EqualPieces.of(scores, scores.length);
    assertThat(function.scoreOfKnot(1)).isCloseTo(Math.pow(5, -1 / 3.0), within(1e-6));
    assertThat(function.scoreOfKnot(2)).isCloseTo(Math.pow(5, -2 / 3.0), within(1e-6));
  }

  @Test
  void theKnotsOfPerfectCubesLieAtWholeRanks() {
    // a third power rarely comes out whole: 64^(1/3) is 3.9999999999999996
    for (int root = 2; root <= 30; root++) {
      int results = root * root * root;
      float[] scores = new float[results];
      for (int i = 0; i < results; i++) {
        scores[i] = i < root - 1 ? 9 - i * 0.1f : 1; // from rank root on all are tied
      }
      LogLogRankFunction function = EqualPieces.of(scores, results);
      assertThat(function.scoreOfKnot(1)).as("of %s results", results).isEqualTo(1);
      assertThat(function.rankOf(1))
          .as("the middle of the tie of %s results", results)
          .isCloseTo(Math.sqrt((double) root * results), within(1e-9 * results));
    }
  }

  @Test
  void pagesOutsideTheResultDoNotCount() {
    assertThat(EqualPieces.of(new float[] {0, 3, 0, 2, 9}, 4).results()).isEqualTo(2);
    assertThat(EqualPieces.of(new float[] {0, 0}, 2).results()).isZero();
    assertThat(EqualPieces.of(new float[0], 0).results()).isZero();
    assertThat(EqualPieces.of(new float[] {5}, 1).rankOf(4)).isEqualTo(1);
  }

  @Test
  void aScoreThatIsNotFiniteIsRefused() {
    for (float bad : new float[] {Float.POSITIVE_INFINITY, Float.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> EqualPieces.of(new float[] {bad, 1}, 2))
          .withMessage("scores must be finite, was " + bad);
    }
    assertThat(EqualPieces.of(new float[] {Float.NEGATIVE_INFINITY, 1}, 2).results()).isOne();
  }
}
