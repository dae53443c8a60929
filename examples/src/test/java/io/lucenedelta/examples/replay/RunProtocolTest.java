// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;

/** A run with a strategy that fetches what it is told and writes down what it is asked. */
class RunProtocolTest {
  private static final int WEEKS = 6;
  private static final String A = "https://site0.test/0";
  private static final String B = "https://site1.test/1";
  private static final String C = "https://site2.test/2";
  private static final String D = "https://site2.test/3";

  private final List<String> asked = new ArrayList<>();
  private final Map<String, String> known = new TreeMap<>(); // of the last question

  /** Week by week the rounds of pages that it fetches. */
  private RefreshPolicy told(IntFunction<List<List<String>>> rounds) {
    return new RefreshPolicy() {
      @Override
      public RefreshPlan plan(KnownPages pages, RefreshBudget budget) {
        asked.add(
            "plan " + budget.perPeriod() + " by " + budget.periodDays() + " days" + weeks(budget));
        int[] round = new int[1];
        return (seen, now, left) -> {
          asked.add("next " + week(now) + " left " + left);
          seen.forEach(page -> known.put(page.page(), described(page)));
          List<List<String>> all = rounds.apply(week(now));
          List<String> fetched = round[0] < all.size() ? all.get(round[0]++) : List.of();
          return fetched.stream().map(page -> new RefreshCandidate(page, 1)).toList();
        };
      }

      @Override
      public RefreshPlan renew(RefreshPlan before, KnownPages pages, RefreshBudget budget) {
        asked.add("renew");
        return plan(pages, budget);
      }
    };
  }

  private static String weeks(RefreshBudget budget) {
    return " for " + budget.times().stream().map(RunProtocolTest::week).toList();
  }

  private static String described(KnownPage page) {
    return "%d refreshes %d changes %s days last %d of %d"
        .formatted(
            page.refreshes(),
            page.changes(),
            page.totalDays(),
            week(page.lastRefresh()),
            page.visits().size());
  }

  /** The weeks are not all as long: they begin after so many days. */
  private static final List<Integer> DAYS = List.of(0, 7, 9, 20, 27, 40);

  private static Instant time(int week) {
    return RandomCrawl.time(0).plus(Duration.ofDays(DAYS.get(week)));
  }

  private static int week(Instant time) {
    return DAYS.indexOf((int) Duration.between(RandomCrawl.time(0), time).toDays());
  }

  /** Page A changes every week, B in weeks 2 and 4, C never, D comes in week 3. */
  private static World world(int learnWeeks) {
    RandomCrawl crawl = new RandomCrawl(1, 3, 1);
    for (int week = 1; week < WEEKS; week++) {
      Map<String, String> pages = new TreeMap<>(crawl.weeks.get(week - 1));
      pages.put(A, "w1 ".repeat(week));
      pages.put(B, week == 1 ? crawl.weeks.get(0).get(B) : "w2 ".repeat(week / 2 + 1));
      if (week == 3) {
        pages.put(D, "w3");
      }
      crawl.weeks.add(pages);
    }
    return World.of(
        corpus(crawl),
        ReplayRequest.of(crawl.workload).withLearnWeeks(learnWeeks),
        EnumSet.of(Estimate.MULTI_TERM),
        ReplayProgress.NONE);
  }

  private static ReplayCorpus corpus(RandomCrawl crawl) {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(crawl.workload, analyzer, 3);
      for (int week = 0; week < WEEKS; week++) {
        corpus.week(time(week));
        crawl.weeks.get(week).forEach(corpus::add);
      }
      return corpus.build();
    }
  }

  private Run run(World world, Knowledge knowledge, int budget, RefreshPolicy policy) {
    Variant variant =
        new Variant(
            "told",
            "",
            knowledge,
            Estimate.MULTI_TERM,
            Divergences.EXACT,
            0,
            (foresight, seed) -> policy);
    return new Run(
        new Run.Order(
            world, variant, Budget.of(Integer.toString(budget)), knowledge == Knowledge.ONLINE));
  }

  @Test
  void onlineEachWeekIsPlannedAnewByTheGapsSoFarAndRoundsGoOnUntilTheBudgetIsSpent() {
    RefreshPolicy policy =
        told(
            week ->
                switch (week) {
                  case 1 -> List.of(List.of(A, B), List.of(C));
                  case 2 -> List.of(List.of(A), List.of(), List.of(B));
                  case 4 -> List.of(List.of(B));
                  default -> List.of();
                });
    Run run = run(world(0), Knowledge.ONLINE, 3, policy);
    RunResult result = run.execute(ReplayProgress.NONE);
    assertThat(asked)
        .containsExactly(
            "plan 3 by 7.0 days for [1]",
            "next 1 left 3",
            "next 1 left 1",
            "renew",
            "plan 3 by 4.5 days for [2]",
            "next 2 left 3",
            "next 2 left 2",
            "renew",
            "plan 3 by %s days for [3]".formatted(20 / 3.0),
            "next 3 left 3",
            "renew",
            "plan 3 by 6.75 days for [4]",
            "next 4 left 3",
            "next 4 left 2",
            "renew",
            "plan 3 by 8.0 days for [5]",
            "next 5 left 3");
    assertThat(result.refreshes()).containsExactly(3, 1, 0, 1, 0);
    assertThat(result.firstWeek()).isEqualTo(1);
    assertThat(result.days()).containsExactly(7, 2, 11, 7, 13);
    assertThat(result.quality()[0]).isEqualTo(1);
    assertThat(known)
        .containsEntry(A, "2 refreshes 2 changes 9.0 days last 2 of 3")
        .containsEntry(B, "2 refreshes 1 changes 27.0 days last 4 of 3")
        .containsEntry(C, "1 refreshes 0 changes 7.0 days last 1 of 2")
        .containsEntry(D, "0 refreshes 0 changes 0.0 days last 3 of 0")
        .hasSize(4);
    assertThat(result.measurements())
        .extracting(m -> m.week() + " " + m.page() + " " + m.intervalDays())
        .containsExactly(
            "1 " + A + " 7.0",
            "1 " + B + " 7.0",
            "1 " + C + " 7.0",
            "2 " + A + " 2.0",
            "4 " + B + " 20.0");
  }

  @Test
  void inHindsightAllWeeksArePlannedOnceByARecordThatRefreshesDoNotChange() {
    Run run = run(world(0), Knowledge.HINDSIGHT, 1, told(week -> List.of(List.of(A))));
    RunResult result = run.execute(ReplayProgress.NONE);
    assertThat(asked)
        .containsExactly(
            "plan 1 by 8.0 days for [1, 2, 3, 4, 5]",
            "next 1 left 1",
            "next 2 left 1",
            "next 3 left 1",
            "next 4 left 1",
            "next 5 left 1");
    assertThat(result.refreshes()).containsExactly(1, 0, 0, 0, 0);
    assertThat(result.measurements()).isEmpty();
    assertThat(known)
        .containsEntry(A, "5 refreshes 5 changes 40.0 days last 1 of 6")
        .containsEntry(B, "2 refreshes 2 changes 40.0 days last 0 of 6")
        .containsEntry(C, "0 refreshes 0 changes 40.0 days last 0 of 6")
        .containsEntry(D, "0 refreshes 0 changes 20.0 days last 3 of 3");
  }

  @Test
  void afterLearningWeeksTheLastOfThemIsTheFirstVisit() {
    Run run = run(world(4), Knowledge.HINDSIGHT, 2, told(week -> List.of()));
    RunResult result = run.execute(ReplayProgress.NONE);
    assertThat(asked)
        .containsExactly("plan 2 by 10.0 days for [4, 5]", "next 4 left 2", "next 5 left 2");
    assertThat(result.firstWeek()).isEqualTo(4);
    assertThat(result.refreshes()).containsExactly(0, 0);
    assertThat(known)
        .containsEntry(A, "3 refreshes 3 changes 20.0 days last 3 of 4")
        .containsEntry(B, "1 refreshes 1 changes 20.0 days last 3 of 4");
    assertThat(Run.weeks(world(5))).isEqualTo(1);
  }

  /** Of week 3 the page is not known before it is there. */
  @Test
  void aPageThatComesLaterIsKnownFromItsWeekOn() {
    List<String> seen = new ArrayList<>();
    run(
            world(0),
            Knowledge.ONLINE,
            1,
            (pages, budget) ->
                (known, now, left) -> {
                  known.forEach(page -> seen.add(week(now) + " " + page.page()));
                  return List.of();
                })
        .execute(ReplayProgress.NONE);
    assertThat(seen).contains("3 " + D, "5 " + D).doesNotContain("1 " + D, "2 " + D).hasSize(18);
  }

  @Test
  void aHiddenPageIsNotVisitedUntilItIsFetchedAndThenMeasuredFromThere() {
    RandomCrawl crawl = new RandomCrawl(1, 3, WEEKS);
    World hidden =
        World.of(
            corpus(crawl),
            ReplayRequest.of(crawl.workload).withHidden(1),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    Run run =
        run(
            hidden,
            Knowledge.ONLINE,
            1,
            told(week -> week % 3 == 1 ? List.of(List.of(A)) : List.of()));
    run.execute(ReplayProgress.NONE);
    assertThat(known.get(A)).isEqualTo("1 refreshes 0 changes 20.0 days last 4 of 2");
    assertThat(known.get(B)).isEqualTo("0 refreshes 0 changes 0.0 days last 0 of 0");
  }

  @Test
  void withoutABudgetNothingIsAskedFor() {
    Run run = run(world(0), Knowledge.HINDSIGHT, 0, told(week -> List.of(List.of(A))));
    assertThat(run.execute(ReplayProgress.NONE).refreshes()).containsOnly(0);
    assertThat(asked).containsExactly("plan 0 by 8.0 days for [1, 2, 3, 4, 5]");
  }

  @Test
  void morePagesThanAreLeftAndAPageTwiceAWeekAreFaultsOfTheStrategy() {
    Run more = run(world(0), Knowledge.ONLINE, 2, told(week -> List.of(List.of(A), List.of(B, C))));
    assertThatIllegalStateException()
        .isThrownBy(() -> more.execute(ReplayProgress.NONE))
        .withMessage("told asked for 2 refreshes where 1 were left");
    Run twice = run(world(0), Knowledge.ONLINE, 2, told(week -> List.of(List.of(C), List.of(C))));
    assertThatIllegalStateException()
        .isThrownBy(() -> twice.execute(ReplayProgress.NONE))
        .withMessage("told asked twice for " + C + " in week 1");
  }

  @Test
  void theTimeOfDecisionsIsTheirProcessorTimeAlone() {
    ThreadMXBean clock = ManagementFactory.getThreadMXBean();
    long[] decided = new long[1];
    RefreshPolicy slow =
        (pages, budget) -> {
          decided[0] += busy(clock);
          return (known, now, left) -> {
            decided[0] += busy(clock);
            return List.of();
          };
        };
    Run run = run(world(0), Knowledge.ONLINE, 1, slow);
    long began = clock.getCurrentThreadCpuTime();
    double seconds = run.execute(ReplayProgress.NONE).cpuSeconds();
    long all = clock.getCurrentThreadCpuTime() - began;
    assertThat(seconds).isBetween(decided[0] / 1e9, all / 1e9);
  }

  /** Takes a millisecond of processor time; returns how much it took. */
  private static long busy(ThreadMXBean clock) {
    long began = clock.getCurrentThreadCpuTime();
    long now = began;
    while (now < began + 1_000_000) {
      now = clock.getCurrentThreadCpuTime();
    }
    return now - began;
  }

  @Test
  void aStrategySeesWhereAPageStandsHowItIsLinkedAndHowOftenItIsClicked() {
    RandomCrawl crawl = new RandomCrawl(1, 3, WEEKS);
    World world =
        World.of(
            corpus(crawl),
            ReplayRequest.of(crawl.workload).withScoring(Scoring.BM25, Map.of(B, 4)),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    List<String> facts = new ArrayList<>();
    RefreshPolicy seeing =
        (pages, budget) -> {
          pages.forEach(page -> facts.add(page.facts().site() + " " + page.facts().importance()));
          pages.forEach(
              page ->
                  assertThat(page.facts().expectedViews())
                      .isPositive()
                      .isEqualTo(world.facts(0).expectedViews(world.corpus().number(page.page()))));
          return (known, now, left) -> List.of();
        };
    run(world, Knowledge.HINDSIGHT, 1, seeing).execute(ReplayProgress.NONE);
    assertThat(facts).containsExactly("site0.test 1.0", "site1.test 5.0", "site2.test 1.0");
  }
}
