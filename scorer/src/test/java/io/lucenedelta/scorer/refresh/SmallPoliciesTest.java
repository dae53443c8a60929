// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static io.lucenedelta.scorer.refresh.RecordedPage.day;
import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.divergence.SampledCurve;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Strategies whose priorities can be worked out by hand. */
class SmallPoliciesTest {
  private static final long SEED = 1;

  @Test
  void userCentricMultipliesTheMeanRateWithTheAge() {
    // rates 6/3 = 2 and 4/4 = 1, mean 1.5, age 3 on day 10: 4.5
    RecordedPage a = RecordedPage.of("a").visit(3, 0, 6).visit(7, 0, 4);
    // rate 4/8 = 0.5, age 2: 1
    RecordedPage b = RecordedPage.of("b").visit(8, 0, 4);
    // unmeasured: mean of 1.5 and 0.5 is 1, age 10: 10
    RecordedPage c = RecordedPage.of("c");
    RefreshPolicy policy = new UserCentric(SEED);
    List<RefreshCandidate> all =
        policy
            .plan(RecordedPage.pages(a, b, c), RecordedPage.weekly(3, 1))
            .next(RecordedPage.pages(a, b, c), day(10), 3);
    assertThat(all).extracting(RefreshCandidate::page).containsExactly("c", "a", "b");
    assertThat(all.get(0).priority()).isCloseTo(10, within(1e-5));
    assertThat(all.get(1).priority()).isCloseTo(4.5, within(1e-5));
    assertThat(all.get(2).priority()).isCloseTo(1, within(1e-5));
  }

  @Test
  void userCentricExploresAtTheMeanRateOfTheMeasuredPages() {
    // rates 1/4 and 4/8, mean 0.375; ten days unvisited: 3.75
    RecordedPage a = RecordedPage.of("a").visit(4, 0, 1);
    RecordedPage b = RecordedPage.of("b").visit(8, 0, 4);
    RecordedPage c = RecordedPage.of("c");
    assertThat(RecordedPage.priorities(new UserCentric(SEED), 10, 3, a, b, c).get("c"))
        .isCloseTo(3.75, within(1e-5));
    // while nothing was gained, what was never measured comes first
    RecordedPage still = RecordedPage.of("still").visit(8, 0, 0);
    assertThat(order(new UserCentric(SEED), 10, 2, still, c)).containsExactly("c", "still");
  }

  @Test
  void userCentricExploresThoughTheMeasuredPagesLostInTheMean() {
    RecordedPage lost = RecordedPage.of("lost").visit(5, 0, -10);
    RecordedPage gained = RecordedPage.of("gained").visit(5, 0, 5);
    RecordedPage unknown = RecordedPage.of("unknown"); // 1 a day
    assertThat(order(new UserCentric(SEED), 10, 3, lost, gained, unknown))
        .containsExactly("unknown", "gained", "lost");
  }

  @Test
  void userCentricCanLetRecentRefreshesMeanMore() {
    // rates 6/3 = 2, 4/4 = 1 and 5/1 = 5 on days 3, 7 and 8, age 2 on day 10
    RecordedPage a = RecordedPage.of("a").visit(3, 0, 6).visit(7, 0, 4).visit(8, 0, 5);
    // unmeasured for ten days, at the mean rate of a
    RecordedPage b = RecordedPage.of("b");
    double week = (5 + Math.exp(-1 / 7.0) + 2 * Math.exp(-5 / 7.0));
    double mean = week / (1 + Math.exp(-1 / 7.0) + Math.exp(-5 / 7.0));
    Map<Recency, Double> rates =
        Map.of(
            Recency.ALL,
            8 / 3.0,
            Recency.window(1),
            5.0,
            Recency.window(2),
            3.0,
            Recency.window(3),
            8 / 3.0,
            Recency.window(9),
            8 / 3.0,
            Recency.decay(7),
            mean,
            Recency.decay(1e12),
            8 / 3.0,
            Recency.decay(1e-3),
            5.0);
    rates.forEach(
        (recency, rate) -> {
          UserCentric policy = new UserCentric(recency, SEED);
          Map<String, Double> priorities = RecordedPage.priorities(policy, 10, 2, a, b);
          assertThat(priorities.get("a")).as("%s", recency).isCloseTo(2 * rate, within(1e-5));
          assertThat(priorities.get("b")).as("%s", recency).isCloseTo(10 * rate, within(1e-5));
        });
  }

  @Test
  void userCentricRefusesAPageWhoseRateIsNotFinite() {
    RecordedPage usual = RecordedPage.of("usual").visit(4, 0, 1);
    for (double odd : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      RecordedPage page = RecordedPage.of("odd").visit(4, 0, odd);
      for (Recency recency : List.of(Recency.ALL, Recency.window(1))) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> order(new UserCentric(recency, SEED), 10, 2, usual, page))
            .withMessage(
                "the mean rate of page odd must be finite, was %s: leave refreshes unmeasured of which a number is not",
                odd);
      }
    }
  }

  @Test
  void whereSumsAloneAreKeptAllRefreshesCountAlike() {
    TestPage sums = TestPage.of("sums").record(10, 1, 5);
    List<KnownPage> pages = List.of(sums, RecordedPage.of("b").visit(2, 0, 3));
    List<List<RefreshCandidate>> orders =
        Stream.of(Recency.ALL, Recency.window(1))
            .map(
                recency ->
                    new UserCentric(recency, SEED)
                        .plan(TestPage.known(pages), RecordedPage.weekly(2, 1))
                        .next(TestPage.known(pages), day(20), 2))
            .toList();
    assertThat(orders.get(1)).isEqualTo(orders.get(0)).hasSize(2);
  }

  @Test
  void aRecencyOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Recency.window(0))
        .withMessage("refreshes must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Recency.decay(Double.NaN))
        .withMessage("days must be positive, was NaN");
  }

  @Test
  void userCentricGivesNothingToAPageThatWasWatchedWithoutAReasonToRefreshIt() {
    // 50 days watched, no refresh; nothing known; rate 3/2
    TestPage watched = TestPage.of("watched").record(50);
    assertThat(UserCentric.rate(watched, 1.5)).isZero();
    assertThat(UserCentric.rate(TestPage.of("new"), 1.5)).isEqualTo(1.5);
    assertThat(UserCentric.rate(RecordedPage.of("a").visit(2, 0, 3), 7)).isEqualTo(1.5);
  }

  @Test
  void anIntervalOfLessThanAMinuteCountsAsOne() {
    assertThat(UserCentric.rateOfRefresh(3, 2)).isEqualTo(1.5);
    assertThat(UserCentric.rateOfRefresh(3, 2 / 1440.0)).isCloseTo(2160, within(1e-9));
    assertThat(UserCentric.rateOfRefresh(3, 0.5 / 1440)).isCloseTo(4320, within(1e-9));
    assertThat(UserCentric.rateOfRefresh(-3, 1e-8)).isCloseTo(-4320, within(1e-9));
  }

  @Test
  void userCentricLeavesWorthlessPagesForTheRestOfTheBudgetInTurn() {
    RecordedPage young = RecordedPage.of("young").visit(6, 0, 0);
    RecordedPage old = RecordedPage.of("old").visit(1, 0, 0);
    RecordedPage worth = RecordedPage.of("worth").visit(6, 0, 1e-9);
    assertThat(order(new UserCentric(SEED), 7, 3, young, old, worth))
        .containsExactly("worth", "old", "young");
  }

  @Test
  void userCentricPutsAPageThatLosesBehindWorthlessOnesInTheMomentOfItsFetchToo() {
    RecordedPage loses = RecordedPage.of("loses").visit(7, 0, -5);
    RecordedPage lost = RecordedPage.of("lost").visit(6, 0, -5);
    RecordedPage worthless = RecordedPage.of("worthless").visit(7, 0, 0);
    RecordedPage worth = RecordedPage.of("worth").visit(6, 0, 1);
    KnownPages known = RecordedPage.pages(loses, lost, worthless, worth);
    RefreshPlan plan = new UserCentric(SEED).plan(known, RecordedPage.weekly(4, 1));
    assertThat(plan.next(known, day(7).plusMillis(500), 4))
        .extracting(RefreshCandidate::page)
        .containsExactly("worth", "worthless", "loses", "lost");
  }

  @Test
  void userCentricWorksOnSumsAlone() {
    RecordedPage a = RecordedPage.of("a").visit(3, 0, 6);
    RecordedPage b = RecordedPage.of("b").visit(3, 0, 9);
    PageHistories live =
        new PageHistories() {
          @Override
          public long size() {
            return 2;
          }

          @Override
          public Optional<PageHistory> of(String page) {
            return Optional.empty();
          }

          @Override
          public void forEach(Consumer<? super PageHistory> reader) {
            reader.accept(a);
            reader.accept(b);
          }
        };
    KnownPages known = KnownPages.of(live);
    RefreshPlan plan = new UserCentric(SEED).plan(known, RecordedPage.weekly(1, 1));
    assertThat(plan.next(known, day(10), 1))
        .extracting(RefreshCandidate::page)
        .containsExactly("b");
  }

  @Test
  void uniformTakesTheLongestUnvisitedAndMayIgnoreStaticPages() {
    RecordedPage old = RecordedPage.of("old").visit(2, 0, 0);
    RecordedPage young = RecordedPage.of("young").visit(5, 0.1, 0);
    RecordedPage fresh = RecordedPage.of("new").visit(7, 0.1, 0);
    assertThat(order(new Uniform(Uniform.StaticPages.FETCH, SEED), 8, 2, young, fresh, old))
        .containsExactly("old", "young");
    assertThat(order(new Uniform(Uniform.StaticPages.SKIP, SEED), 8, 3, young, fresh, old))
        .containsExactly("young", "new");
  }

  @Test
  void aPageNeverFetchedIsNotTakenForStatic() {
    RecordedPage young = RecordedPage.of("young").visit(5, 0.1, 0);
    RecordedPage still = RecordedPage.of("still").visit(5, 0, 0);
    assertThat(
            order(
                new Uniform(Uniform.StaticPages.SKIP, SEED),
                8,
                3,
                young,
                still,
                new RecordedPage("unseen")))
        .containsExactly("unseen", "young");
  }

  @Test
  void aPageOfWhichNoSecondVisitIsRecordedIsNotTakenForStatic() {
    RecordedPage young = RecordedPage.of("young").visit(5, 0.1, 0);
    RecordedPage still = RecordedPage.of("still").visit(5, 0, 0);
    assertThat(
            order(
                new Uniform(Uniform.StaticPages.SKIP, SEED),
                8,
                3,
                young,
                still,
                RecordedPage.of("once")))
        .containsExactly("once", "young");
  }

  @Test
  void neverFetchesNothing() {
    assertThat(order(new NeverRefresh(), 8, 3, RecordedPage.of("a"))).isEmpty();
  }

  @Test
  void clairvoyantFetchesWhatGainsMostAndNothingThatGainsNothing() {
    Map<String, Double> gains = Map.of("a", 1.0, "b", 5.0, "c", 0.0, "d", -1.0);
    assertThat(
            order(
                new Clairvoyant(gaining(gains::get), SEED),
                7,
                4,
                RecordedPage.of("a"),
                RecordedPage.of("b"),
                RecordedPage.of("c"),
                RecordedPage.of("d")))
        .containsExactly("b", "a");
  }

  @Test
  void clairvoyantNeedsForesight() {
    assertThatNullPointerException()
        .isThrownBy(() -> new Clairvoyant(null, SEED))
        .withMessage("the clairvoyant needs foresight, was null");
  }

  @Test
  void clairvoyantOrdersPagesThatGainAlikeByItsSeed() {
    RecordedPage[] pages =
        IntStream.range(0, 9)
            .mapToObj(page -> RecordedPage.of("p" + page))
            .toArray(RecordedPage[]::new);
    Set<List<String>> orders = new HashSet<>();
    for (int seed = 0; seed < 9; seed++) {
      orders.add(order(new Clairvoyant(gaining(page -> 1), seed), 7, pages.length, pages));
    }
    assertThat(orders).hasSizeGreaterThan(3);
  }

  private static Foresight gaining(ToDoubleFunction<String> gain) {
    return new Foresight() {
      @Override
      public double qualityGain(String page) {
        return gain.applyAsDouble(page);
      }

      @Override
      public SampledCurve drift(String page, Instant since) {
        throw new AssertionError("quality is all it looks at");
      }

      @Override
      public SampledCurve holisticDrift(String page, Instant since) {
        throw new AssertionError("quality is all it looks at");
      }
    };
  }

  @Test
  void anIntervalGrowsBy40PercentAndShrinksBy20() {
    AdaptiveInterval nutch = new AdaptiveInterval(SEED);
    RecordedPage page = RecordedPage.of("a");
    assertThat(nutch.interval(page)).isEqualTo(30);
    page.visit(30, 0, 0);
    assertThat(nutch.interval(page)).isCloseTo(42, within(1e-9));
    page.visit(72, 0.5, 0);
    assertThat(nutch.interval(page)).isCloseTo(33.6, within(1e-9));
    assertThat(order(nutch, 72 + 33, 1, page)).isEmpty();
    assertThat(order(nutch, 72 + 34, 1, page)).containsExactly("a");
    assertThat(order(nutch, 30, 1, RecordedPage.of("b"))).containsExactly("b");
  }

  @Test
  void anIntervalOfWholeDaysIsOverWhereASnapshotBeginsSomeMinutesEarly() {
    AdaptiveInterval weekly = new AdaptiveInterval(7, 1.4, 0.8, SEED);
    RecordedPage page = RecordedPage.of("a");
    assertThat(order(weekly, 6.99, 1, page)).containsExactly("a");
    assertThat(order(weekly, 6.9, 1, page)).isEmpty();
    // where decisions are made at any time the next one need not be long after
    KnownPages known = RecordedPage.pages(page);
    RefreshBudget live = RefreshBudget.atAnyTime(1, day(6.99));
    assertThat(weekly.plan(known, live).next(known, day(6.99), 1)).isEmpty();
    assertThat(weekly.plan(known, live).next(known, day(7), 1)).hasSize(1);
    // 9.8 days are no number of days that snapshots lie apart
    page.visit(7, 0, 0);
    assertThat(order(weekly, 7 + 9.79, 1, page)).isEmpty();
    assertThat(order(weekly, 7 + 9.81, 1, page)).containsExactly("a");
  }

  @Test
  void anIntervalThatRoundingMissedWholeDaysByIsOneOfWholeDays() {
    AdaptiveInterval quarterly = new AdaptiveInterval(90, 1.4, 0.8, SEED);
    RecordedPage page = RecordedPage.of("a").visit(91, 0, 0);
    assertThat(quarterly.interval(page)).isEqualTo(90 * 1.4).isLessThan(126);
    assertThat(order(quarterly, 91 + 125.99, 1, page)).containsExactly("a");
    assertThat(order(quarterly, 91 + 125.9, 1, page)).isEmpty();
  }

  @Test
  void thePageOverdueByTheLargestMultipleOfItsIntervalComesFirst() {
    AdaptiveInterval policy = new AdaptiveInterval(10, 1.4, 0.8, SEED);
    // unchanged, so due after 14 days; 30 days old it is 16 late, 2.14 times its interval
    RecordedPage slow = RecordedPage.of("slow").visit(10, 0, 0);
    // changed, so due after 8 days; 20 days old it is 12 late, but 2.5 times its interval
    RecordedPage quick = RecordedPage.of("quick").visit(20, 0.5, 0);
    assertThat(order(policy, 40, 2, slow, quick)).containsExactly("quick", "slow");
  }

  @Test
  void constantsThatMakeNoIntervalsAreRefused() {
    assertThat(new AdaptiveInterval(7, 1, 1, SEED).interval(RecordedPage.of("a"))).isEqualTo(7);
    for (double[] bad :
        new double[][] {
          {0, 1.4, 0.8},
          {Double.POSITIVE_INFINITY, 1.4, 0.8},
          {30, 0.9, 0.8},
          {30, Double.POSITIVE_INFINITY, 0.8},
          {30, 1.4, 0},
          {30, 1.4, 2}
        }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new AdaptiveInterval(bad[0], bad[1], bad[2], SEED))
          .withMessage(
              "initialDays must be positive and finite, growth at least 1 and finite, shrinkage in (0, 1]; were %s, %s, %s"
                  .formatted(bad[0], bad[1], bad[2]));
    }
  }

  @Test
  void intervalsStayBetweenADayAndAYear() {
    AdaptiveInterval nutch = new AdaptiveInterval(SEED);
    RecordedPage still = RecordedPage.of("still");
    RecordedPage wild = RecordedPage.of("wild");
    for (int visit = 1; visit < 40; visit++) {
      still.visit(visit, 0, 0);
      wild.visit(visit, visit % 2, 0);
    }
    assertThat(nutch.interval(still)).isEqualTo(365);
    assertThat(nutch.interval(wild)).isEqualTo(1);
  }

  @Test
  void siteMetadataFetchesWhatChangedSinceTheLastVisitLongestWaitingFirst() {
    RecordedPage seen =
        RecordedPage.of("seen").visit(6, 0, 0).publishing(PageFacts.Provider.SMART, 0, 5.0);
    RecordedPage waiting =
        RecordedPage.of("waiting").visit(3, 0, 0).publishing(PageFacts.Provider.SMART, 0, 4.0, 6.5);
    RecordedPage late =
        RecordedPage.of("late").visit(4, 0, 0).publishing(PageFacts.Provider.SMART, 0, 2.0, 6.0);
    RecordedPage silent = RecordedPage.of("silent");
    assertThat(order(new SiteMetadata(SEED), 7, 4, silent, seen, late, waiting))
        .containsExactly("waiting", "late", "silent");
  }

  @Test
  void siteMetadataTakesAPageNeverFetchedForChangedSinceItBecameKnown() {
    RecordedPage unseen = new RecordedPage("unseen"); // known since day 0
    RecordedPage before =
        new RecordedPage("before").visit(-2, 0, 0).publishing(PageFacts.Provider.SMART, 0, -1.0);
    RecordedPage changed = RecordedPage.of("changed").publishing(PageFacts.Provider.SMART, 0, 4.0);
    RecordedPage silent = new RecordedPage("silent").visit(-9, 0, 0);
    RecordedPage lately = new RecordedPage("lately").visit(-8, 0, 0);
    for (int seed = 0; seed < 10; seed++) {
      assertThat(order(new SiteMetadata(seed), 7, 5, lately, silent, changed, unseen, before))
          .as("of silent sites the longest unvisited first, seed %d", seed)
          .containsExactly("before", "unseen", "changed", "silent", "lately");
    }
  }

  @Test
  void contentProvidersAreWeighedAsWorkedOutByHand() {
    // S1: 4 days, 4 · 3 accesses, c = 1
    RecordedPage normal = RecordedPage.of("normal").viewed(3);
    assertThat(ContentProvider.normal(normal, day(4))).isEqualTo(4 * (12 + 1) / 2.0);
    // changes on days 1 and 3, now day 4: (3−1)·N(3) + (4−3)·N(4), N counts from day 1
    RecordedPage smart =
        RecordedPage.of("smart").viewed(3).publishing(PageFacts.Provider.SMART, 0, 1.0, 3.0);
    assertThat(ContentProvider.smart(smart, day(4))).isEqualTo(2 * (3 * 2) + 1 * (3 * 3));
    // on days 1, 2 and 3: (2−1)·N(2) + (3−2)·N(3) + (4−3)·N(4)
    RecordedPage daily =
        RecordedPage.of("daily").viewed(3).publishing(PageFacts.Provider.SMART, 0, 1.0, 2.0, 3.0);
    assertThat(ContentProvider.smart(daily, day(4))).isEqualTo(3 * 1 + 3 * 2 + 3 * 3);
    // P(f) with level accesses: P(update)·(½ + ½·3)/4
    RecordedPage top = RecordedPage.of("super").viewed(3).publishing(PageFacts.Provider.SUPER, 0.4);
    assertThat(ContentProvider.future(top)).isCloseTo(0.4 * 2 / 4, within(1e-12));
    assertThat(ContentProvider.smart(top, day(4))).isZero();
    assertThat(order(new ContentProvider(SEED), 4, 3, top, smart, normal))
        .containsExactly("normal", "smart", "super");
  }

  @Test
  void aSuperProviderCountsHalfOfWhatHappenedAndHalfOfWhatIsExpected() {
    RecordedPage smart =
        RecordedPage.of("smart").viewed(3).publishing(PageFacts.Provider.SMART, 0, 1.0, 3.0);
    RecordedPage top =
        RecordedPage.of("super").viewed(3).publishing(PageFacts.Provider.SUPER, 0.4, 1.0, 3.0);
    Map<String, Double> scores =
        RecordedPage.priorities(new ContentProvider(SEED), 4, 1, smart, top);
    // S2 = 2·(3·2) + 1·(3·3) = 21; P(f) = 0.4/2; S3 = 21/2 + 0.2/2
    assertThat(scores.get("smart")).isCloseTo(21, within(1e-9));
    assertThat(scores.get("super")).isCloseTo(10.6, within(1e-9));
  }

  @Test
  void contentProvidersWeighAPageNeverFetchedAsIfItsSiteToldNothing() {
    RecordedPage silent = new RecordedPage("silent").viewed(3); // known since day 0
    RecordedPage smart =
        new RecordedPage("smart").viewed(3).publishing(PageFacts.Provider.SMART, 0);
    RecordedPage top =
        new RecordedPage("super").viewed(3).publishing(PageFacts.Provider.SUPER, 0.4, 1.0);
    assertThat(RecordedPage.priorities(new ContentProvider(SEED), 4, 1, silent, smart, top))
        .isEqualTo(Map.of("silent", 26.0, "smart", 26.0, "super", 26.0));
  }

  @Test
  void contentProvidersLeaveAPageAloneOnlyIfItDidNotChange() {
    RecordedPage still =
        RecordedPage.of("still")
            .viewed(3)
            .visit(2, 1, 0)
            .publishing(PageFacts.Provider.SMART, 0, 1.0);
    RecordedPage stillSuper =
        RecordedPage.of("stillSuper")
            .viewed(3)
            .visit(2, 1, 0)
            .publishing(PageFacts.Provider.SUPER, 0, 1.0);
    // nobody has met the outdated copy yet, so S2 is 0
    RecordedPage changedNow =
        RecordedPage.of("changedNow").viewed(3).publishing(PageFacts.Provider.SMART, 0, 4.0);
    RecordedPage changedUnclicked =
        RecordedPage.of("changedUnclicked").publishing(PageFacts.Provider.SMART, 0, 1.0);
    RecordedPage changedSuper =
        RecordedPage.of("changedSuper").publishing(PageFacts.Provider.SUPER, 0, 1.0);
    RecordedPage changedClicked =
        RecordedPage.of("changedClicked").viewed(3).publishing(PageFacts.Provider.SMART, 0, 1.0);
    assertThat(
            order(
                new ContentProvider(SEED),
                4,
                6,
                still,
                stillSuper,
                changedNow,
                changedUnclicked,
                changedSuper,
                changedClicked))
        .startsWith("changedClicked")
        .containsExactlyInAnyOrder(
            "changedClicked", "changedNow", "changedUnclicked", "changedSuper");
  }

  @Test
  void aPageFetchedNowIsNotFetchedAgain() {
    RecordedPage now = RecordedPage.of("a").visit(7, 0, 5);
    assertThat(order(new UserCentric(SEED), 7, 1, now)).isEmpty();
  }

  @Test
  void aPageFetchedByAClockThatIsAheadHasNoAge() {
    RecordedPage page = RecordedPage.of("a").visit(5, 0, 0);
    assertThat(page.age(day(4))).isZero();
    assertThat(page.age(day(5))).isZero();
    assertThat(page.age(day(6))).isEqualTo(1);
  }

  @Test
  void aPageThatBecameKnownNowMayBeFetchedNow() {
    RecordedPage unseen = new RecordedPage("unseen"); // known since day 0
    for (RefreshPolicy policy :
        List.of(
            new UserCentric(SEED),
            new ContentProvider(SEED),
            new SiteMetadata(SEED),
            new AdaptiveInterval(SEED))) {
      assertThat(order(policy, 0, 1, unseen)).as("%s", policy).containsExactly("unseen");
    }
  }

  @Test
  void topPagesKeepsTheBestAndBreaksTiesBySeed() {
    TopPages top = new TopPages(2, SEED);
    top.offer("low", 1);
    top.offer("high", 3);
    top.offer("middle", 2);
    assertThat(top.bestFirst())
        .extracting(RefreshCandidate::page)
        .containsExactly("high", "middle");
    assertThat(firstOfTies(1)).isNotEqualTo(firstOfTies(2));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> top.offer("none", Double.NaN))
        .withMessage("priority of none is not a number");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new TopPages(-1, SEED))
        .withMessage("limit must not be negative, was -1");
  }

  @Test
  void aPriorityThatIsNegativeByItsSignAloneIsZero() {
    TopPages top = new TopPages(1, SEED);
    top.offer("a", -0.0);
    assertThat(top.bestFirst()).containsExactly(new RefreshCandidate("a", 0.0));
  }

  @Test
  void topPagesAreThoseOfASortOfAll() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int limit = random.nextInt(30);
      int different = 1 + random.nextInt(40); // few make many ties
      TopPages top = new TopPages(limit, seed);
      List<RefreshCandidate> all = new ArrayList<>();
      for (int page = random.nextInt(300); page > 0; page--) {
        RefreshCandidate offered =
            new RefreshCandidate("page " + page, random.nextInt(different) - 5);
        double least = top.leastKept();
        top.offer(offered.page(), offered.priority());
        all.add(offered);
        assertThat(offered.priority() < least && isAmong(top, offered))
            .as("seed %d, round %d: a page below the least is kept", seed, round)
            .isFalse();
      }
      all.sort(
          Comparator.comparingDouble(RefreshCandidate::priority)
              .reversed()
              .thenComparingLong(page -> TopPages.hash(seed, page.page())));
      assertThat(top.bestFirst())
          .as("seed %d, round %d, limit %d", seed, round, limit)
          .isEqualTo(all.subList(0, Math.min(limit, all.size())));
    }
  }

  private static boolean isAmong(TopPages top, RefreshCandidate page) {
    return top.bestFirst().contains(page);
  }

  private static List<String> firstOfTies(long seed) {
    TopPages top = new TopPages(5, seed);
    for (int page = 0; page < 100; page++) {
      top.offer("page " + page, 0);
    }
    return top.bestFirst().stream().map(RefreshCandidate::page).toList();
  }

  @Test
  void aStableSumDoesNotShowTheOrder() {
    StableSum forward = new StableSum();
    StableSum backward = new StableSum();
    for (int i = 1; i <= 10_000; i++) {
      forward.add(1.0 / i);
      backward.add(1.0 / (10_001 - i));
    }
    assertThat(forward.value()).isEqualTo(backward.value()).isCloseTo(9.787606, within(1e-6));
    assertThat(new StableSum().mean()).isZero();
  }

  @Test
  void aPageNeverFetchedIsDueAtOnceAndFirst() {
    RecordedPage old = RecordedPage.of("old");
    RecordedPage unseen = new RecordedPage("unseen");
    assertThat(order(new AdaptiveInterval(SEED), 1, 3, old, unseen)).containsExactly("unseen");
    assertThat(order(new AdaptiveInterval(SEED), 3650, 3, old, unseen))
        .containsExactly("unseen", "old");
  }
}
