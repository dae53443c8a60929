// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.divergence.SampledCurve;
import io.lucenedelta.scorer.refresh.Foresight;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RecordedPage;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The 2008 paper's policies against numbers worked out by hand. */
class UtilityPoliciesTest {
  /** The paper's example profile: ⟨(10, 0), (12, 0.2), (15, 0.2), (23, 0.3)⟩. */
  private static RecordedPage example() {
    return new RecordedPage("example")
        .visit(10, 0, 0)
        .visit(12, 0.2, 0)
        .visit(15, 0.2, 0)
        .visit(23, 0.3, 0);
  }

  private static UtilitySettings settings(double threshold, int h) {
    return new UtilitySettings(threshold, h, 28, 10);
  }

  @Test
  void aProfileHoldsWhatThePaperSays() {
    CurveFitting policy = new CurveFitting(settings(1, 1), 1);
    assertThat(policy.points(example())).isEqualTo(Map.of(2.0, 0.2, 5.0, 0.2, 13.0, 0.3));
  }

  @Test
  void severalProfilesAreAveragedWhereDistancesAreEqual() {
    RecordedPage page = RecordedPage.of("a").visit(7, 0.2, 0).visit(14, 0.2, 0).visit(21, 0.5, 0);
    Map<Double, Double> points = new CurveFitting(settings(1, 5), 1).points(page);
    assertThat(points.get(7.0)).isCloseTo((0.2 + 0 + 0.3) / 3, within(1e-12));
    assertThat(points.get(14.0)).isCloseTo((0.2 + 0.3) / 2, within(1e-12));
    assertThat(points.get(21.0)).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void distancesThatSnapshotsSomeMinutesEarlyOrLateMakeUnequalAreAveragedAsEqual() {
    RecordedPage page =
        RecordedPage.of("a").visit(7.005, 0.2, 0).visit(13.995, 0.2, 0).visit(21, 0.5, 0);
    Map<Double, Double> points = new CurveFitting(settings(1, 5), 1).points(page);
    assertThat(points.keySet()).containsExactly(7.005, 13.995, 21.0);
    assertThat(points.get(7.005)).isCloseTo((0.2 + 0 + 0.3) / 3, within(1e-12));
    assertThat(points.get(13.995)).isCloseTo((0.2 + 0.3) / 2, within(1e-12));
    assertThat(points.get(21.0)).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void atMostHProfilesAreOpenAndFullOnesMakeRoom() {
    assertThat(ChangeProfiles.of(4, 2).profiles())
        .containsExactly(new ChangeProfiles.Profile(0, 3), new ChangeProfiles.Profile(1, 3));
    assertThat(ChangeProfiles.of(13, 1).profiles()).endsWith(new ChangeProfiles.Profile(12, 12));
    assertThat(ChangeProfiles.of(12, 1).profiles())
        .containsExactly(new ChangeProfiles.Profile(0, 11));
  }

  @Test
  void whereNoProfileReachesSoFarOneThatBeganAtTheReferenceTimeStandsIn() {
    RecordedPage page = RecordedPage.of("a");
    for (int week = 1; week <= 14; week++) {
      page.visit(7 * week, 0.5, 0);
    }
    // the one profile kept was closed at visit 11; divergence ½ from some time in the first week on
    BoundBased.Bounds bounds = new BoundBased(settings(1, 1), 1).bounds(page, 0, 14);
    assertThat(bounds.least()).isCloseTo(0, within(1e-9));
    assertThat(bounds.most()).isCloseTo(7 * 0.5, within(1e-9));
  }

  @Test
  void boundsEncloseTheAreaUnderTheCurve() {
    // one profile from day 10 to day 23, elapsed 13, divergence 0.3 there:
    // upper area 2·0.2 + 3·0.2 + 8·0.3 = 3.4, lower 2·0 + 3·0.2 + 8·0.2 = 2.2
    BoundBased.Bounds bounds = new BoundBased(settings(1, 1), 1).bounds(example(), 0, 3);
    assertThat(bounds.least()).isCloseTo(13 * 0.3 - 3.4, within(1e-9));
    assertThat(bounds.most()).isCloseTo(13 * 0.3 - 2.2, within(1e-9));
  }

  @Test
  void aPeriodThatWasTooShortIsDoubledAndOneTooLongIsHalved() {
    RecordedPage still = RecordedPage.of("still").visit(7, 0, 0);
    // upper bound 0 is under T: 2 · 7 days
    assertThat(new BoundBased(settings(2, 1), 1).period(still)).isEqualTo(14);
    still.visit(21, 0, 0);
    // 2 · 21 days, but never more than ρ·T = 20
    assertThat(new BoundBased(settings(2, 1), 1).period(still)).isEqualTo(20);
    // the lower bound 20·0.9 − 10·0.1 − 10·0.9 is over T: half of the 20 days that 2·10 had made
    RecordedPage wild = RecordedPage.of("wild").visit(10, 0.1, 0).visit(20, 0.9, 0);
    assertThat(new BoundBased(new UtilitySettings(2, 1, 28, 10), 1).period(wild)).isEqualTo(10);
  }

  @Test
  void aPeriodIsAsLongAsItShouldBeWhereTheBoundsReachTheThreshold() {
    // upper bound 2·0.5 on day 2 and lower bound 4·1 − 2·0.5 − 2·1 on day 4: T, so only the
    // second changes the period of 3 days
    RecordedPage page = RecordedPage.of("a").visit(2, 0.5, 0).visit(4, 1, 0);
    assertThat(new BoundBased(new UtilitySettings(1, 1, 3, 10), 1).period(page)).isEqualTo(1.5);
  }

  @Test
  void settingsOutOfRangeAreRefused() {
    double infinite = Double.POSITIVE_INFINITY;
    assertThat(new UtilitySettings(0.5, 1, 0.5, 1).riskCap()).isEqualTo(0.5);
    for (double[] bad :
        new double[][] {
          {0, 1, 28, 10},
          {2, 0, 28, 10},
          {2, 1, 0, 10},
          {2, 1, 28, 0.9},
          {infinite, 1, 28, 10},
          {2, 1, infinite, 10},
          {2, 1, 28, infinite}
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new UtilitySettings(bad[0], (int) bad[1], bad[2], bad[3]))
          .withMessageContaining(
              "must be positive, profiles and risk at least 1, and all finite; were " + bad[0]);
    }
  }

  @Test
  void theFirstPeriodExceedsNoRiskEither() {
    RecordedPage once = RecordedPage.of("once");
    // 28 days of learning, but never more than ρ·T = 20
    assertThat(new BoundBased(new UtilitySettings(2, 1, 28, 10), 1).period(once)).isEqualTo(20);
  }

  @Test
  void aNewReferenceTimeStartsTheSearchAnewFromHalfThePeriod() {
    BoundBased policy = new BoundBased(settings(2, 2), 1);
    RecordedPage page = RecordedPage.of("a").visit(7, 0.2, 0);
    // bounds 7·0.2 − 7·0.2 = 0 and 7·0.2 − 0 = 1.4 lie under T = 2: 2 · 7 days
    assertThat(policy.period(page)).isEqualTo(14);
    // the profile of day 0: upper area 7·0.2 + 7·0.5 = 4.9, lower 7·0 + 7·0.2 = 1.4; that of day 7
    // is too short. Bounds 14·0.5 − 4.9 = 2.1 and 5.6: too long, so half, and t_R is day 14
    page.visit(14, 0.5, 0);
    assertThat(policy.bounds(page, 0, 2).least()).isCloseTo(2.1, within(1e-9));
    assertThat(policy.bounds(page, 0, 2).most()).isCloseTo(5.6, within(1e-9));
    assertThat(policy.period(page)).isEqualTo(7);
    // 14 days after t_R both profiles count, each over its first 14 days: that of day 7 has areas
    // 7·0.3 + 7·0.35 = 4.55 and 7·0 + 7·0.3 = 2.1, divergence 0.35. Means 4.725, 1.75 and 0.425;
    // the bounds 14·0.425 − 4.725 = 1.225 and 4.2 enclose T: the period stays
    page.visit(28, 0.55, 0);
    assertThat(policy.bounds(page, 2, 3).least()).isCloseTo(1.225, within(1e-9));
    assertThat(policy.bounds(page, 2, 3).most()).isCloseTo(4.2, within(1e-9));
    assertThat(policy.period(page)).isEqualTo(7);
  }

  @Test
  void noPeriodBecomesSoShortThatTheThresholdIsOutOfReach() {
    // with D at most 1 no refresh within T days is worth T
    RecordedPage wild = RecordedPage.of("wild");
    BoundBased policy = new BoundBased(settings(2, 5), 1);
    double shortest = Double.MAX_VALUE;
    for (int week = 1; week <= 60; week++) {
      wild.visit(7 * week, 0.3 * week, 0);
      shortest = Math.min(shortest, policy.period(wild));
    }
    assertThat(shortest).isEqualTo(2);
  }

  @Test
  void pagesAlikeDoNotStarve() {
    RecordedPage[] pages = new RecordedPage[20];
    Arrays.setAll(pages, i -> RecordedPage.of("page-" + i));
    int weeks = 208;
    for (int week = 1; week <= weeks; week++) {
      List<String> next = order(new BoundBased(settings(2, 5), 1), 7 * week, 4, pages);
      for (RecordedPage page : pages) {
        if (next.contains(page.page())) {
          page.visit(7 * week, 0.3 * week, 0);
        }
      }
    }
    for (RecordedPage page : pages) {
      assertThat(page.refreshes())
          .as("half of an equal share of %s", page.page())
          .isGreaterThanOrEqualTo(weeks * 4 / 20 / 2);
    }
  }

  @Test
  void betweenTheBoundsThePeriodStays() {
    // at day 10, D = 0.3: bounds 10·0.3 − 10·0.3 = 0 and 3 enclose T = 2: the first 28 days stay,
    // capped by ρ·T = 20
    RecordedPage page = RecordedPage.of("a").visit(10, 0.3, 0);
    assertThat(new BoundBased(settings(2, 1), 1).period(page)).isEqualTo(20);
  }

  @Test
  void learningAndRiskCapThePeriod() {
    RecordedPage still = RecordedPage.of("still");
    assertThat(new CurveFitting(new UtilitySettings(50, 5, 7, 10), 1).period(still)).isEqualTo(7);
    still.visit(7, 0, 0);
    assertThat(new CurveFitting(new UtilitySettings(50, 5, 7, 10), 1).period(still)).isEqualTo(14);
    assertThat(new CurveFitting(new UtilitySettings(1, 5, 7, 10), 1).period(still)).isEqualTo(10);
  }

  @Test
  void theFittedCurveReachesTheThresholdAfterThePeriod() {
    RecordedPage churning = RecordedPage.of("churning");
    // 0.6·(1 − e^(−t/20)) between any visit and the first
    for (int day = 7; day <= 70; day += 7) {
      churning.visit(day, 0.6 * -Math.expm1(-day / 20.0), 0);
    }
    double period = new CurveFitting(new UtilitySettings(3, 1, 1000, 100), 1).period(churning);
    // U(t) = 0.6·(20 − (t + 20)·e^(−t/20)) = 3 at t = 19.2
    assertThat(0.6 * (20 - (period + 20) * Math.exp(-period / 20))).isCloseTo(3, within(0.15));
  }

  @Test
  void theMeanCurveAveragesPairsEquallyFarApart() {
    RecordedPage page = RecordedPage.of("a").visit(7, 0.2, 0).visit(14, 0.3, 0);
    SampledCurve curve = StaticUtility.meanCurve(page);
    assertThat(curve.at(7)).isCloseTo(0.15, within(1e-12));
    assertThat(curve.at(14)).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void distancesOfIrregularVisitsAreMeansOfTheirOwn() {
    RecordedPage page = RecordedPage.of("a").visit(7, 0.2, 0).visit(21, 0.3, 0);
    SampledCurve curve = StaticUtility.meanCurve(page);
    // pairs 7 and 14 days apart, whose divergences are 0.2 and 0.1
    assertThat(curve.at(10.5)).isCloseTo(0.15, within(1e-12));
    assertThat(curve.at(21)).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void staticUtilityLeavesPagesAloneUntilTheThreshold() {
    RecordedPage steady = RecordedPage.of("steady");
    for (int week = 1; week <= 10; week++) {
      steady.visit(7 * week, 0.05 * week, 0);
    }
    // D* grows by 0.05 a week: U(t) = t·D/2, 7·0.05/2 = 0.175 after one week
    assertThat(order(new StaticUtility(Divergence.FRAGMENT, 0.17, 1), 77, 1, steady))
        .containsExactly("steady");
    assertThat(order(new StaticUtility(Divergence.FRAGMENT, 0.18, 1), 77, 1, steady)).isEmpty();
    assertThat(order(new StaticUtility(Divergence.FRAGMENT, 0, 1), 77, 1, RecordedPage.of("still")))
        .isEmpty();
  }

  @Test
  void aThresholdThatIsNoneIsRefused() {
    for (double bad : new double[] {-5, Double.NaN}) {
      for (ThrowingCallable made :
          List.<ThrowingCallable>of(
              () -> new StaticUtility(Divergence.FRAGMENT, bad, 1),
              () -> new StaticUtility(Divergence.FRAGMENT, UtilityForm.NAIVE, bad, 1),
              () -> new DynamicUtility(LIVE, Divergence.HOLISTIC, bad, 1))) {
        assertThatIllegalArgumentException()
            .isThrownBy(made)
            .withMessage("the utility threshold must be 0 or more, was " + bad);
      }
    }
  }

  @Test
  void dynamicUtilityNeedsForesight() {
    for (ThrowingCallable made :
        List.<ThrowingCallable>of(
            () -> new DynamicUtility(null, Divergence.HOLISTIC, 0, 1),
            () -> new DynamicUtility(null, Divergence.HOLISTIC, UtilityForm.NAIVE, 0, 1))) {
      assertThatNullPointerException()
          .isThrownBy(made)
          .withMessage("utility of live pages needs foresight, was null");
    }
  }

  @Test
  void holisticUtilityCountsTheChangesOverTheTimeRecorded() {
    RecordedPage page = RecordedPage.of("a");
    for (int week = 1; week <= 20; week++) {
      int changes = week / 4;
      page.visit(7 * week, 0.01 * changes, 0);
    }
    // 5 changes in 140 days, last visited 30 days ago; the closed form of appendix A
    double rate = 5 / 140.0;
    double closed = 1 / rate - (30 + 1 / rate) * Math.exp(-rate * 30);
    assertThat(
            RecordedPage.priorities(new StaticUtility(Divergence.HOLISTIC, 0, 1), 170, 1, page)
                .get("a"))
        .isCloseTo(closed, within(1e-6));
  }

  /**
   * Drift of every page since its last fetch: fragments in a line to 0.5 at day 10, wholly within a
   * day.
   */
  private static final Foresight LIVE =
      new Foresight() {
        @Override
        public double qualityGain(String page) {
          throw new AssertionError("divergence is all it looks at");
        }

        @Override
        public SampledCurve drift(String page, Instant since) {
          return SampledCurve.of(new double[] {10}, new double[] {0.5});
        }

        @Override
        public SampledCurve holisticDrift(String page, Instant since) {
          return SampledCurve.of(new double[] {1, 10}, new double[] {1, 1});
        }
      };

  @Test
  void dynamicUtilityTakesTheTrueDriftOfFragmentsOrOfThePageAsAWhole() {
    RecordedPage page = RecordedPage.of("a");
    // 10·0.5 − 10·0.5/2
    assertThat(
            RecordedPage.priorities(
                new DynamicUtility(LIVE, Divergence.FRAGMENT, 0, 1), 10, 1, page))
        .hasEntrySatisfying("a", u -> assertThat(u).isCloseTo(2.5, within(1e-6)));
    // 10·1 − (1/2 + 9)
    assertThat(
            RecordedPage.priorities(
                new DynamicUtility(LIVE, Divergence.HOLISTIC, 0, 1), 10, 1, page))
        .hasEntrySatisfying("a", u -> assertThat(u).isCloseTo(0.5, within(1e-6)));
    assertThat(order(new DynamicUtility(LIVE, Divergence.FRAGMENT, 2.4, 1), 10, 1, page))
        .containsExactly("a");
    assertThat(order(new DynamicUtility(LIVE, Divergence.HOLISTIC, 2.4, 1), 10, 1, page)).isEmpty();
  }

  @Test
  void theNaiveFormPrefersWhatHasDriftedFartherTheOptimalOneWhatStillDrifts() {
    // both seen last on day 42; 0.4 within a week and no farther: D = 0.4, U = 1.4 after 42 days
    RecordedPage churning = new RecordedPage("churning").visit(35, 0, 0).visit(42, 0.4, 0);
    // 0.05 more every week: D = 0.3, U = 6.3
    RecordedPage scrolling = RecordedPage.of("scrolling");
    for (int week = 1; week <= 6; week++) {
      scrolling.visit(7 * week, 0.05 * week, 0);
    }
    assertThat(order(new StaticUtility(Divergence.FRAGMENT, 0, 1), 84, 2, churning, scrolling))
        .containsExactly("scrolling", "churning");
    StaticUtility naive = new StaticUtility(Divergence.FRAGMENT, UtilityForm.NAIVE, 0, 1);
    assertThat(order(naive, 84, 2, churning, scrolling)).containsExactly("churning", "scrolling");
    Map<String, Double> priorities = RecordedPage.priorities(naive, 84, 2, churning, scrolling);
    assertThat(priorities.get("churning")).isCloseTo(0.4, within(1e-12));
    assertThat(priorities.get("scrolling")).isCloseTo(0.3, within(1e-12));
  }

  @Test
  void theThresholdOfTheNaiveFormIsADivergence() {
    RecordedPage churning = RecordedPage.of("churning").visit(7, 0.4, 0);
    for (double t : new double[] {0, 0.39, 0.41}) {
      List<String> fetched =
          order(new StaticUtility(Divergence.FRAGMENT, UtilityForm.NAIVE, t, 1), 700, 1, churning);
      assertThat(fetched).as("T = %s", t).hasSize(t < 0.4 ? 1 : 0);
    }
    StaticUtility naive = new StaticUtility(Divergence.FRAGMENT, UtilityForm.NAIVE, 0, 1);
    assertThat(order(naive, 700, 1, RecordedPage.of("still"))).isEmpty();
  }

  @Test
  void theNaiveFormWithForesightTakesTheDivergenceOfTheMoment() {
    RecordedPage page = RecordedPage.of("a");
    for (Divergence divergence : Divergence.values()) {
      DynamicUtility naive = new DynamicUtility(LIVE, divergence, UtilityForm.NAIVE, 0, 1);
      assertThat(RecordedPage.priorities(naive, 10, 1, page).get("a"))
          .isCloseTo(divergence == Divergence.HOLISTIC ? 1 : 0.5, within(1e-12));
    }
  }

  @Test
  void aPageNeverFetchedComesFirstWhateverTheThreshold() {
    RecordedPage unseen = new RecordedPage("unseen");
    RecordedPage seen = RecordedPage.of("seen").visit(7, 0.5, 0).visit(14, 1, 0);
    for (int seed = 0; seed < 10; seed++) {
      List<RefreshPolicy> policies =
          List.of(
              new StaticUtility(Divergence.HOLISTIC, 0, seed),
              new StaticUtility(Divergence.FRAGMENT, 0, seed),
              new DynamicUtility(LIVE, Divergence.FRAGMENT, 0, seed),
              new BoundBased(settings(2, 1), seed),
              new CurveFitting(settings(2, 1), seed));
      for (RefreshPolicy policy : policies) {
        assertThat(order(policy, 60, 2, seen, unseen))
            .as("seed %d", seed)
            .containsExactly("unseen", "seen");
      }
      assertThat(order(new StaticUtility(Divergence.FRAGMENT, 1e9, seed), 60, 2, seen, unseen))
          .as("seed %d", seed)
          .containsExactly("unseen");
    }
  }

  @Test
  void betweenTwoObservationsTheLargerDivergenceBoundsTheCurveEvenWhereItFalls() {
    // divergence 0.4 at day 7 and 0.1 at day 14, T = 1: upper area 7·0.4 + 7·0.4 = 5.6, lower
    // 7·0 + 7·0.1 = 0.7
    RecordedPage page = RecordedPage.of("a").visit(7, 0.4, 0).visit(14, 0.1, 0);
    BoundBased.Bounds bounds = new BoundBased(settings(1, 1), 1).bounds(page, 0, 2);
    assertThat(bounds.least()).isCloseTo(14 * 0.1 - 5.6, within(1e-9));
    assertThat(bounds.most()).isCloseTo(14 * 0.1 - 0.7, within(1e-9));
  }

  @Test
  void theLongestPeriodOfBoundBasedGrowsWithEveryVisit() {
    // l = 7 days, ρ·T = 500: 2·20 days after the visit of day 20, but at most 2·7 after the second
    // visit and 3·7 after the third
    BoundBased policy = new BoundBased(new UtilitySettings(50, 5, 7, 10), 1);
    RecordedPage still = RecordedPage.of("still").visit(20, 0, 0);
    assertThat(policy.period(still)).isEqualTo(14);
    assertThat(policy.period(still.visit(40, 0, 0))).isEqualTo(21);
  }

  @Test
  void aFullProfileCountsUntilTheOneInItsPlaceCanStandForIt() {
    // observations: visits 0 to 11, the base among them; that of visit 12 has four at visit 15
    assertThat(ChangeProfiles.of(12, 1).profiles())
        .containsExactly(new ChangeProfiles.Profile(0, 11));
    assertThat(ChangeProfiles.of(15, 1).profiles())
        .containsExactly(new ChangeProfiles.Profile(0, 11), new ChangeProfiles.Profile(12, 14));
    assertThat(ChangeProfiles.of(16, 1).profiles())
        .containsExactly(new ChangeProfiles.Profile(12, 15));
    assertThat(ChangeProfiles.of(14, 2).profiles())
        .containsExactly(
            new ChangeProfiles.Profile(0, 11),
            new ChangeProfiles.Profile(1, 12),
            new ChangeProfiles.Profile(12, 13),
            new ChangeProfiles.Profile(13, 13));
  }

  @Test
  void noProfileGrowsBeyondTwelveObservationsHoweverManyAreKept() {
    for (int h : new int[] {1, 5, 12, 13, 40}) {
      for (int size = 1; size <= 60; size++) {
        List<ChangeProfiles.Profile> profiles = ChangeProfiles.of(size, h).profiles();
        assertThat(profiles)
            .as("h = %d, %d visits", h, size)
            .allMatch(profile -> profile.end() - profile.base() < 12);
        if (h > 12) {
          assertThat(profiles).isEqualTo(ChangeProfiles.of(size, 12).profiles());
        }
      }
    }
  }

  @Test
  void aSteadyPageKeepsItsPeriodWhereOneProfileFollowsTheOther() {
    CurveFitting policy = new CurveFitting(settings(5, 1), 1);
    RecordedPage steady = RecordedPage.of("steady");
    for (int week = 1; week <= 40; week++) {
      steady.visit(7 * week, 7 * week / 60.0, 0);
      if (week >= 3) {
        // U(t) = t·D/2 with D = t/60 days reaches 5 at t = 24.5; the cap is 50
        assertThat(policy.period(steady)).as("after %d weeks", week).isBetween(20.0, 30.0);
      }
    }
  }

  @Test
  void theBoundsOfAFullProfileCountToItsEnd() {
    RecordedPage page = RecordedPage.of("a");
    for (int week = 1; week <= 13; week++) {
      page.visit(7 * week, Math.min(0.07 * week, 0.77), 0);
    }
    // the profile of day 0 ended with week 11, day 77; on [0, 14] its divergence is 0.07, 0.14, its
    // areas 7·0.07 + 7·0.14 = 1.47 and 0.49. That of week 12 has seen 7 days and is left out
    BoundBased.Bounds bounds = new BoundBased(settings(1, 1), 1).bounds(page, 11, 13);
    assertThat(bounds.least()).isCloseTo(14 * 0.14 - 1.47, within(1e-9));
    assertThat(bounds.most()).isCloseTo(14 * 0.14 - 0.49, within(1e-9));
  }

  @Test
  void aProfileThatIsSomeMinutesTooShortCounts() {
    RecordedPage page = RecordedPage.of("a");
    for (int week = 1; week <= 13; week++) {
      page.visit(7 * week, Math.min(0.07 * week, 0.77), 0);
    }
    page.visit(98.01, 0.77, 0);
    // 77.01 days since week 3; the profile of day 0 ended with day 77, and its last divergence
    // stands for the rest: areas 7·0.07·66 + 0.01·0.77 and 7·0.07·55 + 0.01·0.7
    BoundBased.Bounds bounds = new BoundBased(settings(1, 1), 1).bounds(page, 3, 14);
    assertThat(bounds.least()).isCloseTo(77.01 * 0.77 - 32.3477, within(1e-9));
    assertThat(bounds.most()).isCloseTo(77.01 * 0.77 - 26.957, within(1e-9));
  }

  @Test
  void anObservationSomeMinutesTooEarlyStandsForTheDistanceInPlaceOfTheNextOne() {
    RecordedPage page =
        RecordedPage.of("a").visit(7, 0.2, 0).visit(14, 0.5, 0).visit(28.01, 0.55, 0);
    // 14.01 days after t_R; the profile of day 0 has 0.5 on its day 14: upper area 7·0.2 +
    // 7.01·0.5 = 4.905, lower 7.01·0.2 = 1.402. That of day 7 has 0.3 and 0.35: 7·0.3 + 7.01·0.35 =
    // 4.5535 and 7.01·0.3 = 2.103. Means 4.72925, 1.7525 and 0.425
    BoundBased.Bounds bounds = new BoundBased(settings(2, 2), 1).bounds(page, 2, 3);
    assertThat(bounds.least()).isCloseTo(14.01 * 0.425 - 4.72925, within(1e-9));
    assertThat(bounds.most()).isCloseTo(14.01 * 0.425 - 1.7525, within(1e-9));
  }

  @Test
  void aPeriodThatWasTooLongNeverGrows() {
    // bounds 100·1 − 100·1 = 0 and 100 enclose T = 64: the first 28 days stay
    RecordedPage late = RecordedPage.of("late").visit(100, 0, 0);
    late.visit(200, 0.9, 0);
    BoundBased policy = new BoundBased(settings(64, 1), 1);
    // 2·100 days, which 28 · 2 caps; then 200·0.9 − 100·0.9 = 90 exceeds T, and half of 56 days is
    // below T, within which no refresh is worth T: the period stays
    assertThat(policy.bounds(late, 0, 2).least()).isCloseTo(90, within(1e-9));
    assertThat(policy.period(late)).isEqualTo(56);
  }

  @Test
  void pagesAreDueAfterTheirPeriodAndThoseOverdueByTheLargestMultipleComeFirst() {
    // not seen to change: 7 days after the first visit, 14 after the second
    RefreshPolicy policy = new CurveFitting(new UtilitySettings(50, 5, 7, 10), 1);
    RecordedPage once = RecordedPage.of("once");
    RecordedPage twice = RecordedPage.of("twice").visit(7, 0, 0);
    assertThat(RecordedPage.priorities(policy, 21, 1, once, twice))
        .isEqualTo(Map.of("once", 3.0, "twice", 1.0));
    assertThat(RecordedPage.priorities(policy, 20, 1, once, twice)).containsOnlyKeys("once");
  }

  @Test
  void aPageOfWhichNoVisitIsKeptWaitsAsAfterItsFirst() {
    assertThat(new CurveFitting(settings(10, 5), 1).period(Visits.NONE)).isEqualTo(28);
    assertThat(new BoundBased(settings(10, 5), 1).period(Visits.NONE)).isEqualTo(28);
  }

  @Test
  void aPageThatCameAfterThePlanIsDueAfterADay() {
    UtilitySettings settings = UtilitySettings.ofThreshold(7);
    KnownPages late = RecordedPage.pages(RecordedPage.of("late"));
    for (RefreshPolicy policy :
        List.of(new CurveFitting(settings, 1), new BoundBased(settings, 1))) {
      RefreshPlan plan = policy.plan(KnownPages.NONE, RecordedPage.weekly(1, 1));
      assertThat(plan.next(late, RecordedPage.day(0.99), 1)).isEmpty();
      assertThat(plan.next(late, RecordedPage.day(1), 1)).hasSize(1);
    }
  }

  @Test
  void aPeriodThatALimitSetsIsOverWhereASnapshotBeginsSomeMinutesEarly() {
    RecordedPage once = RecordedPage.of("once");
    UtilitySettings fourWeeks = new UtilitySettings(50, 5, 28, 10);
    for (RefreshPolicy policy :
        List.of(new CurveFitting(fourWeeks, 1), new BoundBased(fourWeeks, 1))) {
      assertThat(order(policy, 27.99, 1, once)).containsExactly("once");
      assertThat(order(policy, 27.9, 1, once)).isEmpty();
    }
  }

  @Test
  void aPeriodDoubledAfterASnapshotThatWasSomeMinutesLateIsOverTwoSnapshotsLater() {
    RecordedPage still = RecordedPage.of("still").visit(7.005, 0, 0);
    BoundBased policy = new BoundBased(settings(50, 5), 1);
    assertThat(policy.period(still)).isCloseTo(14.01, within(1e-9));
    assertThat(order(policy, 21, 1, still)).containsExactly("still");
    assertThat(order(policy, 20.9, 1, still)).isEmpty();
  }

  @Test
  void aPeriodThatWasFittedIsTakenAsItIs() {
    RecordedPage churning = RecordedPage.of("churning");
    for (int day = 7; day <= 70; day += 7) {
      churning.visit(day, 0.6 * -Math.expm1(-day / 20.0), 0);
    }
    CurveFitting policy = new CurveFitting(new UtilitySettings(3, 1, 1000, 100), 1);
    double due = 70 + policy.period(churning);
    assertThat(order(policy, due - 0.001, 1, churning)).isEmpty();
    assertThat(order(policy, due + 0.001, 1, churning)).containsExactly("churning");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aRenewedPlanIsTheSameAndLooksAtNoPageThatWasNotVisitedSince(boolean bounds) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    UtilitySettings settings = UtilitySettings.ofThreshold(7);
    RefreshPolicy policy = bounds ? new BoundBased(settings, 1) : new CurveFitting(settings, 1);
    RecordedPage[] pages = new RecordedPage[20];
    Arrays.setAll(pages, page -> RecordedPage.of("page" + page));
    KnownPages known = RecordedPage.pages(pages);
    RefreshPlan plan = policy.plan(known, RecordedPage.weekly(1, 1));
    for (int week = 1; week < 40; week++) {
      int visited = random.nextInt(pages.length);
      pages[visited].visit(7 * week, random.nextDouble(), 0);
      int[] compared = Arrays.stream(pages).mapToInt(RecordedPage::compared).toArray();
      plan = policy.renew(plan, known, RecordedPage.weekly(1, 1));
      for (int page = 0; page < pages.length; page++) {
        if (page != visited) {
          assertThat(pages[page].compared())
              .as("page %d, seed %d", page, seed)
              .isEqualTo(compared[page]);
        }
      }
      Instant now = RecordedPage.day(7 * week + 1);
      assertThat(plan.next(known, now, 20))
          .as("seed %d, week %d", seed, week)
          .isEqualTo(policy.plan(known, RecordedPage.weekly(1, 1)).next(known, now, 20));
    }
  }
}
