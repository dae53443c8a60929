// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static io.lucenedelta.scorer.refresh.RecordedPage.day;
import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RecordedPage;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TestPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strategies that optimise frequencies, on pages whose order is plain. */
class SchedulesTest {
  private static RecordedPage changing(String name, int everyWeeks, double divergence) {
    RecordedPage page = RecordedPage.of(name);
    for (int week = 1; week <= 20; week++) {
      int changes = week / everyWeeks;
      page.visit(7 * week, divergence * changes, 0);
    }
    return page;
  }

  @Test
  void oneRefreshComesInTheMiddleAndTwoAtTheThirds() {
    RecordedPage page = changing("a", 5, 0.5);
    assertThat(
            weeks(
                new Staleness(0.1, Knowledge.HINDSIGHT, 1)
                    .plan(RecordedPage.pages(page), budget(1)),
                page))
        .isEqualTo(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11));
    PageTable pages = new PageTable(new String[] {"a"}, new double[][] {{0.3}});
    HardSchedule schedule =
        new HardSchedule(pages, new double[] {0.3}, new double[] {1}, budget(1), 1);
    assertThat(weeks(schedule.plan(new double[] {1.0 / 11}), page)).isEqualTo(List.of(6));
    assertThat(weeks(schedule.plan(new double[] {2.0 / 11}), page)).isEqualTo(List.of(4, 8));
  }

  @Test
  void wherePeriodsDifferInLengthItIsTimeThatIsCutIntoEqualParts() {
    RecordedPage page = changing("a", 5, 0.5);
    int[] visited = {7, 14, 21, 28, 35, 42, 70, 98, 126, 154, 182};
    RefreshBudget budget =
        new RefreshBudget(1, day(0), IntStream.of(visited).mapToObj(RecordedPage::day).toList());
    PageTable pages = new PageTable(new String[] {"a"}, new double[][] {{0.3}});
    HardSchedule schedule =
        new HardSchedule(pages, new double[] {0.3}, new double[] {1}, budget, 1);
    assertThat(fetched(schedule.plan(new double[] {1.0 / 11}), page, budget))
        .containsExactly(day(98));
    assertThat(fetched(schedule.plan(new double[] {2.0 / 11}), page, budget))
        .containsExactly(day(70), day(126));
    assertThat(fetched(schedule.plan(new double[] {1}), page, budget)).isEqualTo(budget.times());
  }

  private static List<Instant> fetched(RefreshPlan plan, RecordedPage page, RefreshBudget budget) {
    KnownPages onceFetched = RecordedPage.pages(RecordedPage.of(page.page()));
    return budget.times().stream().filter(at -> !plan.next(onceFetched, at, 1).isEmpty()).toList();
  }

  private static RefreshBudget budget(int perWeek) {
    return RecordedPage.weekly(perWeek, 11);
  }

  /** The weeks in which a plan fetches the page, as seen on a copy that was fetched on day 0. */
  private static List<Integer> weeks(RefreshPlan plan, RecordedPage page) {
    return fetched(plan, page, budget(1)).stream()
        .map(at -> (int) Duration.between(day(0), at).toDays() / 7)
        .toList();
  }

  @Test
  void stalenessIgnoresChangesUnderTheThreshold() {
    RecordedPage small = changing("small", 3, 0.05);
    RecordedPage large = changing("large", 3, 0.4);
    assertThat(order(new Staleness(0.1, Knowledge.ONLINE, 1), 147, 1, small, large))
        .containsExactly("large");
    assertThat(order(new Staleness(0.0, Knowledge.ONLINE, 1), 147, 2, small, large))
        .containsExactlyInAnyOrder("large", "small");
  }

  @Test
  void withoutKnowledgeEveryPageIsVisitedToLearnItsRate() {
    assertThat(order(new Staleness(0.1, Knowledge.ONLINE, 1), 30, 1, RecordedPage.of("a")))
        .containsExactly("a");
  }

  @Test
  void withHindsightAPageThatDoesNotChangeIsLeft() {
    RecordedPage still = RecordedPage.of("still").visit(7, 0, 0);
    assertThat(order(new Staleness(0.1, Knowledge.HINDSIGHT, 1), 30, 1, still)).isEmpty();
    assertThat(order(new Staleness(0.1, Knowledge.HINDSIGHT, 1), 147, 1, changing("a", 5, 0.5)))
        .isNotEmpty();
  }

  @Test
  void embarrassmentWeighsClicksAndLargeChanges() {
    RecordedPage clicked = changing("clicked", 3, 0.4).viewed(10);
    RecordedPage ignored = changing("ignored", 3, 0.4).viewed(0);
    RecordedPage trifles = changing("trifles", 3, 0.05).viewed(10);
    for (int seed = 0; seed < 20; seed++) {
      assertThat(
              order(
                  new Embarrassment(0.3, Knowledge.ONLINE, seed),
                  147,
                  1,
                  ignored,
                  trifles,
                  clicked))
          .as("seed %s", seed)
          .containsExactly("clicked");
    }
    assertThat(new Embarrassment(0.3, Knowledge.HINDSIGHT, 1).irrelevance(clicked)).isEqualTo(1);
    assertThat(new Embarrassment(0.5, Knowledge.HINDSIGHT, 1).irrelevance(clicked)).isZero();
  }

  @Test
  void embarrassmentCountsAnUpdateThatChangesExactlyTheThreshold() {
    // updates of 0.5 and 0.25: one of two changes at least 0.5, both at least 0.25
    RecordedPage page = RecordedPage.of("a").visit(7, 0.5, 0).visit(14, 0.75, 0).visit(21, 0.75, 0);
    assertThat(new Embarrassment(0.5, Knowledge.HINDSIGHT, 1).irrelevance(page)).isEqualTo(0.5);
    assertThat(new Embarrassment(0.25, Knowledge.HINDSIGHT, 1).irrelevance(page)).isEqualTo(1);
  }

  /** 7 of 10 fragments are others: 1 − 3/10 is less than 0.7 as a double, and as a float more. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void anUpdateThatChangesExactlyTheThresholdCountsWhateverItIs(int tenths) {
    double threshold = Double.parseDouble("0." + tenths);
    for (double share : new double[] {1 - (10 - tenths) / 10.0, (float) (tenths / 10.0)}) {
      RecordedPage page = RecordedPage.of("a").visit(7, share, 0);
      assertThat(new Embarrassment(threshold, Knowledge.HINDSIGHT, 1).irrelevance(page))
          .isEqualTo(1);
      assertThat(ChangeRate.changes(page, threshold)).isZero();
    }
  }

  @Test
  void embarrassmentSharesTheBudgetByClicksTimesTheShareOfLargeUpdatesAndTheRateOfAll() {
    RecordedPage steady = changing("steady", 3, 0.4).viewed(10);
    RecordedPage mixed = RecordedPage.of("mixed").viewed(30);
    for (int week = 1; week <= 20; week++) {
      int updates = week / 2;
      int large = week / 10; // every fifth update
      mixed.visit(7 * week, 0.1 * updates + 0.5 * large, 0);
    }
    // 20 weekly visits, 6 changes and 10; of the ten updates two are large
    double steadyRate = -Math.log((20 - 6 + 0.5) / 20.5);
    double mixedRate = -Math.log((20 - 10 + 0.5) / 20.5);
    double most = 0;
    double best = -1;
    for (double f = 1e-4; f < 1; f += 1e-4) {
      double fresh = 10 * fresh(f, steadyRate) + 30 * 0.2 * fresh(1 - f, mixedRate);
      best = fresh > most ? f : best;
      most = Math.max(most, fresh);
    }
    assertThat(best).as("a case in which neither page is at its limit").isBetween(0.1, 0.9);
    // a week after the last visit the priority is the frequency a week
    Map<String, Double> priority =
        RecordedPage.priorities(new Embarrassment(0.3, Knowledge.ONLINE, 1), 147, 1, steady, mixed);
    assertThat(priority.get("steady")).isCloseTo(best, within(1e-3));
    assertThat(priority.get("mixed")).isCloseTo(1 - best, within(1e-3));
  }

  @Test
  void stalenessAndCgmShareTheBudgetByTheRatesPerPeriod() {
    RecordedPage slow = changing("slow", 3, 0.4);
    RecordedPage fast = RecordedPage.of("fast");
    for (int week = 1; week <= 20; week++) {
      fast.visit(7 * week, 0.4 * (week - week / 4), 0); // changed in three weeks of four
    }
    // 20 weekly visits, 6 changes and 15
    double slowRate = -Math.log((20 - 6 + 0.5) / 20.5);
    double fastRate = -Math.log((20 - 15 + 0.5) / 20.5);
    double most = 0;
    double best = -1;
    for (double f = 1e-4; f < 1; f += 1e-4) {
      double fresh = fresh(f, slowRate) + fresh(1 - f, fastRate);
      best = fresh > most ? f : best;
      most = Math.max(most, fresh);
    }
    assertThat(best).as("a case in which neither page is at its limit").isBetween(0.1, 0.9);
    for (RefreshPolicy policy :
        List.of(new Staleness(0.1, Knowledge.ONLINE, 1), new ChoGarciaMolina(1e9, 1))) {
      Map<String, Double> priority = RecordedPage.priorities(policy, 147, 1, slow, fast);
      assertThat(priority.get("slow")).isCloseTo(best, within(1e-3));
      assertThat(priority.get("fast")).isCloseTo(1 - best, within(1e-3));
    }
  }

  /** The share of time a page is fresh that changes at a rate and is fetched so often a period. */
  private static double fresh(double often, double rate) {
    return often / rate * (1 - Math.exp(-rate / often));
  }

  @Test
  void theFirstIntervalsGrowByFourWeeksEach() {
    RecordedPage page = RecordedPage.of("a");
    assertThat(
            RecordedPage.priorities(new Staleness(0.1, Knowledge.ONLINE, 1), 7, 1, page).get("a"))
        .isCloseTo(7.0 / 28, within(1e-6));
    page.visit(7, 0, 0).visit(14, 0, 0);
    assertThat(
            RecordedPage.priorities(new Staleness(0.1, Knowledge.ONLINE, 1), 35, 1, page).get("a"))
        .isCloseTo(21.0 / (3 * 28), within(1e-6));
  }

  @Test
  void pagesThatWantTheSameWeekGoWhereTheLeastWeightedStalenessIsAdded() {
    double[][] rates = {{0.3, 0.3, 0.3}, {0.2, 3, 1}, {3, 0.2, 1}, {1, 3, 0.2}, {0.1, 0.5, 0.2}};
    double[][] weights = {{1, 2, 5}, {1, 1, 1}, {5, 2, 1}, {2, 5, 1}};
    for (double[] rate : rates) {
      for (double[] weight : weights) {
        int[] weeks = weeksOfOne(rate, weight);
        assertThat(stale(rate, weight, weeks))
            .as("rates %s, weights %s", Arrays.toString(rate), Arrays.toString(weight))
            .isCloseTo(leastStale(rate, weight), within(1e-6));
      }
    }
  }

  /** The week in which each page is fetched that has one refresh in eleven weeks. */
  private static int[] weeksOfOne(double[] rates, double[] weights) {
    String[] names = {"a", "b", "c"};
    PageTable pages = new PageTable(names, new double[][] {rates});
    RefreshPlan plan =
        new HardSchedule(pages, rates, weights, budget(1), 1)
            .plan(new double[] {1.0 / 11, 1.0 / 11, 1.0 / 11});
    return Arrays.stream(names)
        .map(RecordedPage::of)
        .mapToInt(page -> weeks(plan, page).get(0))
        .toArray();
  }

  /** The least staleness of all ways to give three pages different weeks. */
  private static double leastStale(double[] rates, double[] weights) {
    double least = Double.MAX_VALUE;
    for (int a = 1; a <= 11; a++) {
      for (int b = 1; b <= 11; b++) {
        for (int c = 1; c <= 11; c++) {
          if (a != b && b != c && a != c) {
            least = Math.min(least, stale(rates, weights, a, b, c));
          }
        }
      }
    }
    return least;
  }

  /**
   * Expected stale time from week 0 to 12 of pages refreshed once: ∫(1 − e^(−λt)) before, after.
   */
  private static double stale(double[] rates, double[] weights, int... weeks) {
    double sum = 0;
    for (int page = 0; page < weeks.length; page++) {
      double rate = rates[page];
      double fresh =
          (2 - Math.exp(-rate * weeks[page]) - Math.exp(-rate * (12 - weeks[page]))) / rate;
      sum += weights[page] * (12 - fresh);
    }
    return sum;
  }

  @Test
  void aPageThatWasFetchedInItsPeriodIsNotFetchedOnceMore() {
    RecordedPage page = changing("a", 5, 0.5);
    RefreshPlan plan =
        new Staleness(0.1, Knowledge.HINDSIGHT, 1).plan(RecordedPage.pages(page), budget(1));
    assertThat(plan.next(RecordedPage.pages(RecordedPage.of("a")), day(7), 1)).hasSize(1);
    assertThat(plan.next(RecordedPage.pages(RecordedPage.of("a").visit(7, 0, 0)), day(7), 1))
        .isEmpty();
  }

  @Test
  void whereFewerAreAskedForThanAreScheduledTheLongestUnvisitedComesFirst() {
    double[] alike = {0.3, 0.3};
    PageTable pages = new PageTable(new String[] {"a", "b"}, new double[][] {alike});
    RefreshPlan plan =
        new HardSchedule(pages, alike, alike, budget(2), 1).plan(new double[] {1, 1});
    for (String fetched : List.of("a", "b")) {
      String other = fetched.equals("a") ? "b" : "a";
      KnownPages known =
          RecordedPage.pages(RecordedPage.of(fetched).visit(7, 0, 0), RecordedPage.of(other));
      assertThat(plan.next(known, day(14), 1)).containsExactly(new RefreshCandidate(other, 14));
    }
  }

  @Test
  void aBudgetWithoutLimitPaysForEveryPageInEveryPeriod() {
    RecordedPage page = changing("a", 5, 0.5);
    RefreshBudget unlimited = RecordedPage.weekly(Integer.MAX_VALUE, 2);
    RefreshPlan plan =
        new Staleness(0.1, Knowledge.HINDSIGHT, 1).plan(RecordedPage.pages(page), unlimited);
    assertThat(fetched(plan, page, unlimited)).isEqualTo(unlimited.times());
    PageTable pages = new PageTable(new String[] {"a"}, new double[][] {{0.3}});
    HardSchedule rounded =
        new HardSchedule(pages, new double[] {0.3}, new double[] {1}, unlimited, 1);
    assertThat(fetched(rounded.plan(new double[] {1.5 / 2}), page, unlimited)).hasSize(2);
  }

  @Test
  void theLargestRemaindersAreRoundedUp() {
    // 1.2 and 0.8 refreshes in eleven weeks: one each
    for (double[] often : new double[][] {{1.2 / 11, 0.8 / 11}, {0.8 / 11, 1.2 / 11}}) {
      PageTable pages = new PageTable(new String[] {"a", "b"}, new double[][] {often});
      RefreshPlan plan =
          new HardSchedule(pages, new double[] {0.3, 0.3}, new double[] {1, 1}, budget(1), 1)
              .plan(often);
      assertThat(weeks(plan, RecordedPage.of("a"))).hasSize(1);
      assertThat(weeks(plan, RecordedPage.of("b"))).hasSize(1);
    }
  }

  @Test
  void howeverManyPagesShareARefreshRoundingNeitherLosesItNorAddsOne() {
    for (int size = 2; size < 50; size++) { // of some sizes a little less than 1, of others more
      String[] names = IntStream.range(0, size).mapToObj(i -> "p" + i).toArray(String[]::new);
      double[] alike = new double[size];
      Arrays.fill(alike, 0.3);
      double[] often = new double[size];
      Arrays.fill(often, 1.0 / size / 11);
      RefreshPlan plan =
          new HardSchedule(new PageTable(names, new double[][] {alike}), alike, alike, budget(9), 1)
              .plan(often);
      int fetches =
          Arrays.stream(names).mapToInt(p -> weeks(plan, RecordedPage.of(p)).size()).sum();
      assertThat(fetches).as("%s pages", size).isOne();
    }
  }

  @Test
  void equalRemaindersAreRoundedUpWithoutRegardToTheAlphabet() {
    double[] often = {0.5 / 11, 0.5 / 11};
    PageTable pages = new PageTable(new String[] {"a", "b"}, new double[][] {often});
    Set<String> fetched = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      RefreshPlan plan =
          new HardSchedule(pages, new double[] {0.3, 0.3}, new double[] {1, 1}, budget(1), seed)
              .plan(often);
      int a = weeks(plan, RecordedPage.of("a")).size();
      int b = weeks(plan, RecordedPage.of("b")).size();
      assertThat(a + b).as("seed %s", seed).isOne();
      fetched.add(a == 1 ? "a" : "b");
    }
    assertThat(fetched).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void whichOfTwoEqualPagesGetsTheBestWeekIsNotToldByTheAlphabet() {
    String[] names = {"a", "b"};
    double[] alike = {0.3, 0.3};
    PageTable pages = new PageTable(names, new double[][] {alike});
    Set<String> best = new HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      RefreshPlan plan =
          new HardSchedule(pages, alike, new double[] {1, 1}, budget(1), seed)
              .plan(new double[] {1.0 / 11, 1.0 / 11});
      for (String name : names) {
        if (weeks(plan, RecordedPage.of(name)).equals(List.of(6))) {
          best.add(name);
        }
      }
    }
    assertThat(best).containsExactlyInAnyOrder("a", "b");
  }

  /**
   * Periods end on days 1, 2, 3 and 400, at 0.01, 0.02, 0.03 and 4 of their mean length. The heavy
   * page takes the last. Among the others a later period saves the page with two refreshes, in mean
   * lengths, about 1 a period's distance for the first of them and 2 for the second, which should
   * follow on a refresh at 5/3; and the page with one refresh, which had best be fetched at 5/2,
   * its weight.
   */
  @ParameterizedTest
  @CsvSource({"0.5,1", "1.5,2", "3,3"})
  void aRefreshBeforeTheOneItShouldFollowIsWorseTheFarther(double weight, double expectedDay) {
    RefreshBudget budget = new RefreshBudget(1, day(0), List.of(day(1), day(2), day(3), day(400)));
    String[] names = {"heavy", "once", "twice"};
    double[] rates = {0.8, 0.8, 0.8};
    PageTable pages = new PageTable(names, new double[][] {rates});
    RefreshPlan plan =
        new HardSchedule(pages, rates, new double[] {1000, weight, 1}, budget, 1)
            .plan(new double[] {1 / 4.0, 1 / 4.0, 2 / 4.0});
    assertThat(fetched(plan, RecordedPage.of("heavy"), budget)).containsExactly(day(400));
    assertThat(fetched(plan, RecordedPage.of("once"), budget)).containsExactly(day(expectedDay));
    assertThat(fetched(plan, RecordedPage.of("twice"), budget)).hasSize(2);
  }

  @Test
  void settingsOutOfRangeAreRefusedAndTheirLimitsAreNot() {
    for (double bad : new double[] {-0.1, 1.1, Double.NaN}) {
      for (ThrowingCallable made :
          List.<ThrowingCallable>of(
              () -> new Staleness(bad, Knowledge.ONLINE, 1),
              () -> new Embarrassment(bad, Knowledge.ONLINE, 1))) {
        assertThatIllegalArgumentException()
            .isThrownBy(made)
            .withMessage("threshold must lie in [0, 1], was " + bad);
      }
    }
    for (double limit : new double[] {0, 1}) {
      assertThat(order(new Staleness(limit, Knowledge.ONLINE, 1), 30, 1, RecordedPage.of("a")))
          .hasSize(1);
      assertThat(order(new Embarrassment(limit, Knowledge.ONLINE, 1), 30, 1, RecordedPage.of("a")))
          .hasSize(1);
    }
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new ChoGarciaMolina(bad, 1))
          .withMessage("warmUpDays must be positive and finite, was " + bad);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new IncrementalBuckets(0, 1))
        .withMessage("buckets must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClusterSampling(0, 1))
        .withMessage("clusters must be at least 1, was 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SiteSampling(0, SiteSampling.SampleBy.SITE, 1))
        .withMessage("samples must be at least 1, was 0");
    for (RefreshPolicy one :
        List.of(
            new IncrementalBuckets(1, 1),
            new ClusterSampling(1, 1),
            new SiteSampling(1, SiteSampling.SampleBy.SITE, 1))) {
      assertThat(order(one, 30, 1, RecordedPage.of("a"))).containsExactly("a");
    }
  }

  @Test
  void aPageWithoutUpdatesIsNeverIrrelevant() {
    assertThat(
            new Embarrassment(0.5, Knowledge.HINDSIGHT, 1)
                .irrelevance(RecordedPage.of("a").visit(7, 0, 0)))
        .isZero();
  }

  @Test
  void numbersAreInTheOrderOfPageKeysHoweverPagesAreHandedOut() {
    PageTable numbers =
        PageTable.of(
            RecordedPage.pages(
                RecordedPage.of("b").viewed(2),
                RecordedPage.of("c").viewed(3),
                RecordedPage.of("a").viewed(1)),
            1,
            page -> new double[] {page.facts().expectedViews()});
    assertThat(numbers.pages()).containsExactly("a", "b", "c");
    assertThat(numbers.column(0)).containsExactly(1, 2, 3);
  }

  @Test
  void pollingFollowsTheChangesSeenInTheTimeWatchedAndHalfAChangeInAWeekMore() {
    RecordedPage longWatched = changing("long", 3, 0.2); // 6 changes in 20 weeks
    RecordedPage lately =
        new RecordedPage("lately")
            .visit(112, 0, 0)
            .visit(119, 0.1, 0)
            .visit(126, 0.2, 0)
            .visit(133, 0.2, 0)
            .visit(140, 0.2, 0);
    double longRate = 6.5 / 21;
    double lateRate = 2.5 / 5;
    // a week after the last visit the priority is the frequency a week
    Map<String, Double> priority =
        RecordedPage.priorities(new Polling(1), 147, 1, longWatched, lately);
    assertThat(priority.get("long")).isCloseTo(longRate / (longRate + lateRate), within(1e-9));
    assertThat(priority.get("lately")).isCloseTo(lateRate / (longRate + lateRate), within(1e-9));
  }

  @Test
  void pollingPrefersWhatChangesMoreOften() {
    assertThat(order(new Polling(1), 147, 1, changing("slow", 9, 0.2), changing("fast", 2, 0.2)))
        .containsExactly("fast");
  }

  @Test
  void pollingAddsHalfAChangeInAPeriodAndTakesAPageVisitedOnceForWatchedThatLong() {
    RecordedPage once = new RecordedPage("once").visit(28, 0, 0);
    RecordedPage quiet = RecordedPage.of("quiet").visit(28, 0, 0);
    RecordedPage lively = RecordedPage.of("lively").visit(14, 0.1, 0).visit(28, 0.2, 0);
    // a week: ½ in 1 + 1, ½ in 4 + 1 and 2½ in 4 + 1, together 0.85, share one refresh
    Map<String, Double> priority =
        RecordedPage.priorities(new Polling(1), 35, 1, once, quiet, lively);
    assertThat(priority.get("once")).isCloseTo(0.25 / 0.85, within(1e-6));
    assertThat(priority.get("quiet")).isCloseTo(0.1 / 0.85, within(1e-6));
    assertThat(priority.get("lively")).isCloseTo(0.5 / 0.85, within(1e-6));
  }

  @Test
  void pollingOfKnownRatesIsInProportionToTheChangesAndLeavesAPageThatDidNotChangeAlone() {
    RecordedPage[] pages = {
      changing("long", 3, 0.2), // 6 changes in 20 weeks
      weekly("lately", 4, 2), // 2 in 4
      changing("still", 21, 0.2),
      new RecordedPage("once").visit(280, 0, 0)
    };
    Map<String, Double> known = RecordedPage.priorities(new Polling(Rates.KNOWN, 1), 287, 1, pages);
    assertThat(known).containsOnlyKeys("long", "lately");
    assertThat(known.get("lately")).isCloseTo(0.5 / 0.8, within(1e-9)); // a week after its visit
    assertThat(known.get("long")).isCloseTo(21 * 0.3 / 0.8, within(1e-9)); // 21 weeks after
    for (Rates rates : new Rates[] {Rates.LEARNED, Rates.LEARNING}) {
      assertThat(RecordedPage.priorities(new Polling(rates, 1), 287, 1, pages))
          .as("%s", rates)
          .isEqualTo(RecordedPage.priorities(new Polling(1), 287, 1, pages))
          .containsKeys("still", "once");
    }
  }

  @Test
  void bucketsOfKnownRatesAddNothingAndOneInWhichNoPageChangedIsLeftAlone() {
    RecordedPage[] pages = {
      changing("a", 21, 0.01), changing("b", 21, 0.01), changing("c", 20, 0.01),
      changing("d", 10, 0.01), changing("e", 4, 0.01), changing("f", 2, 0.01)
    };
    double slow = (1 + 2) / (2 * 20.0);
    double fast = (5 + 10) / (2 * 20.0);
    double most = 0;
    double best = -1;
    for (double f = 1e-4; 2 * f < 1; f += 1e-4) {
      double fresh = fresh(f, slow) + fresh(0.5 - f, fast);
      best = fresh > most ? f : best;
      most = Math.max(most, fresh);
    }
    assertThat(best).as("a case in which no bucket is abandoned").isBetween(0.05, 0.45);
    Map<String, Double> known =
        RecordedPage.priorities(new IncrementalBuckets(3, Rates.KNOWN, 1), 147, 1, pages);
    assertThat(known).containsOnlyKeys("c", "d", "e", "f");
    assertThat(known.get("c")).isEqualTo(known.get("d")).isCloseTo(best, within(1e-3));
    assertThat(known.get("e")).isEqualTo(known.get("f")).isCloseTo(0.5 - best, within(1e-3));
    assertThat(order(new IncrementalBuckets(9, Rates.KNOWN, 1), 147, 6, pages))
        .as("buckets without pages")
        .containsExactlyInAnyOrder("c", "d", "e", "f");
    assertThat(RecordedPage.priorities(new IncrementalBuckets(3, Rates.LEARNED, 1), 147, 1, pages))
        .as("half a change")
        .containsKeys("a", "b");
  }

  @Test
  void noTenthOfThePagesTakesTheWholeBudgetOfBucketsThatLearnTheirRates() {
    RecordedPage[] pages = new RecordedPage[300];
    Arrays.setAll(pages, i -> RecordedPage.of("page " + i));
    IncrementalBuckets learning = new IncrementalBuckets(10, 1);
    Set<String> fetched = new HashSet<>();
    for (int week = 1; week <= 47; week++) {
      List<String> next = order(learning, 7 * week, 3, pages);
      assertThat(next).hasSize(3);
      for (String name : next) {
        // a change in forty weeks
        int page = Integer.parseInt(name.substring("page ".length()));
        pages[page].visit(7 * week, (week + page % 40) / 40, 0);
      }
      fetched.addAll(next);
    }
    assertThat(fetched).as("of 141 fetches").hasSizeGreaterThan(120);
  }

  @Test
  void bucketsPoolTheirPages() {
    RecordedPage slow = changing("slow", 9, 0.2);
    RecordedPage still = RecordedPage.of("still").visit(140, 0, 0);
    Map<String, Double> pooled =
        RecordedPage.priorities(new IncrementalBuckets(1, 1), 147, 1, still, slow);
    assertThat(pooled.get("still")).isEqualTo(pooled.get("slow")).isCloseTo(0.5, within(1e-9));
    Map<String, Double> apart =
        RecordedPage.priorities(new IncrementalBuckets(2, 1), 147, 1, still, slow);
    assertThat(apart.get("still")).isPositive().isNotEqualTo(apart.get("slow"));
  }

  @Test
  void bucketsPoolTheChangesOfTheirPagesAndEachPageHasTheFrequencyOfItsBucket() {
    // in 20 weeks 1, 2 and 3 changes in one bucket, 10 and 20 in the other
    RecordedPage[] pages = {
      changing("a", 20, 0.01),
      changing("b", 10, 0.01),
      changing("c", 6, 0.01),
      changing("d", 2, 0.01),
      changing("e", 1, 0.01)
    };
    double slow = (6 + 0.5) / (3 * 20 + 1); // half a change and a week more
    double fast = (30 + 0.5) / (2 * 20 + 1);
    double most = 0;
    double best = -1;
    for (double f = 1e-4; 3 * f < 1; f += 1e-4) {
      double fresh = 3 * fresh(f, slow) + 2 * fresh((1 - 3 * f) / 2, fast);
      best = fresh > most ? f : best;
      most = Math.max(most, fresh);
    }
    assertThat(best).as("a case in which no bucket is abandoned").isBetween(0.05, 0.28);
    // a week after the last visit the priority is the frequency a week
    Map<String, Double> priority =
        RecordedPage.priorities(new IncrementalBuckets(2, 1), 147, 1, pages);
    for (String page : List.of("a", "b", "c")) {
      assertThat(priority.get(page)).as(page).isCloseTo(best, within(1e-3));
    }
    for (String page : List.of("d", "e")) {
      assertThat(priority.get(page)).as(page).isCloseTo((1 - 3 * best) / 2, within(1e-3));
    }
  }

  @Test
  void halfAChangeAndAWeekMoreDecideWhichPagesShareABucket() {
    // 0.5/2, 5.5/12, 1.5/3 and 8.5/11 a week: the two smallest share one
    RecordedPage[] pages = {
      weekly("a", 1, 0), weekly("b", 11, 5), weekly("c", 2, 1), weekly("d", 10, 8)
    };
    Map<String, Double> priority =
        RecordedPage.priorities(new IncrementalBuckets(2, 1), 287, 2, pages);
    assertThat(priority.get("a")).isEqualTo(priority.get("b"));
    assertThat(priority.get("c")).isEqualTo(priority.get("d")).isNotEqualTo(priority.get("a"));
  }

  /** Visited every week until day 280, and changed before the first of these visits. */
  private static RecordedPage weekly(String name, int weeks, int changes) {
    RecordedPage page = new RecordedPage(name);
    for (int week = 0; week <= weeks; week++) {
      page.visit(280 - 7 * (weeks - week), 0.01 * Math.min(week, changes), 0);
    }
    return page;
  }

  @Test
  void theWarmUpBoundsTheIntervalOfPagesNotSeenToChange() {
    RecordedPage still = RecordedPage.of("still");
    RecordedPage changed = changing("changed", 4, 0.5);
    assertThat(order(new ChoGarciaMolina(28, 1), 147, 1, still, changed)).containsExactly("still");
    assertThat(order(new ChoGarciaMolina(1e9, 1), 147, 1, still, changed))
        .containsExactly("changed");
  }

  @Test
  void sitesThatChangedMoreInTheSampleAreFetchedFirst() {
    for (boolean first : new boolean[] {true, false}) { // whatever the alphabet says
      String livelySite = first ? "http://a/" : "http://b/";
      String quietSite = first ? "http://b/" : "http://a/";
      List<RecordedPage> pages = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        boolean sampled = i < 10;
        RecordedPage lively = RecordedPage.of(livelySite + i);
        RecordedPage quiet = RecordedPage.of(quietSite + i);
        pages.add(sampled ? lively.visit(7, 1, 0) : lively);
        pages.add(sampled ? quiet.visit(7, 0, 0) : quiet);
      }
      List<String> next =
          order(
              new SiteSampling(5, SiteSampling.SampleBy.SITE, 1),
              7,
              10,
              pages.toArray(RecordedPage[]::new));
      assertThat(next).hasSize(10).allMatch(page -> page.startsWith(livelySite));
    }
  }

  @Test
  void inANewPeriodEverySiteIsSampled() {
    List<RecordedPage> pages = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pages.add(RecordedPage.of("http://a/" + i));
      pages.add(RecordedPage.of("http://b/" + i));
    }
    List<String> first =
        order(
            new SiteSampling(3, SiteSampling.SampleBy.SITE, 1),
            7,
            20,
            pages.toArray(RecordedPage[]::new));
    assertThat(first).hasSize(6);
    assertThat(first.stream().filter(page -> page.startsWith("http://a/"))).hasSize(3);
  }

  @Test
  void theFirstSamplesTakeAtMostHalfOfTheBudget() {
    RecordedPage[] pages = new RecordedPage[40];
    Arrays.setAll(pages, i -> RecordedPage.of("http://%s/%d".formatted(i % 2 == 0 ? "a" : "b", i)));
    // of a budget of 12, 6 for two sites
    assertThat(order(new SiteSampling(5, SiteSampling.SampleBy.SITE, 1), 7, 12, pages))
        .hasSize(6)
        .satisfies(
            next -> assertThat(next.stream().filter(p -> p.startsWith("http://a/"))).hasSize(3));
  }

  @Test
  void sitesThatTenSamplesDoNotTellApartAreSampledAgain() {
    // 5 and 4 of 10 changed; with 12 left the budget runs out at the second site, ρ_t = 0.4. By
    // Wilson's interval at 95 %, l = 0.24 and h = 0.76 for the first, h = 0.69 for the second
    RecordedPage[] pages = twoSites(10, 5, 4);
    List<String> next = nextOfRound(new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, pages);
    assertThat(next).hasSize(4);
    assertThat(next.stream().filter(page -> page.startsWith("http://first/"))).hasSize(2);
    assertThat(next.stream().filter(page -> page.startsWith("http://second/"))).hasSize(2);
  }

  @Test
  void aSiteCertainlyAboveTheThresholdIsFetchedWhole() {
    // 9 and 2 of 10 changed, ρ_t = 0.2; by Wilson's interval l = 0.60 for the first
    RecordedPage[] pages = twoSites(10, 9, 2);
    assertThat(nextOfRound(new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, pages))
        .hasSize(10)
        .allMatch(page -> page.startsWith("http://first/"));
  }

  @Test
  void whetherASiteIsAboveTheThresholdIsToldByTheLowerBoundOfWilsonsInterval() {
    // l = 0.596 of 9 in 10 is above ρ_t = 0.4; l = 0.237 of 5 in 10 is not above ρ_t = 0.3
    assertThat(
            nextOfRound(new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, twoSites(10, 9, 4)))
        .hasSize(10)
        .allMatch(page -> page.startsWith("http://first/"));
    assertThat(
            nextOfRound(new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, twoSites(10, 5, 3)))
        .hasSize(4)
        .anyMatch(page -> page.startsWith("http://second/"));
  }

  @Test
  void aSiteBelowTheThresholdIsLeftOnlyWhereItsUpperBoundIsToo() {
    SiteSampling policy = new SiteSampling(2, SiteSampling.SampleBy.SITE, 1);
    // with 8 left the budget ends in the first site: ρ_t = 0.5, of which l = 0.24 is not above
    // 4 of 10: h = (0.4 + 0.19208 + 1.96·√(0.024 + 0.009604))/1.38416 = 0.687, undecided
    List<String> both = nextOfRound(policy, 8, twoSites(10, 5, 4));
    assertThat(both).hasSize(4);
    assertThat(both.stream().filter(page -> page.startsWith("http://second/"))).hasSize(2);
    // 0 of 10: h = 0.38416/1.38416 = 0.278, left
    assertThat(nextOfRound(policy, 8, twoSites(10, 5, 0)))
        .hasSize(8)
        .allMatch(page -> page.startsWith("http://first/"));
  }

  @Test
  void theBoundsOfWilsonsIntervalLieNearerToAHalfThanTheShareThatChanged() {
    SiteSampling policy = new SiteSampling(2, SiteSampling.SampleBy.SITE, 1);
    // 9 of 10: l = (0.9 + 0.19208 − 1.96·√(0.009 + 0.009604))/1.38416 = 0.596 is above ρ_t = 0.5
    assertThat(nextOfRound(policy, 12, twoSites(10, 9, 5)))
        .hasSize(10)
        .allMatch(page -> page.startsWith("http://first/"));
    // 1 of 10: h = (0.1 + 0.19208 + 1.96·√(0.009 + 0.009604))/1.38416 = 0.404 is above ρ_t = 0.4
    List<String> both = nextOfRound(policy, 8, twoSites(10, 4, 1));
    assertThat(both).hasSize(4);
    assertThat(both.stream().filter(page -> page.startsWith("http://second/"))).hasSize(2);
  }

  /** On paper l = 0 where nothing changed and h = 1 where all did; of 11 and 20 samples rounded. */
  @Test
  void roundingDoesNotDecideAboutASiteOfWhichNothingOrAllChanged() {
    // nothing of 11 changed in either, ρ_t = 0: neither is certainly above
    List<String> next =
        nextOfRound(new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, twoSites(11, 0, 0));
    assertThat(next).hasSize(4);
    assertThat(next.stream().filter(page -> page.startsWith("http://first/"))).hasSize(2);
    // all of 12 changed in either, ρ_t = 1: neither is certainly below
    assertThat(
            nextOfRound(
                new SiteSampling(2, SiteSampling.SampleBy.SITE, 1), 12, twoSites(12, 12, 12)))
        .hasSize(4);
  }

  /** Sites of twenty pages, so many of each fetched on day 7, so many of these found changed. */
  private static RecordedPage[] twoSites(int fetched, int changedFirst, int changedSecond) {
    RecordedPage[] pages = new RecordedPage[40];
    for (int i = 0; i < 20; i++) {
      pages[i] = RecordedPage.of("http://first/" + i);
      pages[20 + i] = RecordedPage.of("http://second/" + i);
      if (i < fetched) {
        pages[i].visit(7, i < changedFirst ? 1 : 0, 0);
        pages[20 + i].visit(7, i < changedSecond ? 1 : 0, 0);
      }
    }
    return pages;
  }

  /** What is fetched on day 7 with so much left of a budget of 32. */
  private static List<String> nextOfRound(RefreshPolicy policy, int left, RecordedPage... pages) {
    KnownPages known = RecordedPage.pages(pages);
    return policy.plan(known, budget(32)).next(known, day(7), left).stream()
        .map(RefreshCandidate::page)
        .toList();
  }

  @Test
  void directoriesCanStandForSites() {
    assertThat(SiteSampling.directory("https://h.test/a/b/c.html", 1))
        .isEqualTo("https://h.test/a");
    assertThat(SiteSampling.directory("https://h.test/a/b/c.html", 5))
        .isEqualTo("https://h.test/a/b");
    assertThat(SiteSampling.directory("https://h.test/c.html", 2)).isEqualTo("https://h.test");
    assertThat(SiteSampling.directory("plain", 1)).as("in none").isEmpty();
  }

  @Test
  void directoriesAreAsDeepAsItTakesForTenGroups() {
    // below the host 2 directories, in these 10, in these 20
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      addresses.add("https://h.test/%d/%d/%d/%d".formatted(i % 2, i / 2 % 5, i / 10 % 2, i));
    }
    assertThat(directoriesSampled(addresses)).hasSize(10);
  }

  @Test
  void whereNoDepthGivesTenGroupsDirectoriesAreSixDeep() {
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      addresses.add(
          "https://h.test/1/2/3/4/5/%d/%d/%d".formatted(i % 2, i / 2 % 2, i)); // two of two
    }
    assertThat(directoriesSampled(addresses)).hasSize(2);
  }

  /** The first samples, one of each directory, of a budget that would pay for fifty of each. */
  private static List<String> directoriesSampled(List<String> addresses) {
    RecordedPage[] pages = addresses.stream().map(RecordedPage::of).toArray(RecordedPage[]::new);
    return order(new SiteSampling(1, SiteSampling.SampleBy.DIRECTORY, 1), 7, 1000, pages);
  }

  @Test
  void withoutPagesThereIsNothingToCluster() {
    assertThat(order(new ClusterSampling(20, 1), 7, 5)).isEmpty();
  }

  @Test
  void bisectionGoesOnWhereTheLargestClusterIsAllAlike() {
    double[][] features = {new double[100]};
    for (int i = 0; i < 40; i++) {
      features[0][i] = 100 * (1 + i / 10) + 0.01 * (i % 10); // four groups of ten beside sixty
    }
    Bisection bisection = Bisection.of(features, 5, 1);
    assertThat(bisection.clusters()).isEqualTo(5);
    for (int i = 0; i < 100; i++) {
      int first = i < 40 ? i / 10 * 10 : 40;
      assertThat(bisection.cluster(i)).as("point %s", i).isEqualTo(bisection.cluster(first));
    }
  }

  @Test
  void bisectionPartsWhatLiesApart() {
    double[][] features = {{0, 0.1, 0.2, 9, 9.1, 9.2, 20, 20.1}};
    Bisection bisection = Bisection.of(features, 3, 1);
    assertThat(bisection.clusters()).isEqualTo(3);
    assertThat(bisection.cluster(0)).isEqualTo(bisection.cluster(2));
    assertThat(bisection.cluster(3)).isEqualTo(bisection.cluster(5));
    assertThat(bisection.cluster(6)).isEqualTo(bisection.cluster(7));
    assertThat(bisection.cluster(0)).isNotEqualTo(bisection.cluster(3));
    assertThat(bisection.nearest(1))
        .containsExactly(false, true, false, false, true, false, true, false);
    assertThat(Bisection.of(new double[][] {{1, 1, 1}}, 3, 1).clusters()).isEqualTo(1);
  }

  @Test
  void theUnitOfAFeatureDoesNotMatterToBisection() {
    // two features agree on two groups, a third in large units disagrees with both
    for (double unit : new double[] {0.001, 1, 1000}) {
      double[][] features = {
        {0, 0, 0, 0, 1, 1, 1, 1}, {0, 0, 0, 0, 1, 1, 1, 1}, {0, unit, 0, unit, 0, unit, 0, unit}
      };
      for (int seed = 0; seed < 10; seed++) {
        Bisection bisection = Bisection.of(features, 2, seed);
        for (int i = 0; i < 8; i++) {
          assertThat(bisection.cluster(i) == bisection.cluster(0))
              .as("unit %s, seed %s, point %s", unit, seed, i)
              .isEqualTo(i < 4);
        }
      }
    }
  }

  @Test
  void bucketsHoldPagesOfLikeRatesHoweverLongTheyWereWatched() {
    RecordedPage[] pages = {
      watched("slow a", 40, 10), watched("fast a", 3, 1),
      watched("slow b", 10, 10), watched("fast b", 20, 1)
    };
    Map<String, Double> priority =
        RecordedPage.priorities(new IncrementalBuckets(2, 1), 287, 2, pages);
    assertThat(priority.get("fast a")).isEqualTo(priority.get("fast b"));
    assertThat(priority.get("slow a")).isEqualTo(priority.get("slow b"));
    assertThat(priority.get("fast a")).isNotEqualTo(priority.get("slow a"));
  }

  @Test
  void aPageOfWhichNothingIsKnownIsRankedAsIfItHadBeenWatchedForAPeriod() {
    RecordedPage quiet = new RecordedPage("quiet").visit(0, 0, 0).visit(280, 0, 0);
    RecordedPage unknown = new RecordedPage("unknown").visit(280, 0, 0);
    // 2 changes in 18 days and in 14; half a change in a week is less often
    RecordedPage fast =
        new RecordedPage("fast").visit(262, 0, 0).visit(271, 0.1, 0).visit(280, 0.2, 0);
    RecordedPage faster =
        new RecordedPage("faster").visit(266, 0, 0).visit(273, 0.1, 0).visit(280, 0.2, 0);
    Map<String, Double> priority =
        RecordedPage.priorities(
            new IncrementalBuckets(2, Rates.LEARNED, 1), 287, 2, quiet, unknown, fast, faster);
    assertThat(priority.get("unknown")).isEqualTo(priority.get("quiet"));
    assertThat(priority.get("fast")).isEqualTo(priority.get("faster"));
    assertThat(priority.get("fast")).isNotEqualTo(priority.get("quiet"));
  }

  @Test
  void pagesOfTheSameRateAreDealtToBucketsWithoutRegardToTheirOrder() {
    // (1 + ½)/(8 + 7) and (2 + ½)/(18 + 7) changes a day
    RecordedPage[] pages = new RecordedPage[20];
    for (int i = 0; i < 10; i++) {
      pages[i] = new RecordedPage("once" + i).visit(272, 0, 0).visit(280, 0.1, 0);
      pages[10 + i] = new RecordedPage("twice" + i).visit(262, 0, 0);
      pages[10 + i].visit(271, 0.1, 0).visit(280, 0.2, 0);
    }
    Map<String, Double> priority =
        RecordedPage.priorities(new IncrementalBuckets(2, Rates.LEARNED, 1), 287, 5, pages);
    Set<Double> ofOnce = new HashSet<>();
    for (int i = 0; i < 10; i++) {
      ofOnce.add(priority.get("once" + i));
    }
    assertThat(ofOnce).hasSize(2);
  }

  @Test
  void aBucketWatchedForNoTimeIsKnownToHaveNoChanges() {
    RecordedPage[] pages = {
      new RecordedPage("once").visit(280, 0, 0), watched("a", 20, 1), watched("b", 20, 1)
    };
    Map<String, Double> priority =
        RecordedPage.priorities(new IncrementalBuckets(3, Rates.KNOWN, 1), 287, 1, pages);
    assertThat(priority).containsOnlyKeys("a", "b");
    assertThat(priority.get("a")).isCloseTo(0.5, within(1e-9));
  }

  /** A page visited weekly up to day 280 that changed every so many weeks. */
  private static RecordedPage watched(String name, int weeks, int everyWeeks) {
    RecordedPage page = new RecordedPage(name);
    for (int week = 0; week <= weeks; week++) {
      page.visit(280 - 7 * (weeks - week), 0.1 * (week / everyWeeks), 0);
    }
    return page;
  }

  @Test
  void sitesThatSurelyChangedMoreThanTheOneAtWhichTheBudgetEndsAreFetchedWhole() {
    List<RecordedPage> pages = new ArrayList<>();
    pages.addAll(site("http://all", 5, 5, 3));
    pages.addAll(site("http://half", 10, 5, 10));
    pages.addAll(site("http://none", 5, 0, 10));
    assertThat(sites(13, pages))
        .as("the budget ends in the second site")
        .containsOnly("http://all");
    assertThat(sites(13, pages)).hasSize(3);
    assertThat(sites(14, pages))
        .as("it ends in the third")
        .hasSize(13)
        .containsOnly("http://all", "http://half");
  }

  @Test
  void aSiteOfWhichNoPageIsLeftDoesNotKeepOthersFromTheBudget() {
    List<RecordedPage> pages = new ArrayList<>();
    pages.addAll(site("http://all", 5, 5, 0));
    pages.addAll(site("http://half", 10, 5, 10));
    pages.addAll(site("http://none", 40, 0, 10));
    assertThat(sites(4, pages)).hasSize(4).containsOnly("http://half");
  }

  @Test
  void whereTheBudgetPaysForAllEverySiteThatSurelyChangedIsFetchedWhole() {
    List<RecordedPage> pages = new ArrayList<>();
    pages.addAll(site("http://all", 5, 5, 3));
    pages.addAll(site("http://half", 10, 5, 10));
    assertThat(sites(100, pages)).hasSize(13).containsOnly("http://all", "http://half");
  }

  @Test
  void aPageFetchedNowOfWhichNoVisitIsKeptIsASampleWithoutAChange() {
    TestPage fetched = new TestPage("http://a/1", 7, 1, 1, 3, 1, 7, 1, false, null);
    KnownPages known = TestPage.known(List.of(fetched, TestPage.of("http://a/2")));
    RefreshPlan plan = new SiteSampling(5, SiteSampling.SampleBy.SITE, 1).plan(known, budget(1));
    assertThat(plan.next(known, TestPage.day(7), 2))
        .containsExactly(new RefreshCandidate("http://a/2", 0));
  }

  @Test
  void aPageThatBecameKnownNowIsNoSample() {
    RecordedPage[] pages = {new RecordedPage("http://a/1"), new RecordedPage("http://a/2")};
    assertThat(order(new SiteSampling(5, SiteSampling.SampleBy.SITE, 1), 0, 4, pages)).hasSize(2);
  }

  @Test
  void aSiteWithoutSamplesCountsAsChangedThroughout() {
    List<RecordedPage> pages = new ArrayList<>();
    pages.addAll(site("http://half", 10, 5, 10));
    pages.addAll(site("http://unknown", 0, 0, 20));
    assertThat(sites(4, pages)).hasSize(4).containsOnly("http://unknown");
  }

  /** Pages of a site: some were fetched on day 7 and the first of them had changed. */
  private static List<RecordedPage> site(String site, int fetched, int changed, int rest) {
    List<RecordedPage> pages = new ArrayList<>();
    for (int i = 0; i < fetched; i++) {
      pages.add(RecordedPage.of(site + "/" + i).visit(7, i < changed ? 1 : 0, 0));
    }
    for (int i = 0; i < rest; i++) {
      pages.add(RecordedPage.of(site + "/rest" + i));
    }
    return pages;
  }

  /** The sites of the pages fetched next on day 7. */
  private static List<String> sites(int budget, List<RecordedPage> pages) {
    return order(
            new SiteSampling(5, SiteSampling.SampleBy.SITE, 1),
            7,
            budget,
            pages.toArray(RecordedPage[]::new))
        .stream()
        .map(page -> page.substring(0, page.lastIndexOf('/')))
        .toList();
  }
}
