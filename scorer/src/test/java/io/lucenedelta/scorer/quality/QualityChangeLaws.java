// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** What holds for every estimate with real-valued ranks, on random functions and shifts. */
interface QualityChangeLaws {
  int ROUNDS = 3000;

  /** The estimate under test, with the paper's I(r). */
  QualityChange estimate();

  @Test
  default void anEstimateIsNeverNegative() {
    forRandom(
        (random, f, label) -> {
          double before = RandomShifts.score(random, f);
          double after = RandomShifts.score(random, f);
          assertThat(change(f, before, after))
              .as("%s from %s to %s", label, before, after)
              .isNotNegative();
        });
  }

  @Test
  default void aScoreThatDoesNotChangeChangesNothing() {
    forRandom(
        (random, f, label) -> {
          double score = RandomShifts.score(random, f);
          ShiftEffect effect = estimate().effect(f, score, score);
          assertThat(effect.own()).as(label).isZero();
          assertThat(effect.others()).as(label).isZero();
        });
  }

  @Test
  default void whatIsNoScoreIsRefusedWhereverThePageComesFromOrGoes() {
    forRandom(
        (random, f, label) -> {
          double score = RandomShifts.score(random, f);
          for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
            for (double other : new double[] {0, score}) {
              assertThatIllegalArgumentException()
                  .as("%s from %s to %s", label, other, bad)
                  .isThrownBy(() -> change(f, other, bad))
                  .withMessage("a score must be 0 or more and finite, was " + bad);
              assertThatIllegalArgumentException()
                  .as("%s from %s to %s", label, bad, other)
                  .isThrownBy(() -> change(f, bad, other))
                  .withMessage("a score must be 0 or more and finite, was " + bad);
            }
          }
        });
  }

  @Test
  default void aLargerMoveInTheSameDirectionIsWorthNoLess() {
    forRandom(
        (random, f, label) -> {
          double before = RandomShifts.score(random, f);
          double near = RandomShifts.score(random, f);
          double far =
              near > before ? near * (1 + random.nextDouble()) : near * random.nextDouble();
          double nearChange = change(f, before, near);
          assertThat(change(f, before, far))
              .as("%s from %s to %s, then %s", label, before, near, far)
              .isGreaterThanOrEqualTo(nearChange - 1e-12 * (before + far));
        });
  }

  @Test
  default void whatAPageTakesWhenItEntersItGivesBackWhenItLeavesButForItsOwnPosition() {
    forRandom(
        (random, f, label) -> {
          double score = f.scoreAt(1 + random.nextDouble() * f.results());
          if (f.results() == 0) {
            return;
          }
          double taken = estimate().effect(f, 0, score).others();
          double given = estimate().effect(f, score, 0).others();
          double rank = f.rankOf(score);
          double whole =
              Math.floor(rank); // the middle of a tie may be entered and left at its ends
          double position = views(whole) - views(whole + 1);
          assertThat(taken + given)
              .as("%s at %s", label, score)
              .isCloseTo(0, within(1e-9 + position * f.scoreAt(rank) + slack(f)));
        });
  }

  @Test
  default void theEstimateIsContinuousAcrossKnots() {
    forRandom(
        (random, f, label) -> {
          double knot = f.scoreOfKnot(1 + random.nextInt(f.pieces() - 1));
          double before = RandomShifts.score(random, f);
          boolean tied = f.rankOf(knot * (1 - 1e-9)) > f.rankOf(knot * (1 + 1e-9)) * (1 + 1e-4);
          if (f.results() > 0 && !tied) {
            double above = change(f, before, knot * (1 + 1e-9));
            double below = change(f, before, knot * (1 - 1e-9));
            assertThat(above)
                .as("%s from %s across %s", label, before, knot)
                .isCloseTo(below, within(2e-4 * f.scoreOfKnot(0)));
          }
        });
  }

  @Test
  default void theEstimateIsTheAreaBetweenTheCurveAndTheNewScore() {
    forRandom(
        (random, f, label) -> {
          double before = RandomShifts.score(random, f);
          double after = RandomShifts.score(random, f);
          ShiftEffect effect = estimate().effect(f, before, after);
          boolean entersLast = before == 0 && after < f.scoreAt(f.results());
          if (f.results() == 0 || before == after || entersLast) {
            return;
          }
          double start = before == 0 ? f.results() + 1.0 : effect.rankBefore();
          double end = after == 0 ? f.results() : effect.rankAfter();
          double area =
              area(r -> Math.abs(scorePassed(f, r, after < before) - after), start, end, f);
          double outside = before == 0 ? views(f.results() + 1.0) * after : 0;
          double lost = after == 0 ? 0 : outside;
          assertThat(effect.total())
              .as("%s from %s to %s", label, before, after)
              .isCloseTo(area + lost, within(2e-5 * (area + lost) + 1e-9));
        });
  }

  @Test
  default void viewsThatCountTwiceMakeEveryChangeTwiceAsLarge() {
    forRandom(
        (random, f, label) -> {
          double before = RandomShifts.score(random, f);
          double after = RandomShifts.score(random, f);
          double once = change(f, before, after);
          double twice = withViews(new PowerLawViews(2, 1.5)).effect(f, before, after).total();
          assertThat(twice).as(label).isCloseTo(2 * once, within(1e-9 * (before + after)));
        });
  }

  /** The score that the estimate takes a page to have that is passed at a rank. */
  default double scorePassed(LogLogRankFunction f, double rank, boolean falls) {
    return f.scoreAt(rank);
  }

  /** How much more may lie between entering and leaving. */
  default double slack(LogLogRankFunction f) {
    return 0;
  }

  /** The same estimate with other views. */
  QualityChange withViews(ViewingLikelihood views);

  private double change(LogLogRankFunction f, double before, double after) {
    return estimate().effect(f, before, after).total();
  }

  private static double views(double rank) {
    return Math.pow(rank, -1.5);
  }

  /** Simpson's rule in ln r, cut at the knots and at the first whole ranks. */
  private static double area(
      DoubleUnaryOperator height, double start, double end, LogLogRankFunction f) {
    double low = Math.log(Math.min(start, end));
    double high = Math.log(Math.max(start, end));
    double sum = 0;
    TreeSet<Double> cuts = new TreeSet<>(List.of(low));
    for (int rank = 2; rank <= RankTable.KNOWN + 1; rank++) {
      cuts.add(Math.log(rank));
    }
    for (int knot = 0; knot <= f.pieces(); knot++) {
      cuts.add(Math.log(f.rankOfKnot(knot)));
    }
    for (double cut : cuts) {
      Double next = cuts.higher(cut);
      double from = Math.max(low, cut);
      double to = next == null ? high : Math.min(high, next);
      int steps = 200;
      double step = (to - from) / steps;
      for (int i = 0; i <= steps && step > 0; i++) {
        double inside = Math.min(Math.max(i, 1e-6), steps - 1e-6); // of a step at its ends
        double rank = Math.exp(from + inside * step);
        double weight = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * step / 3 * 1.5 * Math.pow(rank, -1.5) * height.applyAsDouble(rank);
      }
    }
    return sum;
  }

  /** One round of a law. */
  interface Round {
    void check(Random random, LogLogRankFunction f, String label);
  }

  private static void forRandom(Round round) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < ROUNDS; i++) {
      LogLogRankFunction f = RandomShifts.function(random);
      round.check(random, f, f + ", seed " + seed);
    }
  }
}
