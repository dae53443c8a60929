// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.rank;

import static io.lucenedelta.scorer.rank.RankTable.KNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rank functions that are told of every shift, against results counted and sorted anew. */
class FollowedRanksTest {
  private final List<Double> errors = new ArrayList<>();

  private static FollowedRanks ranks(int queries) {
    return new FollowedRanks(ByteBuffer.allocate(queries * FollowedRanks.BYTES));
  }

  private static KnotSample anew(float[] scores) {
    return KnotSample.of(scores.clone(), scores.length);
  }

  private static float[] knots(RankTable table, int query) {
    float[] knots = new float[RankTable.KNOTS];
    for (int knot = 0; knot < knots.length; knot++) {
      knots[knot] = table.knotScore(query, knot);
    }
    return knots;
  }

  private static float[] knots(KnotSample sample) {
    float[] knots = new float[RankTable.KNOTS];
    for (int knot = 0; knot < knots.length; knot++) {
      knots[knot] = sample.score(knot);
    }
    return knots;
  }

  private static float[] descending(int highest) {
    float[] scores = new float[highest];
    for (int i = 0; i < highest; i++) {
      scores[i] = highest - i;
    }
    return scores;
  }

  /** Scores as results have them: few high ones, many low ones, ties, and pages without one. */
  private static float score(Random random, double matching) {
    return random.nextDouble() > matching
        ? 0
        : random.nextInt(4) == 0
            ? 1 + random.nextInt(8)
            : (float) Math.exp(-3 * random.nextDouble()) * 9;
  }

  @Test
  void aQueryThatWasNeverSetIsOneWithoutResultsAndGoesOnAlike() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    FollowedRanks ranks = ranks(2);
    ranks.put(1, anew(new float[0]));
    byte[] bytes = new byte[FollowedRanks.BYTES];
    assertThat(ranks.copyTo(0, bytes, 0)).as("anything to keep, seed %d", seed).isFalse();
    List<Float> there = new ArrayList<>();
    for (int shift = 0; shift < 3000; shift++) {
      boolean leaves = !there.isEmpty() && random.nextInt(5) < 2;
      float before = leaves ? there.remove(random.nextInt(there.size())) : 0;
      float after = leaves && random.nextBoolean() ? 0 : score(random, 1);
      if (after > 0) {
        there.add(after);
      }
      assertThat(ranks.move(0, before, after))
          .as("seed %d", seed)
          .isEqualTo(ranks.move(1, before, after));
      ranks.renew(0);
      ranks.renew(1);
      assertThat(ranks.results(0))
          .as("seed %d", seed)
          .isEqualTo(ranks.results(1))
          .isEqualTo(there.size());
      assertThat(knots(ranks, 0)).as("seed %d", seed).isEqualTo(knots(ranks, 1));
      assertThat(ranks.copyTo(0, bytes, 0)).as("anything to keep, seed %d", seed).isTrue();
    }
  }

  @Test
  void beforeAnyShiftTheyAreWhatTheSampleSays() {
    Random random = new Random(4);
    for (int results = 0; results < 400; results += 1 + results / 20) {
      float[] scores = new float[results];
      for (int i = 0; i < results; i++) {
        scores[i] = score(random, 1);
      }
      FollowedRanks ranks = ranks(2);
      ranks.put(1, anew(scores));
      assertThat(ranks.results(1)).isEqualTo(results);
      float[] exact = knots(anew(scores));
      assertThat(Arrays.copyOf(knots(ranks, 1), KNOWN))
          .as("%d results", results)
          .isEqualTo(Arrays.copyOf(exact, KNOWN));
      assertThat(knots(ranks, 1))
          .as("but for rounding, %d results", results)
          .usingComparatorWithPrecision(2e-4f * (exact[KNOWN] + Float.MIN_NORMAL))
          .containsExactly(exact);
      assertThat(ranks.results(0)).isZero();
    }
  }

  /** In whatever order pages leave: the last of them may have scores that were never kept. */
  @Test
  void whereAllResultsHaveLeftWhateverComesIsKept() {
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(descending(30)));
    for (float score = 30; score >= 1; score--) {
      ranks.move(0, score, 0);
    }
    for (float score : new float[] {3, 5, 4}) {
      ranks.move(0, 0, score);
    }
    ranks.renew(0);
    assertThat(ranks.knowsFirst(0)).isTrue();
    assertThat(knots(ranks, 0)).isEqualTo(knots(anew(new float[] {3, 5, 4})));
  }

  @Test
  void whereSoManyHaveLeftThatAllCanBeKeptLowerOnesAreKeptToo() {
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(descending(30)));
    for (float score : new float[] {30, 29, 28, 27, 26, 25, 6, 5, 4, 3, 2, 1}) {
      ranks.move(0, score, 0);
    }
    for (float score = 24; score >= 10; score--) {
      ranks.move(0, score, score / 10);
    }
    ranks.renew(0);
    float[] scores = new float[18];
    for (int i = 0; i < 18; i++) {
      int was = 24 - i;
      scores[i] = was >= 10 ? was / 10f : was;
    }
    assertThat(ranks.knowsFirst(0)).isTrue();
    assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN))
        .isEqualTo(Arrays.copyOf(knots(anew(scores)), KNOWN));
  }

  @Test
  void numbersAndFirstScoresAreExactAfterAnyShifts() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      float[] scores = new float[1 + random.nextInt(random.nextBoolean() ? 30 : 2_000)];
      double matching = random.nextDouble();
      for (int i = 0; i < scores.length; i++) {
        scores[i] = score(random, matching);
      }
      FollowedRanks ranks = ranks(1);
      ranks.put(0, anew(scores));
      for (int shift = 0; shift < 2 * scores.length; shift++) {
        int page = random.nextInt(scores.length);
        float now = score(random, matching);
        ranks.move(0, scores[page], now);
        scores[page] = now;
        if (shift % 97 == 0 || scores.length <= 30) {
          compare(ranks, anew(scores), "seed " + seed + ", shift " + shift);
        }
      }
      compare(ranks, anew(scores), "seed " + seed);
    }
    assertThat(errors.stream().mapToDouble(e -> e).average().orElseThrow())
        .as("mean error of ln score on the curve")
        .isLessThan(0.005);
  }

  private void compare(FollowedRanks ranks, KnotSample expected, String what) {
    ranks.renew(0);
    assertThat(ranks.results(0)).as(what).isEqualTo(expected.results());
    float[] knots = knots(ranks, 0);
    float[] exact = knots(expected);
    assertThat(Arrays.copyOf(knots, KNOWN)).as(what).isEqualTo(Arrays.copyOf(exact, KNOWN));
    for (int knot = KNOWN; knot < RankTable.KNOTS; knot++) {
      assertThat(knots[knot]).as(what).isLessThanOrEqualTo(knots[knot - 1]);
    }
    for (int knot = KNOWN; expected.results() > 0 && knot < RankTable.KNOTS - 1; knot++) {
      errors.add(Math.abs(Math.log(knots[knot] / exact[knot])));
    }
    assertThat(knots[RankTable.KNOTS - 1]).as(what).isLessThanOrEqualTo(exact[RankTable.KNOTS - 1]);
  }

  @Test
  void whenTooManyOfTheBestLeaveTheirPlacesAreReadOffTheCurve() {
    float[] scores = descending(200);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    for (int i = 0; i < 60; i++) {
      ranks.move(0, scores[i], 0);
      ranks.renew(0);
      float[] knots = knots(ranks, 0);
      for (int knot = 0; knot < knots.length; knot++) {
        assertThat(knots[knot]).isPositive().isLessThanOrEqualTo(knot == 0 ? 200 : knots[knot - 1]);
      }
    }
    assertThat(ranks.results(0)).isEqualTo(140);
    assertThat(LogLogRankFunction.of(ranks, 0).rankOf(1)).isEqualTo(140);
  }

  @Test
  void resultsThatLostTheirBestPagesKnowTheNewOnes() {
    float[] scores = descending(200);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    for (int i = 0; i < KnotSample.BEST - KNOWN; i++) {
      ranks.move(0, scores[KnotSample.BEST - 1 - i], 0);
      assertThat(ranks.knowsFirst(0)).isTrue();
    }
    ranks.move(0, scores[0], 0);
    assertThat(ranks.knowsFirst(0)).isFalse();
    for (int i = 1; i < 60; i++) {
      ranks.move(0, i < KNOWN || i >= KnotSample.BEST ? scores[i] : 0, 0);
      scores[i] = 0;
    }
    for (int i = 0; i < KNOWN; i++) {
      assertThat(ranks.knowsFirst(0)).as("%d of the new ones", i).isFalse();
      scores[i] = 190 + i;
      ranks.move(0, 0, scores[i]);
    }
    assertThat(ranks.knowsFirst(0)).isTrue();
    ranks.renew(0);
    assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN))
        .isEqualTo(Arrays.copyOf(knots(anew(scores)), KNOWN));
  }

  @Test
  void manyResultsOfTheSameScoreStayKnownWhileAnyOfThemAreThere() {
    float[] scores = descending(200);
    Arrays.fill(scores, 0, 70, 300);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    float[] higher = {302, 301};
    for (int i = 0; i < 2; i++) {
      ranks.move(0, scores[i], higher[i]);
      scores[i] = higher[i];
    }
    for (int i = 2; i < 58; i++) {
      float now = i % 2 == 0 ? 0 : 50;
      boolean told = ranks.move(0, scores[i], now);
      assertThat(told)
          .as("%d are left", 69 - i)
          .isEqualTo(69 - i < KnotSample.BEST - higher.length);
      scores[i] = now;
      assertThat(ranks.knowsFirst(0)).isTrue();
      ranks.renew(0);
      if (i == 30) {
        assertThat(ranks.knotScore(0, KNOWN)).as("at rank 30, 41 are left").isEqualTo(300);
      }
      assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN))
          .as("%d are left", 69 - i)
          .isEqualTo(Arrays.copyOf(knots(anew(scores)), KNOWN));
    }
    for (int i = 2; i < 58; i++) { // they come again
      ranks.move(0, scores[i], 300);
      scores[i] = 300;
    }
    for (int i = 0; i < 58; i++) {
      ranks.move(0, scores[i], 0);
      scores[i] = 0;
      ranks.renew(0);
      assertThat(ranks.knowsFirst(0)).isTrue();
      assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN))
          .as("%d left again", i)
          .isEqualTo(Arrays.copyOf(knots(anew(scores)), KNOWN));
    }
    ranks.move(0, 300, 0);
    assertThat(ranks.knowsFirst(0)).as("eleven are left").isFalse();
  }

  @Test
  void aResultThatIsNotAmongTheBestIsNotCountedAsTiedWithTheLastOfThem() {
    float[] scores = descending(200);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    ranks.move(0, scores[KnotSample.BEST - 1], 0);
    ranks.move(0, 0, 500);
    ranks.move(0, 0, scores[KnotSample.BEST - 1] + 0.5f);
    for (int i = 0; i < KnotSample.BEST - KNOWN; i++) {
      ranks.move(0, scores[i], 0);
    }
    assertThat(ranks.knowsFirst(0)).isTrue();
    ranks.move(0, 500, 0);
    assertThat(ranks.knowsFirst(0)).isFalse();
  }

  @Test
  void whatIsSaidToBeKnownIsExactHoweverOftenAllPagesAreOthers() {
    int known = 0;
    int all = 0;
    for (long seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      float[] scores = new float[30 + random.nextInt(1_000)];
      FollowedRanks ranks = ranks(1);
      ranks.put(0, anew(scores));
      for (int round = 0; round < 20; round++) {
        double matching = round % 4 == 0 ? 1 : random.nextDouble();
        for (int page = 0; page < scores.length; page++) {
          float now = score(random, matching);
          ranks.move(0, scores[page], now);
          scores[page] = now;
        }
        ranks.renew(0);
        KnotSample exact = anew(scores);
        assertThat(ranks.results(0)).as("seed %d", seed).isEqualTo(exact.results());
        if (ranks.knowsFirst(0)) {
          known++;
          assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN))
              .as("seed %d, round %d", seed, round)
              .isEqualTo(Arrays.copyOf(knots(exact), KNOWN));
        }
        all++;
      }
    }
    assertThat((double) known / all)
        .as("share of results whose first places are known")
        .isGreaterThan(0.5);
  }

  @Test
  void oneOfTheFirstScoresIsToldOfAtOnceAndTheCurveWhenItHasMovedEnough() {
    float[] scores = descending(1_000);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    assertThat(ranks.move(0, 500, 501)).as("nothing but the page itself").isFalse();
    assertThat(ranks.move(0, 500, 995)).as("the sixth").isTrue();
    int told = 0;
    for (int i = 0; i < 42; i++) {
      boolean moved = ranks.move(0, 0, 300 + i);
      told += moved ? 1 : 0;
      if (moved) {
        ranks.renew(0);
      }
    }
    assertThat(told).as("42 more of some 1,000 results, told of two in a hundred").isEqualTo(2);
    assertThat(ranks.move(0, 7, 7)).isFalse();
  }

  @Test
  void aScoreThatWasRoundedOtherwiseIsFoundAndOneThatIsNotThereDoesNoHarm() {
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(new float[] {4, 3, 2}));
    ranks.move(0, 3 * (1 + 0x1p-13f), 0);
    ranks.renew(0);
    assertThat(knots(ranks, 0)).startsWith(4, 2).endsWith(2);
    ranks.move(0, 8, 1);
    ranks.renew(0);
    assertThat(ranks.results(0)).isEqualTo(2);
    assertThat(knots(ranks, 0)).startsWith(4, 2);
    ranks.move(0, 4 * (1 - 0x1p-14f), 0);
    ranks.renew(0);
    assertThat(knots(ranks, 0)).as("the other way").containsOnly(2);
    ranks.move(0, 2, 0);
    ranks.move(0, 2, 0);
    ranks.renew(0);
    assertThat(ranks.results(0)).isZero();
    assertThat(ranks.knotScore(0, 0)).isZero();
    assertThat(ranks.move(0, 0, 5)).isTrue();
    assertThat(ranks.results(0)).as("until it is renewed").isZero();
    ranks.renew(0);
    assertThat(knots(ranks, 0)).containsOnly(5);
  }

  @Test
  void pagesThatWereNotThereTakeTiedOnesWithThemAndNothingElse() {
    float[] scores = new float[30];
    Arrays.fill(scores, 5);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    for (int i = 0; i < 10; i++) {
      ranks.move(0, 4, 0);
    }
    for (int left = 19; left > 0; left--) {
      ranks.move(0, 5, 0);
      ranks.renew(0);
      assertThat(ranks.results(0)).isEqualTo(left);
      assertThat(knots(ranks, 0)).as("%d are left", left).containsOnly(5);
    }
    ranks.move(0, 0, 3);
    ranks.renew(0);
    assertThat(knots(ranks, 0)).as("5 and 3").startsWith(5, 3, 3).endsWith(3);
  }

  /** Pages below the best rise, fall, enter and leave; pages at a point are counted anew. */
  @Test
  void pointsOfTheCurveMoveByThePagesThatPassThemAndKnotsLieBetweenThem() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 30; round++) {
      String what = "seed %d, round %d".formatted(seed, round);
      float scale = round % 2 == 0 ? 1 : 1e6f;
      float[] scores = new float[1_000 + random.nextInt(3_000)];
      for (int page = 0; page < scores.length; page++) {
        boolean best = page < KnotSample.BEST;
        scores[page] = scale * (best ? 200 - page : random.nextInt(5) < 1 ? 0 : below(random));
      }
      FollowedRanks ranks = ranks(3);
      ranks.put(1, anew(scores));
      byte[] others = new byte[2 * FollowedRanks.BYTES];
      ranks.put(2, anew(descending(50)));
      ranks.copyTo(2, others, 0);
      Curve curve = new Curve(ranks, scores);
      double up = random.nextDouble(); // how many of those that move move up
      double leave = random.nextInt(3) / 4.0;
      for (int shift = 0; shift < scores.length; shift++) {
        int page = KnotSample.BEST + random.nextInt(scores.length - KnotSample.BEST);
        float other = scale * below(random);
        float now =
            random.nextDouble() < up
                ? Math.max(scores[page], other)
                : random.nextDouble() < leave ? 0 : Math.min(scores[page], other);
        ranks.move(1, scores[page], now);
        scores[page] = now;
        curve.least = now > 0 ? Math.min(curve.least, KnotCode.round(now)) : curve.least;
      }
      ranks.renew(1);
      curve.compare(ranks, scores, what);
      ranks.copyTo(2, others, FollowedRanks.BYTES);
      assertThat(Arrays.copyOf(others, FollowedRanks.BYTES))
          .as("another query, %s", what)
          .isEqualTo(Arrays.copyOfRange(others, FollowedRanks.BYTES, others.length));
      assertThat(ranks.results(0)).as(what).isZero();
    }
  }

  private static float below(Random random) {
    return 1 + 99 * (float) Math.pow(random.nextDouble(), 3);
  }

  /** The curve of query 1 beyond its best scores, which stay, by counting. */
  private static final class Curve {
    private final float[] best;
    private final double[] points = new double[RankTable.POINTS]; // their scores
    private final double[] beside = new double[RankTable.POINTS]; // of the page counted last
    private float least;

    Curve(FollowedRanks ranks, float[] scores) {
      best = Arrays.copyOf(scores, KnotSample.BEST);
      least = ranks.knotScore(1, RankTable.KNOTS - 1);
      for (int point = 0; point < points.length; point++) {
        points[point] = ranks.knotScore(1, KNOWN + point);
        beside[point] =
            KnotRanks.rank(ranks.results(1), KNOWN + point) - atLeast(scores, points[point]);
      }
    }

    private static int atLeast(float[] scores, double least) {
      int count = 0;
      for (float score : scores) {
        count += KnotCode.round(score) >= least ? 1 : 0;
      }
      return count;
    }

    void compare(FollowedRanks ranks, float[] scores, String what) {
      double[] at = {1, best.length, 0, 0, atLeast(scores, Float.MIN_VALUE)};
      double[] score = {best[0], best[best.length - 1], points[0], points[1], least};
      for (int point = 0; point < points.length; point++) {
        at[2 + point] = beside[point] + atLeast(scores, points[point]);
        assertThat(ranks.pointScore(1, point)).as(what).isEqualTo((float) points[point]);
        assertThat(ranks.pointRank(1, point)).as(what).isCloseTo(at[2 + point], within(0.01));
      }
      assertThat(ranks.results(1)).as(what).isEqualTo((int) at[4]);
      LogLogRankFunction curve = LogLogRankFunction.through((int) at[4], at, score);
      for (int knot = KNOWN; knot < RankTable.KNOTS; knot++) {
        double expected = curve.scoreAt(KnotRanks.rank((int) at[4], knot));
        assertThat((double) ranks.knotScore(1, knot))
            .as("knot %d of %s, %s", knot, curve, what)
            .isCloseTo(expected, within(2e-4 * expected));
      }
    }
  }

  @Test
  void theCurveIsFlatWhereBothItsPointsHaveTheSameScore() {
    float[] scores = descending(2_000);
    Arrays.fill(scores, 40, 500, 1_500); // the points are at ranks 66 and 363
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    assertThat(knots(ranks, 0)).isEqualTo(knots(anew(scores)));
    for (int i = 500; i < 600; i++) { // to above the points, which are at ranks 166 and 463 then
      ranks.move(0, scores[i], 1_700);
      scores[i] = 1_700;
    }
    ranks.renew(0);
    assertThat(ranks.knotScore(0, KNOWN + 1)).as("at rank 363 of 600").isEqualTo(1_500);
  }

  @Test
  void oneMoreResultOfTheFirstScoreIsNoOtherFirstScore() {
    float[] alike = new float[200];
    Arrays.fill(alike, 5);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(alike));
    assertThat(ranks.move(0, 0, 5)).isFalse();
    assertThat(ranks.move(0, 0, 6)).isTrue();
  }

  @Test
  void whereTheOneResultThatWasNotKeptLeavesTheLeastScoreIsThatOfTheLastKept() {
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(descending(KnotSample.BEST + 1)));
    ranks.move(0, 1, 0);
    ranks.renew(0);
    assertThat(knots(ranks, 0)).endsWith(2);
  }

  @Test
  void aShiftAsksToRenewWhenAFirstScoreIsAnotherOrMoreThanTwoInAHundredMovedTheCurve() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int asked = 0;
    int unmoved = 0;
    int exact = 0;
    for (int round = 0; round < 60; round++) {
      float[] scores = new float[1 + 50 * random.nextInt(6) + random.nextInt(30)];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = score(random, 0.9);
      }
      FollowedRanks ranks = ranks(2);
      ranks.put(1, anew(scores));
      int moved = 0;
      for (int shift = 0; shift < 200; shift++) {
        String what = "seed %d, round %d, shift %d".formatted(seed, round, shift);
        int page = random.nextInt(scores.length);
        float now = random.nextInt(3) == 0 ? score(random, 0.9) : scores[page] * 1.01f;
        float high = KnotCode.round(Math.max(scores[page], now));
        boolean farDown = ranks.knowsFirst(1) && high < ranks.knotScore(1, KNOWN - 1);
        boolean movesCurve = movesCurve(ranks, scores[page], now);
        boolean asks = ranks.move(1, scores[page], now);
        scores[page] = now;
        moved += movesCurve ? 1 : 0;
        int results = Curve.atLeast(scores, Float.MIN_VALUE);
        boolean enough = results <= KNOWN || 100 * moved > 2 * results;
        if (farDown) {
          assertThat(asks).as(what).isEqualTo(movesCurve && enough);
          unmoved += movesCurve ? 0 : 1;
        }
        if (asks) {
          ranks.renew(1);
          moved = 0;
          asked++;
        } else if (ranks.knowsFirst(1)) { // what is read off the curve moves with it
          exact++;
          float[] first = Arrays.copyOf(knots(ranks, 1), KNOWN);
          assertThat(Arrays.copyOf(knots(renewed(ranks, 1), 2), KNOWN)).as(what).isEqualTo(first);
        }
      }
    }
    assertThat(asked).as("seed %d", seed).isGreaterThan(500);
    assertThat(unmoved).as("seed %d", seed).isGreaterThan(500);
    assertThat(exact).as("seed %d", seed).isGreaterThan(2_000);
  }

  /** Whether a shift changes N, who stands above a point, or the least score. */
  private static boolean movesCurve(FollowedRanks ranks, float before, float after) {
    float from = KnotCode.round(before);
    float to = KnotCode.round(after);
    boolean moves = (from > 0) != (to > 0);
    for (int point = 0; point < RankTable.POINTS; point++) {
      float score = ranks.pointScore(1, point);
      moves |= score > 0 && (from >= score) != (to >= score);
    }
    return moves || (to > 0 && to < renewed(ranks, 1).knotScore(2, RankTable.KNOTS - 1));
  }

  /** Query 2 of another table: a query as it is once renewed. */
  private static FollowedRanks renewed(FollowedRanks ranks, int query) {
    byte[] bytes = new byte[7 + FollowedRanks.BYTES];
    ranks.copyTo(query, bytes, 7);
    FollowedRanks others = ranks(3);
    others.copyFrom(2, bytes, 7);
    others.renew(2);
    return others;
  }

  @Test
  void aPageThatWasNotThereTakesNoneOfTheBestWithItThoughOneOfItsScoreHadLeft() {
    float[] scores = descending(200);
    FollowedRanks ranks = ranks(1);
    ranks.put(0, anew(scores));
    ranks.move(0, scores[KnotSample.BEST - 1], 0);
    ranks.move(0, scores[KnotSample.BEST - 1], 0);
    for (int i = KNOWN; i < KnotSample.BEST - 1; i++) {
      ranks.move(0, scores[i], 0);
    }
    assertThat(ranks.knowsFirst(0)).as("twelve are left").isTrue();
    ranks.renew(0);
    assertThat(Arrays.copyOf(knots(ranks, 0), KNOWN)).isEqualTo(Arrays.copyOf(scores, KNOWN));
  }

  @Test
  void scoresThatAreNoneAreRefused() {
    FollowedRanks ranks = ranks(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ranks.move(0, Float.NaN, 1))
        .withMessageContaining("were NaN and 1.0");
    assertThatIllegalArgumentException().isThrownBy(() -> ranks.move(0, 0, -1));
    for (float infinite : new float[] {Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY}) {
      assertThatIllegalArgumentException().isThrownBy(() -> ranks.move(0, infinite, 1));
      assertThatIllegalArgumentException().isThrownBy(() -> ranks.move(0, 1, infinite));
    }
    ranks.move(0, 0, Float.MAX_VALUE);
    ranks.move(0, Float.MAX_VALUE, 1);
    ranks.renew(0);
    assertThat(knots(ranks, 0)).containsOnly(1);
  }
}
