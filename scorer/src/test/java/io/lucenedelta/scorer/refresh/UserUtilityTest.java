// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UserUtilityTest {
  private static final Instant NOW = TestPage.day(100);
  private static final GainParameters NEVER_AGING =
      GainParameters.LEARNING.withAgingRounds(Double.POSITIVE_INFINITY);

  /** Nothing is learned from other pages, so that λ and g are known to the digit. */
  private static final GainParameters OWN_RECORD =
      NEVER_AGING.withRateChanges(0).withGainChanges(0).withTemperGains(false).withWaitingShare(0);

  private static RefreshBudget budget(int pages, Instant now) {
    return RefreshBudget.regular(pages, now, Duration.ofDays(7), 1);
  }

  private static UserUtilityPlan plan(List<TestPage> pages) {
    return plan(GainParameters.LEARNING, pages);
  }

  private static UserUtilityPlan plan(GainParameters parameters, List<TestPage> pages) {
    return (UserUtilityPlan)
        new UserUtility(parameters, 1).plan(TestPage.known(pages), budget(pages.size(), NOW));
  }

  private static List<String> order(GainParameters parameters, TestPage... pages) {
    return candidates(parameters, pages).stream().map(RefreshCandidate::page).toList();
  }

  private static List<RefreshCandidate> candidates(GainParameters parameters, TestPage... pages) {
    KnownPages known = TestPage.known(List.of(pages));
    RefreshBudget all = budget(pages.length, NOW);
    return new UserUtility(parameters, 1).plan(known, all).next(known, NOW, pages.length);
  }

  @Test
  void utilityGrowsWithTheSquareOfTheAgeAndALittleForThePeriod() {
    TestPage fetchedToday = TestPage.of("a").record(90, 2, 2);
    TestPage fetchedLong = new TestPage("b", 60, 2, 2, 4, 2 * Math.sqrt(2), 90, 1, false, null);
    UserUtilityPlan plan = plan(NEVER_AGING, List.of(fetchedToday, fetchedLong));
    double ratio = plan.utility(fetchedLong, NOW) / plan.utility(fetchedToday, NOW);
    assertThat(ratio).isCloseTo(40 * 43.5 / (10 * 13.5), within(1e-6));
  }

  /** On a live index pages may be fetched every minute, or once a year. */
  @Test
  void aKnownChangeIsWorthAtLeastWhatIsExpectedOfAnEqualPageOfWhichNothingIsHeard() {
    for (double perDay : new double[] {1 / 365.0, 1 / 7.0, 1, 24, 1440}) {
      for (int changes : new int[] {1, 2, 5}) {
        TestPage unheard = changed(perDay, 10, 100 - changes / perDay);
        TestPage published = unheard.publishing(between(unheard, perDay, 10 + changes));
        List<TestPage> pages = List.of(unheard, published);
        UserUtilityPlan plan =
            (UserUtilityPlan)
                new UserUtility(OWN_RECORD, 1)
                    .plan(TestPage.known(pages), RefreshBudget.atAnyTime(2, NOW));
        double expected = changes * changes / (2 * perDay);
        assertThat(plan.utility(unheard, NOW)).isCloseTo(expected, withinPercentage(1e-6));
        assertThat(plan.utility(published, NOW))
            .as("%s changes a day, %d published", perDay, changes)
            .isGreaterThan(plan.utility(unheard, NOW))
            .isCloseTo(expected * (changes + 1) / changes, withinPercentage(1e-6));
      }
    }
  }

  /** A page that changed so often a day until it was fetched, each time for a gain of 1. */
  private static TestPage changed(double perDay, int changes, double fetchedDay) {
    return new TestPage(
        perDay + " a day",
        fetchedDay,
        changes,
        changes,
        changes,
        changes,
        changes / perDay,
        1,
        false,
        null);
  }

  /** When such a page changed, so many times since its first fetch, in the middle between two. */
  private static Double[] between(TestPage page, double perDay, int changes) {
    double first = page.fetchedDay() - page.totalDays();
    return IntStream.range(0, changes)
        .mapToObj(change -> first + (change + 0.5) / perDay)
        .toArray(Double[]::new);
  }

  /**
   * Pages are then fetched in proportion to √(λ·g), which loses (Σ√(λ·g))²/(2F) with F fetches a
   * day, here a third of what it loses to fetch all equally often.
   */
  @Test
  void pagesThatAreFetchedManyTimesADayAreFetchedByTheRootOfTheirRate() {
    double[] perDay = new double[50];
    Arrays.fill(perDay, 0.24);
    Arrays.fill(perDay, 0, 5, 24);
    int secondsAFetch = 72;
    double fetchesADay = 86_400.0 / secondsAFetch;
    List<TestPage> pages = new ArrayList<>();
    double roots = 0;
    double rates = 0;
    for (int page = 0; page < perDay.length; page++) {
      TestPage changed = changed(perDay[page], 240, 100);
      pages.add(
          new TestPage(
              "page" + page, 100, 240, 240, 240, 240, changed.totalDays(), 1, false, null));
      roots += Math.sqrt(perDay[page]);
      rates += perDay[page];
    }
    RefreshPlan plan =
        new UserUtility(OWN_RECORD, 1).plan(TestPage.known(pages), RefreshBudget.atAnyTime(1, NOW));
    int decisions = (int) (3 * fetchesADay);
    double loss = 0;
    int[] fetches = new int[perDay.length];
    for (int decision = 1; decision <= decisions; decision++) {
      Instant now = NOW.plusSeconds((long) secondsAFetch * decision);
      boolean settled = decision > fetchesADay; // after a day it no longer shows how it began
      for (int page = 0; page < perDay.length; page++) {
        double meanAge = pages.get(page).age(now) - 0.5 / fetchesADay;
        loss += settled ? perDay[page] * meanAge : 0;
      }
      String next = plan.next(TestPage.known(pages), now, 1).get(0).page();
      int page = Integer.parseInt(next.substring("page".length()));
      fetches[page] += settled ? 1 : 0;
      pages.set(page, pages.get(page).fetchedSince(100 + decision / fetchesADay));
    }
    double mean = loss / (decisions - fetchesADay);
    double best = roots * roots / (2 * fetchesADay);
    assertThat(mean / best).isBetween(0.99, 1.03);
    assertThat(perDay.length * rates / (2 * fetchesADay) / best).isGreaterThan(3);
    assertThat(fetches[0] / (double) fetches[49]).isBetween(8.5, 11.0);
  }

  @Test
  void afterThreeRoundsUtilityIsTakenTwiceAndAfterSixSeventeenTimes() {
    // twenty pages, a hundred days, ten refreshes each
    List<TestPage> pages = new ArrayList<>();
    pages.add(TestPage.of("three").record(70, new double[10]));
    pages.add(TestPage.of("six").record(40, new double[10]));
    for (int page = 2; page < 20; page++) {
      pages.add(TestPage.of("fresh" + page).record(99, new double[10]));
    }
    UserUtilityPlan plan = plan(pages);
    UserUtilityPlan never = plan(NEVER_AGING, pages);
    double[] times = {2, 17, 1 + Math.pow(1 / 30.0, 4)};
    for (int page = 0; page < 3; page++) {
      assertThat(plan.utility(pages.get(page), NOW) / never.utility(pages.get(page), NOW))
          .as(pages.get(page).page())
          .isCloseTo(times[page], within(1e-9));
    }
  }

  @Test
  void aPageThatPublishesAgesOnlyWhereItsSiteIsNotHeard() {
    TestPage heard = TestPage.of("heard").record(10).publishing();
    PublishedChanges last = new PublishedChanges(0, List.of(), TestPage.day(10), 0);
    KnownPage unheard = new KnownPages.SummedPage(heard, false, last, 1);
    List<TestPage> pages = new ArrayList<>(List.of(heard));
    for (int page = 1; page < 20; page++) {
      pages.add(
          TestPage.of("fresh" + page).record(100, page < 3 ? new double[100] : new double[0]));
    }
    UserUtilityPlan plan = plan(pages);
    UserUtilityPlan never = plan(NEVER_AGING, pages);
    assertThat(plan.utility(heard, NOW)).isEqualTo(never.utility(heard, NOW));
    assertThat(plan.utility(unheard, NOW) / never.utility(unheard, NOW))
        .isCloseTo(1 + Math.pow(90 / 30.0, 4), within(1e-9));
  }

  @Test
  void noEstimateKeepsAPageAwayForManyRounds() {
    assertThat(longestWait(GainParameters.LEARNING)).isBetween(3, 12);
    assertThat(longestWait(NEVER_AGING)).isGreaterThan(30);
  }

  /** Rounds after which a page is fetched that seems to be worth a millionth of 49 others. */
  private static int longestWait(GainParameters parameters) {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 50; page++) {
      double gain = page == 49 ? 1e-6 : 1;
      double[] gains = new double[200];
      Arrays.fill(gains, gain);
      pages.add(TestPage.of("https://a.test/" + page).useful(gain).record(100, gains));
    }
    // ten of fifty pages a day: a round is five days
    for (int day = 101; day < 100 + 5 * 40; day++) {
      Instant now = TestPage.day(day);
      KnownPages known = TestPage.known(pages);
      RefreshBudget budget = RefreshBudget.regular(10, now, Duration.ofDays(1), 1);
      Set<String> batch = new HashSet<>();
      new UserUtility(parameters, 1)
          .plan(known, budget)
          .next(known, now, 10)
          .forEach(candidate -> batch.add(candidate.page()));
      if (batch.contains("https://a.test/49")) {
        return (day - 100) / 5;
      }
      double today = day;
      pages.replaceAll(page -> batch.contains(page.page()) ? gained(page, today) : page);
    }
    return 40;
  }

  @Test
  void usefulnessThatIsNotFiniteCountsAsNotKnown() {
    TestPage page = new TestPage("http://a/", 60, 2, 2, 4, 3, 90, -1, false, null);
    TestPage useful = TestPage.of("http://b/").record(90, 2, 2).useful(5);
    TestPage useless = TestPage.of("http://c/").record(90, 2, 2).useful(0.1);
    List<RefreshCandidate> unknown = candidates(GainParameters.LEARNING, page, useful, useless);
    assertThat(unknown).hasSize(3);
    for (double usefulness : new double[] {Double.POSITIVE_INFINITY, Double.NaN}) {
      TestPage odd = page.useful(usefulness);
      assertThat(candidates(GainParameters.LEARNING, odd, useful, useless))
          .as("%s", usefulness)
          .isEqualTo(unknown);
    }
  }

  /** Added to those of the others it would leave nothing known of any page. */
  @Test
  void aSumThatIsNotFiniteIsRefusedWithItsPage() {
    TestPage usual = TestPage.of("http://b/").record(90, 2, 2);
    for (double odd :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      Map<String, TestPage> pages =
          Map.of(
              "totalGain", new TestPage("http://a/", 60, 2, 2, odd, 3, 90, 1, false, null),
              "totalRootGain", new TestPage("http://a/", 60, 2, 2, 4, odd, 90, 1, false, null),
              "totalDays", new TestPage("http://a/", 60, 2, 2, 4, 3, odd, 1, false, null));
      LearnedGains kept = LearnedGains.of(TestPage.known(List.of(usual)), NOW);
      double before = kept.at(NOW).gainPerDay(usual, NOW);
      pages.forEach(
          (sum, page) -> {
            String message =
                "%s of page http://a/ must be finite, was %s: leave refreshes unmeasured of which a number is not"
                    .formatted(sum, odd);
            assertThatIllegalArgumentException()
                .isThrownBy(() -> order(GainParameters.LEARNING, usual, page))
                .withMessage(message);
            assertThatIllegalArgumentException()
                .isThrownBy(() -> kept.add(page))
                .withMessage(message);
          });
      assertThat(kept.at(NOW).gainPerDay(usual, NOW)).isEqualTo(before).isPositive();
    }
  }

  @Test
  void aPublishedChangeIsWorthItsGainUntilTheNextChange() {
    TestPage once = TestPage.of("a").publishing(50.0);
    TestPage twice = TestPage.of("b").publishing(40.0, 50.0);
    TestPage learned = TestPage.of("c").record(100, 6, 6);
    List<TestPage> pages = List.of(once, twice, learned);
    GainModel model = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    UserUtilityPlan plan = plan(pages);
    assertThat(plan.utility(once, NOW))
        .isCloseTo(model.gainPerChange(once) / model.changesPerDay(once, NOW), within(1e-6));
    assertThat(plan.utility(twice, NOW))
        .isCloseTo(3 * model.gainPerChange(twice) / model.changesPerDay(twice, NOW), within(1e-6));
  }

  @Test
  void aPublishedChangeIsCreditedForTheHorizonAtMost() {
    TestPage once = TestPage.of("a").publishing(50.0);
    TestPage twice = TestPage.of("b").publishing(40.0, 50.0);
    List<TestPage> pages = List.of(once, twice, TestPage.of("c").record(100, 6, 6));
    GainModel model = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    UserUtilityPlan plan = plan(GainParameters.LEARNING.withHorizonDays(20), pages);
    // λ0 = 5.5/301, so that 1/λ = (100 + 3/λ0)/4 = 66 days and (100 + 3/λ0)/5 = 53
    assertThat(plan.utility(once, NOW)).isCloseTo(20 * model.gainPerChange(once), within(1e-9));
    assertThat(plan.utility(twice, NOW))
        .isCloseTo(3 * 20 * model.gainPerChange(twice), within(1e-9));
  }

  @Test
  void aPageThatPublishedNothingNewIsWorthAHundredthOfWhatItWouldBeUnheard() {
    TestPage silent = TestPage.of("silent").record(90, 2, 2).publishing(20.0, 80.0);
    GainModel model =
        GainModel.learn(TestPage.known(List.of(silent)), GainParameters.LEARNING, NOW);
    // ten days after the fetch, with decisions once a week: t·(t + 7/2)/2
    assertThat(plan(List.of(silent)).utility(silent, NOW))
        .isCloseTo(0.01 * model.gainPerDay(silent, NOW) * 10 * 13.5 / 2, within(1e-9));
  }

  @Test
  void whereAllPeriodsArePlannedARefreshPaysUntilTheEndAtMost() {
    // two changes in fifty days worth 2 each
    TestPage page = TestPage.of("a").record(50, 3, 1);
    KnownPages known = TestPage.known(List.of(page));
    for (int weeks : new int[] {1, 4, 100}) {
      RefreshBudget budget = RefreshBudget.regular(1, NOW, Duration.ofDays(7), weeks);
      UserUtilityPlan plan =
          (UserUtilityPlan) new UserUtility(GainParameters.KNOWN, 1).plan(known, budget);
      // fifty days' loss pays (50 + 7/2)/2 days, or what is left; half the harmonic mean of both
      double pays = 26.75;
      double left = 7 * weeks;
      double expected = 2 / 50.0 * 2 * 50 / (1 / pays + 1 / left);
      assertThat(plan.utility(page, NOW)).as("%s weeks", weeks).isCloseTo(expected, within(1e-6));
    }
  }

  @Test
  void aPageThatPublishedNothingNewWaitsButIsNotForgotten() {
    TestPage silent = TestPage.of("silent").publishing();
    TestPage changed = TestPage.of("changed").publishing(99.0);
    TestPage mute = TestPage.of("mute");
    assertThat(order(GainParameters.LEARNING, silent, changed, mute)).endsWith("silent").hasSize(3);
  }

  @Test
  void theOldestKnownChangeIsFetchedHoweverWorthlessItSeems() {
    List<TestPage> pages = new ArrayList<>();
    pages.add(TestPage.of("worthless").useful(0).publishing(5.0));
    for (int i = 0; i < 20; i++) {
      pages.add(TestPage.of("worthy" + i).useful(50).publishing(50.0 + i));
    }
    KnownPages known = TestPage.known(pages);
    GainParameters half = GainParameters.LEARNING.withWaitingShare(0.5);
    List<RefreshCandidate> batch =
        new UserUtility(half, 1).plan(known, budget(4, NOW)).next(known, NOW, 4);
    assertThat(batch)
        .extracting(RefreshCandidate::page)
        .contains("worthless", "worthy0")
        .hasSize(4);
    assertThat(batch).extracting(RefreshCandidate::page).doesNotHaveDuplicates();
    GainParameters none = GainParameters.LEARNING.withWaitingShare(0);
    assertThat(new UserUtility(none, 1).plan(known, budget(4, NOW)).next(known, NOW, 4))
        .extracting(RefreshCandidate::page)
        .doesNotContain("worthless");
  }

  @Test
  void fromTheEndOfThePlanOnNothingPays() {
    TestPage silent = TestPage.of("silent").record(90, 2, 2).publishing();
    TestPage quiet = TestPage.of("quiet").record(90, 2, 2);
    KnownPages known = TestPage.known(List.of(silent, quiet));
    RefreshBudget live = RefreshBudget.atAnyTime(2, NOW);
    UserUtilityPlan plan =
        (UserUtilityPlan)
            new UserUtility(GainParameters.LEARNING.withPlanToEnd(true), 1).plan(known, live);
    assertThat(plan.utility(quiet, NOW)).isPositive();
    for (Duration later : List.of(Duration.ZERO, Duration.ofDays(1), Duration.ofDays(1_000))) {
      Instant now = live.end().plus(later);
      assertThat(plan.utility(quiet, now)).as("%s later", later).isZero();
      assertThat(plan.utility(silent, now)).as("%s later", later).isZero();
    }
  }

  @Test
  void theOrderInWhichPagesAreKnownDoesNotMatterWhereTheyAreOfNoUtility() {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 30; page++) {
      pages.add(TestPage.of("page" + page));
    }
    RefreshPlan plan = new UserUtility(OWN_RECORD, 1).plan(TestPage.known(pages), budget(3, NOW));
    List<RefreshCandidate> first = plan.next(TestPage.known(pages), NOW, 3);
    Collections.reverse(pages);
    assertThat(plan.next(TestPage.known(pages), NOW, 3)).isEqualTo(first).hasSize(3);
  }

  @Test
  void aPageFetchedByAClockThatIsAheadIsNotFetchedForAChangeThatIsAheadOfIt() {
    TestPage ahead = new TestPage("ahead", 101, 1, 1, 2, 1.4, 101, 1, false, List.of(101.5));
    assertThat(order(GainParameters.LEARNING.withWaitingShare(1), ahead)).isEmpty();
  }

  @Test
  void aPageWaitsSinceTheFirstChangeThatWasNotFetchedHoweverOftenItChangedSince() {
    List<TestPage> pages = new ArrayList<>();
    pages.add(TestPage.of("worthless").useful(0).publishing(5.0, 98.0, 99.0));
    for (int i = 0; i < 20; i++) {
      pages.add(TestPage.of("worthy" + i).useful(50).publishing(50.0 + i));
    }
    KnownPages known = TestPage.known(pages);
    GainParameters half = GainParameters.LEARNING.withWaitingShare(0.5);
    assertThat(new UserUtility(half, 1).plan(known, budget(4, NOW)).next(known, NOW, 4))
        .extracting(RefreshCandidate::page)
        .contains("worthless", "worthy0")
        .hasSize(4);
  }

  @Test
  void smallBatchesHaveTheirShareOfOldChangesToo() {
    List<TestPage> pages = new ArrayList<>();
    pages.add(TestPage.of("worthless").useful(0).publishing(5.0));
    for (int i = 0; i < 20; i++) {
      pages.add(TestPage.of("worthy" + i).useful(50).publishing(50.0 + i));
    }
    KnownPages known = TestPage.known(pages);
    RefreshPlan plan = new UserUtility(1).plan(known, budget(1, NOW));
    int old = 0;
    for (int minute = 0; minute < 2000; minute++) {
      String page = plan.next(known, NOW.plusSeconds(60L * minute), 1).get(0).page();
      old += page.equals("worthless") ? 1 : 0;
    }
    assertThat(old).isBetween(60, 140); // one in twenty; standard deviation 10
  }

  @Test
  void aPageNeverFetchedHasAFinitePriorityInTheSameQueue() {
    TestPage unseen = TestPage.unseen("https://a.test/new");
    UserUtilityPlan plan = plan(List.of(TestPage.of("https://a.test/old"), unseen));
    assertThat(plan.utility(unseen, NOW)).isPositive().isFinite();
    assertThat(order(GainParameters.LEARNING, unseen, TestPage.of("https://a.test/old")))
        .containsExactlyInAnyOrder("https://a.test/new", "https://a.test/old");
  }

  @Test
  void withKnownParametersStaticPagesAreLeftAlone() {
    assertThat(
            order(
                GainParameters.KNOWN,
                TestPage.of("static").record(50),
                TestPage.of("gains").record(50, 3, 1),
                TestPage.of("gains more").record(50, 3, 3)))
        .containsExactly("gains more", "gains");
  }

  @Test
  void aPageFetchedAMomentAgoIsOfferedWhenThereIsNothingElse() {
    KnownPages known = TestPage.known(List.of(TestPage.of("a")));
    Instant now = TestPage.START.plusMillis(1);
    assertThat(new UserUtility(1).plan(known, budget(1, now)).next(known, now, 1)).hasSize(1);
  }

  @Test
  void aFirstFetchIsWorthItsGainUntilChangesWouldHaveBroughtAsMuchOrTheHorizonEnds() {
    TestPage unseen = TestPage.unseen("https://a.test/new");
    List<TestPage> pages =
        List.of(TestPage.of("https://a.test/old").useful(6).record(80, 2, 5), unseen);
    GainModel model = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    double gain = model.entryGain(unseen);
    double days = gain / model.gainPerDay(unseen, NOW);
    assertThat(plan(GainParameters.LEARNING.withHorizonDays(2 * days), pages).utility(unseen, NOW))
        .isCloseTo(gain * days, within(1e-9 * gain * days));
    assertThat(plan(GainParameters.LEARNING.withHorizonDays(days / 2), pages).utility(unseen, NOW))
        .isCloseTo(gain * days / 2, within(1e-9 * gain * days));
  }

  @Test
  void withoutLookingAheadUtilityIsTheLossThatIsThere() {
    TestPage unseen = TestPage.unseen("https://a.test/new");
    TestPage twice = TestPage.of("https://b.test/").publishing(40.0, 50.0);
    TestPage unheard = TestPage.of("https://c.test/").record(90, 6, 6);
    List<TestPage> pages = List.of(unseen, twice, unheard);
    GainModel model = GainModel.learn(TestPage.known(pages), GainParameters.LEARNING, NOW);
    UserUtilityPlan plan = plan(NEVER_AGING.withLookAhead(false), pages);
    assertThat(plan.utility(unseen, NOW)).isEqualTo(model.entryGain(unseen));
    assertThat(plan.utility(twice, NOW)).isEqualTo(2 * model.gainPerChange(twice));
    assertThat(plan.utility(unheard, NOW)).isEqualTo(10 * model.gainPerDay(unheard, NOW));
  }

  @Test
  void aPageThatBecameKnownAMomentAgoIsNotPassedOverForItsAge() {
    TestPage found =
        new TestPage("https://a.test/new", 100, 0, 0, 0, 0, 0, -1, true, null); // on day 100
    List<TestPage> pages = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      pages.add(TestPage.of("https://a.test/" + i).useful(9).record(99, 1));
    }
    pages.add(found);
    GainParameters noneWaits = GainParameters.LEARNING.withWaitingShare(0);
    UserUtilityPlan plan = plan(noneWaits, pages);
    assertThat(plan.utility(found, NOW)).isGreaterThan(plan.utility(pages.get(0), NOW));
    assertThat(plan.next(TestPage.known(pages), NOW, 1))
        .extracting(RefreshCandidate::page)
        .containsExactly("https://a.test/new");
  }

  @Test
  void aPageFetchedAtThisVeryMomentIsNotFetchedAgain() {
    TestPage now = TestPage.of("now").record(100, 9, 9);
    TestPage published = TestPage.of("published").record(100, 9, 9).publishing(60.0);
    assertThat(order(GainParameters.LEARNING, now, published, TestPage.of("before").record(99)))
        .containsExactly("before");
  }

  @Test
  void withKnownParametersAPageOfWhichNothingIsKnownComesLast() {
    assertThat(
            order(
                GainParameters.KNOWN,
                TestPage.of("unknown"),
                TestPage.of("static").record(50),
                TestPage.of("gains").record(50, 3, 1)))
        .containsExactly("gains", "unknown");
  }

  @Test
  void everyPageGetsItsTurn() {
    List<TestPage> pages = new ArrayList<>();
    pages.add(TestPage.of("lively").useful(100).record(10, 50, 60, 70));
    for (int i = 0; i < 5; i++) {
      pages.add(TestPage.of("quiet" + i).useful(0).record(10));
    }
    Set<String> fetched = new HashSet<>();
    for (int week = 2; week < 400; week++) {
      Instant now = TestPage.day(7 * week);
      KnownPages known = TestPage.known(pages);
      RefreshCandidate best =
          new UserUtility(1).plan(known, budget(1, now)).next(known, now, 1).get(0);
      fetched.add(best.page());
      double day = 7 * week;
      pages.replaceAll(p -> p.page().equals(best.page()) ? visited(p, day) : p);
    }
    assertThat(fetched).hasSize(6);
  }

  /** The page after a fetch: the lively one has changed, the others have not. */
  private static TestPage visited(TestPage page, double day) {
    int found = page.page().equals("lively") ? 1 : 0;
    return new TestPage(
        page.page(),
        day,
        page.refreshes() + 1,
        page.changes() + found,
        page.totalGain() + 50 * found,
        page.totalRootGain() + Math.sqrt(50) * found,
        page.totalDays() + day - page.fetchedDay(),
        page.usefulness(),
        false,
        null);
  }

  @Test
  void theShortCutByTheBoundLosesNoPageAndTheOrderOfPagesDoesNotShow() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<TestPage> pages = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      pages.add(random(random, i));
    }
    for (RefreshBudget budget :
        List.of(budget(pages.size(), NOW), RefreshBudget.atAnyTime(pages.size(), NOW))) {
      UserUtilityPlan plan =
          (UserUtilityPlan)
              new UserUtility(GainParameters.LEARNING.withWaitingShare(0), 1)
                  .plan(TestPage.known(pages), budget);
      List<Double> largest =
          pages.stream()
              .filter(p -> p.lastRefresh().isBefore(NOW) || p.neverFetched())
              .map(p -> plan.utility(p, NOW))
              .sorted(Comparator.reverseOrder())
              .limit(20)
              .toList();
      List<RefreshCandidate> chosen = plan.next(TestPage.known(pages), NOW, 20);
      assertThat(chosen.stream().map(RefreshCandidate::priority))
          .as("seed %d, %s", seed, budget)
          .isEqualTo(largest);
      for (TestPage page : pages) {
        assertThat(plan.bound(page, NOW))
            .as("seed %d, %s, %s", seed, budget, page)
            .isGreaterThanOrEqualTo(plan.utility(page, NOW));
      }
    }
    List<RefreshCandidate> usual = plan(pages).next(TestPage.known(pages), NOW, 20);
    Collections.shuffle(pages, random);
    assertThat(plan(pages).next(TestPage.known(pages), NOW, 20))
        .as("seed %d", seed)
        .isEqualTo(usual);
  }

  private static TestPage random(Random random, int number) {
    String key = "https://s%d.test/%d/%d".formatted(random.nextInt(4), random.nextInt(6), number);
    double[] gains = new double[random.nextInt(4)];
    Arrays.setAll(gains, i -> random.nextBoolean() ? 0 : Math.exp(4 * random.nextGaussian()));
    TestPage page =
        TestPage.of(key)
            .useful(Math.exp(2 * random.nextGaussian()))
            .record(99 * random.nextDouble(), gains);
    return switch (random.nextInt(6)) {
      case 0 -> page.publishing();
      case 1 -> page.publishing(99 * random.nextDouble());
      case 2 -> TestPage.unseen(key);
      default -> page;
    };
  }

  @Test
  void aPageNeverFetchedGetsItsTurnAmongPagesThatAllSeemWorthMore() {
    List<TestPage> pages = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      pages.add(
          TestPage.of("https://a.test/" + i).record(70, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1).useful(1));
    }
    pages.add(TestPage.unseen("https://a.test/new"));
    // ten places a year for what waits longest: without them it is not fetched in ten years
    assertThat(weekOfFirstFetch(pages, 4, 520)).isBetween(11, 11 + 60);
  }

  /** The week in which the last page is fetched; −1 if it never is. */
  private static int weekOfFirstFetch(List<TestPage> pages, int perWeek, int weeks) {
    String last = pages.get(pages.size() - 1).page();
    for (int week = 11; week < weeks; week++) {
      Instant now = TestPage.day(7 * week);
      KnownPages known = TestPage.known(pages);
      Set<String> batch = new HashSet<>();
      new UserUtility(1)
          .plan(known, budget(perWeek, now))
          .next(known, now, perWeek)
          .forEach(candidate -> batch.add(candidate.page()));
      if (batch.contains(last)) {
        return week;
      }
      double day = 7 * week;
      pages.replaceAll(p -> batch.contains(p.page()) ? gained(p, day) : p);
    }
    return -1;
  }

  /** The page after another fetch that found a change worth 1. */
  private static TestPage gained(TestPage page, double day) {
    double[] gains = new double[page.refreshes() + 1];
    Arrays.fill(gains, 1);
    return TestPage.of(page.page()).record(day, gains);
  }

  @Test
  void whatWaitsForAShareKeepsNoShortList() {
    List<TestPage> fetched = List.of(TestPage.of("a"), TestPage.of("b"));
    assertThat(plan(fetched).ripens()).isTrue();
    assertThat(plan(List.of(TestPage.of("a"), TestPage.unseen("b"))).ripens()).isFalse();
    assertThat(plan(List.of(TestPage.of("a"), TestPage.of("b").publishing(50.0))).ripens())
        .isFalse();
  }
}
