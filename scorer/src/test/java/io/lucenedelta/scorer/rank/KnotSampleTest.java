// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KnotSampleTest {
  @Test
  void noScoresAndScoresOfZeroAreNoResults() {
    assertThat(KnotSample.of(new float[0], 0).results()).isZero();
    assertThat(KnotSample.of(new float[] {0, 0, 0}, 3).results()).isZero();
    assertThat(KnotSample.of(new float[] {0, 0, 0}, 3).score(3)).isZero();
  }

  @Test
  void oneScoreIsTheScoreAtEveryKnot() {
    KnotSample one = KnotSample.of(new float[] {0, 2.5f, 0}, 3);
    assertThat(one.results()).isEqualTo(1);
    for (int knot = 0; knot < RankTable.KNOTS; knot++) {
      assertThat(one.score(knot)).isEqualTo(2.5f);
    }
  }

  @Test
  void theFirstAndTheLastKnotAreTheBestAndTheWorstScore() {
    KnotSample sample = KnotSample.of(new float[] {3, 9, 1, 4, 5, 99}, 5);
    assertThat(sample.results()).isEqualTo(5);
    assertThat(sample.score(0)).isEqualTo(9);
    assertThat(sample.score(RankTable.KNOTS - 1)).isEqualTo(1);
  }

  @Test
  void wholeKnotRanksTakeTheScoreThatStandsThere() {
    float[] scores = new float[96];
    for (int i = 0; i < 96; i++) {
      scores[i] = 96 - (i * 7) % 96; // a permutation of 1 to 96
    }
    assertThat(knots(KnotSample.of(scores, 96)))
        .containsExactly(96, 95, 94, 93, 92, 91, 90, 89, 88, 87, 86, 85, 73, 49, 1);
  }

  @Test
  void theBestScoresAreToldAndHowManyMoreHaveTheLastOfThem() {
    float[] scores = new float[31];
    Arrays.fill(scores, 5);
    scores[0] = 1;
    for (int i = 0; i < 20; i++) {
      scores[11 + i] = 21 + i; // the best is 40
    }
    KnotSample sample = KnotSample.of(scores, scores.length);
    assertThat(sample.bestCount()).isEqualTo(24);
    assertThat(sample.best(0)).isEqualTo(40);
    assertThat(sample.best(19)).isEqualTo(21);
    assertThat(sample.best(23)).isEqualTo(5);
    assertThat(sample.tied()).isEqualTo(10 - 4);
    KnotSample two = KnotSample.of(new float[] {3, 0, 7}, 3);
    assertThat(two.bestCount()).isEqualTo(2);
    assertThat(two.best(1)).isEqualTo(3);
    assertThat(two.tied()).isZero();
  }

  @Test
  void whereAllScoresAreEqualAllBeyondTheBestAreTiedWithThem() {
    float[] scores = new float[30];
    Arrays.fill(scores, 5);
    KnotSample sample = KnotSample.of(scores, scores.length);
    assertThat(sample.bestCount()).isEqualTo(24);
    assertThat(sample.tied()).isEqualTo(6);
  }

  @Test
  void aShortResultRepeatsItsLastScore() {
    assertThat(knots(KnotSample.of(new float[] {4, 7}, 2))).startsWith(7, 4, 4).endsWith(4, 4);
    assertThat(knots(KnotSample.of(new float[] {1, 4, 7}, 3)))
        .startsWith(7, 4, 1, 1)
        .endsWith(1, 1);
  }

  @Test
  void codedScoresKeepTheirOrderAndAreOffByLittle() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1000; round++) {
      float score = (float) Math.exp(random.nextDouble(-80, 80));
      float higher = score * (1 + random.nextFloat());
      // as doubles: of floats AssertJ compares the few digits that they are printed with
      assertThat((double) KnotCode.round(score))
          .as("seed %s", seed)
          .isCloseTo(score, within((double) score / (1 << 14)))
          .isLessThanOrEqualTo(KnotCode.round(higher));
      assertThat(KnotCode.round(KnotCode.round(score)))
          .as("seed %s, round %s", seed, round)
          .isEqualTo(KnotCode.round(score));
    }
    assertThat(KnotCode.round(Float.MIN_VALUE)).isPositive();
    assertThat(KnotCode.round(Float.MAX_VALUE)).isFinite();
  }

  @Test
  void selectionAgreesWithSortingOnRandomResultsWithTies() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      float[] scores = new float[1 + random.nextInt(round < 20 ? 5000 : 300)];
      int distinct = 1 + random.nextInt(50);
      for (int i = 0; i < scores.length; i++) {
        scores[i] = 1 + random.nextInt(distinct);
      }
      float[] sorted = scores.clone();
      Arrays.sort(sorted);
      KnotSample sample = KnotSample.of(scores, scores.length);
      for (int knot = 0; knot < RankTable.KNOTS; knot++) {
        assertThat((double) sample.score(knot))
            .as("knot %s of %s scores, seed %s", knot, scores.length, seed)
            .isCloseTo(scoreAtKnot(sorted, knot), within(1e-4 * sorted[sorted.length - 1]));
      }
    }
  }

  @Test
  void scoresThatAreNotFiniteAreRefusedUnlessTheyAreNegative() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KnotSample.of(new float[] {1, Float.NaN}, 2))
        .withMessage("scores must be finite, was NaN at result 1 of 2");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KnotSample.of(new float[] {1, Float.POSITIVE_INFINITY, 2}, 3))
        .withMessage("scores must be finite, was Infinity at result 1 of 3");
    assertThat(KnotSample.of(new float[] {0, Float.MAX_VALUE}, 2).results()).isEqualTo(1);
    assertThat(KnotSample.of(new float[] {1, Float.NEGATIVE_INFINITY}, 2).results()).isEqualTo(1);
  }

  @Test
  void aTableGivesBackWhatWasPutAndNothingForTheRest() {
    RankTable table =
        OnHeapRankTable.builder(3).put(1, KnotSample.of(new float[] {4, 2}, 2)).build();
    assertThat(table.size()).isEqualTo(3);
    assertThat(table.results(1)).isEqualTo(2);
    assertThat(table.knotScore(1, 0)).isEqualTo(4);
    assertThat(table.knotScore(1, 1)).isEqualTo(2);
    assertThat(table.knotScore(1, RankTable.KNOTS - 1)).isEqualTo(2);
    assertThat(table.results(0)).isZero();
    assertThat(table.knotScore(2, 1)).isZero();
    assertThat(LogLogRankFunction.of(table, 1).rankOf(2)).isEqualTo(2);
  }

  private static float[] knots(KnotSample sample) {
    float[] knots = new float[RankTable.KNOTS];
    for (int knot = 0; knot < knots.length; knot++) {
      knots[knot] = sample.score(knot);
    }
    return knots;
  }

  /** Straight line in (ln rank, ln score) between the two ranks around the knot. */
  private static double scoreAtKnot(float[] ascending, int knot) {
    int n = ascending.length;
    double rank =
        n <= 12 || knot < 12 ? Math.min(n, knot + 1) : 12 * Math.pow(n / 12.0, (knot - 11) / 3.0);
    int low = (int) Math.floor(rank + 1e-9);
    int high = Math.min(n, low + 1);
    double a = ascending[n - low];
    double b = ascending[n - high];
    double share = low == high ? 0 : Math.log(rank / low) / Math.log((double) high / low);
    return Math.exp(Math.log(a) + Math.max(0, share) * (Math.log(b) - Math.log(a)));
  }
}
