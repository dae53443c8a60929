// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RecordedPage;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.TestPage;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The optimality conditions of the paper, and that they are conditions of an optimum. */
class LambdaCrawlTest {
  private final Random random = new Random(17);
  private final double[] change = random.doubles(12, 0.02, 3).toArray();
  private final double[] importance = random.doubles(12, 0.1, 5).toArray();
  private final boolean[] publishes = new boolean[12];

  @Test
  void allMarginalPenaltiesAreTheMultiplierAndTheBudgetIsSpent() {
    publishes[3] = true;
    publishes[7] = true;
    double lambda = LambdaCrawl.multiplier(change, importance, publishes, 4);
    double spent = 0;
    for (int i = 0; i < change.length; i++) {
      if (publishes[i]) {
        double p = LambdaCrawl.chance(change[i], importance[i], lambda);
        spent += p * change[i];
        // −∂/∂p of −μ ln p, per crawl: μ/(pΔ); held at p = 1 it is worth more
        assertThat(importance[i] / (p * change[i])).isGreaterThanOrEqualTo(lambda * (1 - 1e-9));
        assertThat(p == 1 || Math.abs(importance[i] / (p * change[i]) - lambda) < 1e-9).isTrue();
      } else {
        double rho = LambdaCrawl.rate(change[i], importance[i], lambda);
        spent += rho;
        // −∂/∂ρ of μ ln((Δ + ρ)/ρ)
        double marginal = importance[i] * change[i] / (rho * (rho + change[i]));
        assertThat(marginal).isCloseTo(lambda, within(1e-9 * lambda));
      }
    }
    assertThat(spent).isCloseTo(4, within(1e-6));
  }

  /** It has no unit: ten times the views of every page are the same pages to fetch. */
  @Test
  void ratesDoNotDependOnTheUnitOfImportance() {
    publishes[3] = true;
    double lambda = LambdaCrawl.multiplier(change, importance, publishes, 1);
    for (double unit : new double[] {1e-100, 1e-50, 10, 1e50, 1e100}) {
      double[] scaled = Arrays.stream(importance).map(value -> value * unit).toArray();
      double multiplier = LambdaCrawl.multiplier(change, scaled, publishes, 1);
      assertThat(multiplier)
          .as("λ in units of %s", unit)
          .isCloseTo(unit * lambda, withinPercentage(1e-9));
      for (int i = 0; i < change.length; i++) {
        assertThat(LambdaCrawl.rate(change[i], scaled[i], multiplier))
            .isCloseTo(LambdaCrawl.rate(change[i], importance[i], lambda), withinPercentage(1e-9));
      }
    }
  }

  @Test
  void movingBudgetBetweenPagesOnlyAddsPenalty() {
    double lambda = LambdaCrawl.multiplier(change, importance, publishes, 4);
    double[] rates = new double[change.length];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = LambdaCrawl.rate(change[i], importance[i], lambda);
    }
    double best = penalty(rates);
    for (int round = 0; round < 200; round++) {
      int from = random.nextInt(rates.length);
      int to = random.nextInt(rates.length);
      double moved = rates[from] * random.nextDouble();
      rates[from] -= moved;
      rates[to] += moved;
      assertThat(penalty(rates)).isGreaterThanOrEqualTo(best - 1e-12);
      rates[from] += moved;
      rates[to] -= moved;
    }
  }

  private double penalty(double[] rates) {
    double sum = 0;
    for (int i = 0; i < rates.length; i++) {
      sum += importance[i] * Math.log((change[i] + rates[i]) / rates[i]);
    }
    return sum;
  }

  @Test
  void noPageThatChangesIsAbandoned() {
    double lambda = LambdaCrawl.multiplier(change, importance, publishes, 0.01);
    for (int i = 0; i < change.length; i++) {
      assertThat(LambdaCrawl.rate(change[i], importance[i], lambda)).isPositive();
    }
  }

  @Test
  void prioritiesFollowFromTheRecordsByThePapersFormulas() {
    RecordedPage quiet = weekly("quiet", 10).viewed(2).important(5);
    RecordedPage lively = weekly("lively", 2).viewed(6).important(1);
    RecordedPage unread = weekly("unread", 4).viewed(0).important(2);
    RecordedPage telling =
        weekly("telling", 3)
            .viewed(1)
            .important(3)
            .publishing(PageFacts.Provider.SMART, 0, 130.0, 141.0, 143.0, 150.0);
    RecordedPage[] pages = {quiet, lively, unread, telling};
    // seen to change in 2, 10 and 5 of 20 weeks; known to have changed 6 times in 22
    double[] changes = {likeliest(2), likeliest(10), likeliest(5), 6.5 / 22.5};
    // a hundredth of the mean of 2, 6, 0 and 1 views for every page
    double[] views = {2.0225, 6.0225, 0.0225, 1.0225};
    double[] inLinks = {5, 1, 2, 3};
    for (int seed = 0; seed < 5; seed++) {
      LambdaCrawl byViews = new LambdaCrawl(LambdaCrawl.Importance.VIEWS, seed);
      assertPriorities(RecordedPage.priorities(byViews, 154, 1, pages), changes, views, seed);
      LambdaCrawl byLinks = new LambdaCrawl(LambdaCrawl.Importance.INLINKS, seed);
      assertPriorities(RecordedPage.priorities(byLinks, 154, 1, pages), changes, inLinks, seed);
    }
  }

  @Test
  void nothingIsAddedToRatesThatAreKnownAndAPageKnownNotToChangeIsLeftAlone() {
    RecordedPage telling =
        weekly("telling", 3)
            .important(3)
            .publishing(PageFacts.Provider.SMART, 0, 130.0, 141.0, 143.0, 150.0);
    RecordedPage[] pages = {
      weekly("quiet", 10).important(5),
      weekly("lively", 2).important(1),
      weekly("unread", 4).important(2),
      telling,
      weekly("still", 21).important(100)
    };
    // 2, 10 and 5 of 20 weeks, corrected for bias; 6 times in 22 weeks
    double[] changes = {
      -Math.log(18.5 / 20.5), -Math.log(10.5 / 20.5), -Math.log(15.5 / 20.5), 6.0 / 22
    };
    LambdaCrawl known = new LambdaCrawl(LambdaCrawl.Importance.INLINKS, Rates.KNOWN, 1);
    Map<String, Double> priorities = RecordedPage.priorities(known, 154, 1, pages);
    assertPriorities(priorities, changes, new double[] {5, 1, 2, 3}, 1);
    assertThat(priorities).doesNotContainKey("still");
    assertThat(RecordedPage.order(known, 154, 5, weekly("still", 21))).isEmpty();
    for (Rates rates : new Rates[] {Rates.LEARNED, Rates.LEARNING}) {
      LambdaCrawl learned = new LambdaCrawl(LambdaCrawl.Importance.INLINKS, rates, 1);
      assertThat(RecordedPage.order(learned, 154, 5, pages)).as("%s", rates).contains("still");
    }
  }

  @Test
  void aPageThatDoesNotChangeTakesNothingOfTheBudget() {
    assertThat(LambdaCrawl.rate(0, 3, 0.1)).isZero();
    double lambda = LambdaCrawl.multiplier(change, importance, publishes, 4);
    double[] withStill = Arrays.copyOf(change, 13); // the thirteenth has rate 0
    double[] weights = Arrays.copyOf(importance, 13);
    weights[12] = 7;
    assertThat(LambdaCrawl.multiplier(withStill, weights, new boolean[13], 4))
        .isCloseTo(lambda, within(1e-9 * lambda));
  }

  /**
   * Changes a week of a page seen to change in some of twenty weeks, half a week with a change and
   * half a week without added: (1 − e^(−Δ))^changes · e^(−Δ(20 − changes)) · (1 − e^(−Δ/2)) ·
   * e^(−Δ/2) is largest there.
   */
  private static double likeliest(int changes) {
    double low = 1e-6;
    double high = 10;
    for (int step = 0; step < 200; step++) { // the logarithm is concave
      double middle = (low + high) / 2;
      if (slope(changes, middle) > 0) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The derivative of the logarithm of the likelihood. */
  private static double slope(int changes, double rate) {
    return changes / Math.expm1(rate) - (20.5 - changes) + 0.5 / Math.expm1(rate / 2);
  }

  @Test
  void aPageFirstFetchedWhileAPlanLastsIsCrawledAtItsRateUntilTheNext() {
    TestPage old = TestPage.of("old").record(98, 1, 1);
    TestPage unseen = new TestPage("new", 0, 0, 0, 0, 0, 0, -1, true, null);
    RefreshBudget weeks = RefreshBudget.regular(1, TestPage.day(100), Duration.ofDays(7), 9);
    RefreshPlan plan =
        new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 1)
            .plan(TestPage.known(List.of(old, unseen)), weeks);
    TestPage fetched = new TestPage("new", 107, 0, 0, 0, 0, 0, 1, false, null);
    Instant now = TestPage.day(114);
    List<RefreshCandidate> silent = plan.next(TestPage.known(List.of(old, fetched)), now, 2);
    assertThat(plan.next(TestPage.known(List.of(old, fetched.publishing(110.0))), now, 2))
        .isEqualTo(silent)
        .hasSize(2)
        .allMatch(page -> page.priority() > 0);
  }

  @Test
  void changesMissedBetweenRareVisitsAreMadeGoodAndAnnouncedOnesAllCount() {
    // one page looked at every week and one every ten, both found changed four times and once not
    RecordedPage often = RecordedPage.of("often").viewed(1).visit(7, 0, 0);
    RecordedPage rarely = RecordedPage.of("rarely").viewed(1).visit(70, 0, 0);
    Double[] weeks = new Double[50];
    Arrays.setAll(weeks, week -> 7.0 * (week + 1));
    RecordedPage telling =
        RecordedPage.of("telling").viewed(1).publishing(PageFacts.Provider.SMART, 0, weeks);
    for (int visit = 1; visit <= 4; visit++) {
      often.visit(7 + 7 * visit, 0.1 * visit, 0);
      rarely.visit(70 + 70 * visit, 0.1 * visit, 0);
      telling.visit(70 * visit, 0.1 * visit, 0);
    }
    // at 4 of 5 changes in an interval of the visits, −ln(1/5) up to the smoothing
    assertThat(ChangeRate.smoothed(often, 3.5) * 7).isBetween(1.4, 1.8);
    assertThat(ChangeRate.smoothed(rarely, 3.5) * 70).isBetween(1.4, 2.2);
    assertThat(LambdaCrawl.publishedRate(telling, RecordedPage.day(350), 3.5) * 7)
        .isCloseTo(50.5 / 50.5, within(1e-12));
  }

  @Test
  void inHindsightAnnouncedChangesAreThoseOfTheWholeRecord() {
    RecordedPage telling = RecordedPage.of("telling").publishing(PageFacts.Provider.SMART, 0, 5.0);
    for (int visit = 1; visit <= 5; visit++) {
      telling.visit(70 * visit, 0.1 * visit, 0);
    }
    assertThat(LambdaCrawl.publishedRate(telling, RecordedPage.day(7), 3.5))
        .isCloseTo(5.5 / 353.5, within(1e-12));
  }

  /** A page visited in twenty weeks that changes every few of them. */
  private static RecordedPage weekly(String name, int everyWeeks) {
    RecordedPage page = RecordedPage.of(name);
    for (int week = 1; week <= 20; week++) {
      int changes = week / everyWeeks;
      page.visit(7 * week, 0.05 * changes, 0);
    }
    return page;
  }

  /** Two weeks after the last visit: ρ a week, and p for each of three published changes. */
  private static void assertPriorities(
      Map<String, Double> priorities, double[] changes, double[] importance, int seed) {
    double low = 0;
    double high = 1e6;
    for (int step = 0; step < 200; step++) {
      double lambda = (low + high) / 2;
      double spent = changes[3] * Math.min(1, importance[3] / (lambda * changes[3]));
      for (int page = 0; page < 3; page++) {
        spent += crawlRate(changes[page], importance[page], lambda);
      }
      if (spent > 1) {
        low = lambda;
      } else {
        high = lambda;
      }
    }
    String[] names = {"quiet", "lively", "unread"};
    for (int page = 0; page < 3; page++) {
      assertThat(priorities.get(names[page]))
          .as("%s, seed %d", names[page], seed)
          .isCloseTo(2 * crawlRate(changes[page], importance[page], high), within(1e-6));
    }
    assertThat(priorities.get("telling"))
        .as("telling, seed %d", seed)
        .isCloseTo(3 * Math.min(1, importance[3] / (high * changes[3])), within(1e-6));
  }

  private static double crawlRate(double change, double importance, double lambda) {
    return (Math.sqrt(change * change + 4 * importance * change / lambda) - change) / 2;
  }

  @Test
  void pagesNeverFetchedWaitAlikeWhateverTheirSitesAnnounce() {
    RecordedPage normal = new RecordedPage("normal").viewed(5);
    RecordedPage smart =
        new RecordedPage("smart").viewed(5).publishing(PageFacts.Provider.SMART, 0, 3.0);
    RecordedPage[] pages = new RecordedPage[22];
    Arrays.setAll(pages, i -> RecordedPage.of("page " + i).visit(7, 0.1, 0).viewed(5));
    pages[0] = normal;
    pages[1] = smart;
    RefreshBudget budget = RefreshBudget.regular(2, RecordedPage.day(14), Duration.ofDays(7), 10);
    KnownPages known = RecordedPage.pages(pages);
    Map<String, Double> urgency = new HashMap<>();
    new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 1)
        .plan(known, budget)
        .next(known, RecordedPage.day(14), 22)
        .forEach(candidate -> urgency.put(candidate.page(), candidate.priority()));
    assertThat(urgency.get("smart")).isEqualTo(urgency.get("normal")).isPositive();
  }

  @Test
  void aPageThatCameAfterThePlanHasWhatAllOthersLeave() {
    RecordedPage old = weekly("old", 4);
    RefreshBudget weeks = RefreshBudget.regular(1, RecordedPage.day(147), Duration.ofDays(7), 9);
    RefreshPlan plan =
        new LambdaCrawl(LambdaCrawl.Importance.INLINKS, 1).plan(RecordedPage.pages(old), weeks);
    KnownPages both = RecordedPage.pages(RecordedPage.of("late"), old);
    assertThat(plan.next(both, RecordedPage.day(154), 2))
        .extracting(RefreshCandidate::page)
        .containsExactly("old", "late");
  }

  @Test
  void aPageWhoseSiteAnnouncesNothingNewIsLeft() {
    RecordedPage told =
        RecordedPage.of("told").viewed(1).publishing(PageFacts.Provider.SMART, 0, 2.0, 9.0);
    assertThat(RecordedPage.order(new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 1), 14, 1, told))
        .containsExactly("told");
    told.visit(10, 0.1, 0);
    assertThat(RecordedPage.order(new LambdaCrawl(LambdaCrawl.Importance.VIEWS, 1), 14, 1, told))
        .isEmpty();
  }

  @Test
  void aPageWatchedForNoTimeIsKnownToHaveNoChanges() {
    RecordedPage now = RecordedPage.of("now").publishing(PageFacts.Provider.SMART, 0);
    assertThat(LambdaCrawl.publishedRate(now, RecordedPage.day(0), 0)).isZero();
  }

  @Test
  void withoutARecordOfVisitsAnnouncedChangesCountFromTheLastFetchOn() {
    TestPage page = new TestPage("a", 98, 0, 0, 0, 0, 0, 1, false, List.of(97.0, 98.5, 99.0));
    assertThat(LambdaCrawl.publishedRate(page, TestPage.day(100), 3.5))
        .isCloseTo(2.5 / 5.5, within(1e-12));
  }
}
