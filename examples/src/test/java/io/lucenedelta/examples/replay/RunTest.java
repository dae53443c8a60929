// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.divergence.Eagerness;
import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.Visits;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunTest {
  private static final int PAGES = 60;

  private static World world(long seed) {
    RandomCrawl crawl = new RandomCrawl(seed, PAGES, 14);
    return World.of(
        crawl.corpus(), request(crawl), EnumSet.allOf(Estimate.class), ReplayProgress.NONE);
  }

  private static ReplayRequest request(RandomCrawl crawl) {
    return ReplayRequest.of(crawl.workload)
        .withPolicies(Strategies.names())
        .withKnowledge(Knowledge.ONLINE, 0.5)
        .withHidden(0.2);
  }

  private static Run run(World world, Variant variant, String budget, boolean audit) {
    return new Run(new Run.Order(world, variant, Budget.of(budget), audit));
  }

  private static Collection<Variant> strategies() {
    return Strategies.of(request(new RandomCrawl(1, 1, 1)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "20%", "100%"})
  void stalenessIsThatOfTheCopiesHeldBetweenTwoWeeksRefreshes(String budget) {
    long seed = System.nanoTime();
    World world = world(seed);
    for (Variant variant : strategies()) {
      Run run = run(world, variant, budget, false);
      RunResult result = run.execute(ReplayProgress.NONE);
      for (int week = 1; week < world.corpus().weeks(); week++) {
        int next = week;
        double expected =
            IntStream.range(0, PAGES)
                .mapToDouble(page -> stale(world, run.visits(), page, next))
                .sum();
        assertThat(result.staleness()[week - 1])
            .as("%s, %s, week %s, seed %s", variant.policy(), budget, week, seed)
            .isCloseTo(expected / PAGES, within(1e-6));
      }
    }
  }

  /** How stale a page's copy is on the way from the week before to a week. */
  private static double stale(World world, VisitLog visits, int page, int week) {
    Divergences divergences = world.divergences(Divergences.EXACT);
    ReplayCorpus corpus = world.corpus();
    int held = ReplayCorpus.ABSENT;
    for (int visit = 0; visit < visits.size(page); visit++) {
      if (visits.week(page, visit) < week) {
        held = corpus.liveVersion(page, visits.week(page, visit));
      }
    }
    double before = divergences.between(page, held, corpus.liveVersion(page, week - 1));
    double after = divergences.between(page, held, corpus.liveVersion(page, week));
    return Eagerness.interpolate(divergences.eagerness(page), before, after);
  }

  /**
   * An audit refreshes pages one by one, other runs many at once. In the crawl of the first seed
   * pages fetched for the first time come before one by which rank functions are due.
   */
  @ParameterizedTest
  @CsvSource({"19056769678192, 20%", ", 3", ", 20%", ", 100%"})
  void anAuditedRunGoesAsIfNobodyAudited(Long given, String budget) {
    long seed = given == null ? System.nanoTime() : given;
    World world = world(seed);
    for (Variant variant : strategies()) {
      RunResult plain = run(world, variant, budget, false).execute(ReplayProgress.NONE);
      RunResult audited = run(world, variant, budget, true).execute(ReplayProgress.NONE);
      List<double[]> figures = List.of(audited.quality(), audited.staleness());
      assertThat(figures)
          .as("%s, %s, seed %s", variant.policy(), budget, seed)
          .containsExactly(plain.quality(), plain.staleness());
      assertThat(audited.refreshes()).as("seed %s", seed).isEqualTo(plain.refreshes());
    }
  }

  @Test
  void theRecordOfLearnedWeeksBeginsWithTheFirstVisitWhateverIsFetchedLater() {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, PAGES, 14);
    World world =
        World.of(
            crawl.corpus(),
            request(crawl).withLearnWeeks(7),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    ReplayCorpus corpus = world.corpus();
    VisitLog recorded = world.recordedVisits();
    VisitLog own = new VisitLog(PAGES);
    for (int page = 0; page < PAGES; page++) {
      own.add(page, 6 + page % 3);
      own.add(page, 9 + page % 5);
    }
    RunPages pages =
        new RunPages(
            corpus,
            world.divergences(Divergences.EXACT),
            world.gains(Estimate.MULTI_TERM),
            world.facts(0.5),
            own,
            recorded,
            world.recordedSums(Estimate.MULTI_TERM),
            null);
    pages.now(13);
    pages.forEach(
        known -> {
          int page = corpus.number(known.page());
          int first = recorded.size(page) > 0 ? recorded.week(page, 0) : own.week(page, 0);
          double days = Days.between(corpus.time(first), known.recordedUntil());
          assertThat(known.totalDays()).as("%s, seed %s", known.page(), seed).isEqualTo(days);
        });
  }

  /** What is live this week nobody has seen but who fetches it; only that it changed is said. */
  @Test
  void contentsAreKnownAsTheLastVisitFoundThemAndChangesAsThePageSaysThem() {
    long seed = System.nanoTime();
    World world = world(seed);
    ReplayCorpus corpus = world.corpus();
    GainTable gains = world.gains(Estimate.MULTI_TERM);
    VisitLog own = new VisitLog(PAGES);
    for (int page = 0; page < PAGES; page++) {
      own.add(page, 0);
      own.add(page, 2 + page % 4);
    }
    RunPages pages =
        new RunPages(
            corpus,
            world.divergences(Divergences.EXACT),
            gains,
            world.facts(0.5),
            own,
            own,
            new RefreshSums(PAGES),
            null);
    int now = 9;
    pages.now(now);
    pages.forEach(
        known -> {
          int page = corpus.number(known.page());
          String as = "%s, seed %s".formatted(known.page(), seed);
          int found = corpus.liveVersion(page, own.last(page));
          assertThat(known.lastRefresh()).as(as).isEqualTo(corpus.time(own.last(page)));
          assertThat(known.usefulness()).as(as).isEqualTo(gains.usefulness(page, found));
          assertThat(known.facts().words()).as(as).isEqualTo(corpus.version(page, found).length());
          assertThat(known.visits().changed(1)).as(as).isEqualTo(found > 0);
          boolean says = known.facts().provider() != PageFacts.Provider.NORMAL;
          assertThat(known.facts().publishedChanges())
              .as(as)
              .isEqualTo(says ? corpus.liveVersion(page, now) : 0);
        });
    assertThat(pages.size()).as("seed %s", seed).isEqualTo(PAGES);
  }

  /** A site that says how likely a page is to change goes by the weeks since the page is there. */
  @Test
  void whoPredictsChangesCountsThoseSinceThePageIsThere() {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, PAGES, 14).whosePagesComeLater();
    World world =
        World.of(
            crawl.corpus(), request(crawl), EnumSet.of(Estimate.MULTI_TERM), ReplayProgress.NONE);
    ReplayCorpus corpus = world.corpus();
    RunPages pages =
        new RunPages(
            corpus,
            world.divergences(Divergences.EXACT),
            world.gains(Estimate.MULTI_TERM),
            world.facts(1),
            new VisitLog(PAGES),
            new VisitLog(PAGES),
            new RefreshSums(PAGES),
            null);
    pages.now(9);
    int[] predicting = new int[1];
    pages.forEach(
        known -> {
          PageFacts facts = known.facts();
          int first = corpus.since(corpus.number(known.page()), 0);
          boolean predicts = facts.provider() == PageFacts.Provider.SUPER;
          predicting[0] += predicts ? 1 : 0;
          assertThat(facts.changeProbability())
              .as("%s, seed %s", known.page(), seed)
              .isEqualTo(predicts ? (facts.publishedChanges() + 0.5) / (9 - first + 1) : 0);
          for (int i = 0; i < facts.publishedChanges(); i++) {
            assertThat(facts.publishedChange(i))
                .as("seed %s", seed)
                .isAfter(corpus.time(first))
                .isBeforeOrEqualTo(corpus.time(9));
          }
          assertThat(known.lastRefresh()).as("seed %s", seed).isEqualTo(corpus.time(first));
          assertThat(known.usefulness()).as("seed %s", seed).isEqualTo(-1);
          assertThat(facts.words()).as("seed %s", seed).isZero();
        });
    assertThat(predicting[0]).as("seed %s", seed).isPositive();
    long there = IntStream.range(0, PAGES).filter(page -> corpus.since(page, 0) <= 9).count();
    assertThat(pages.size()).as("seed %s", seed).isEqualTo(there).isLessThan(PAGES);
  }

  /** The view has nothing of its own: everything is in the logs, sums and facts it was given. */
  @Test
  void whatAPageTellsIsWhatWasRecordedOfIt() {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, PAGES, 14).whosePagesComeLater();
    World world =
        World.of(
            crawl.corpus(), request(crawl), EnumSet.of(Estimate.MULTI_TERM), ReplayProgress.NONE);
    ReplayCorpus corpus = world.corpus();
    Divergences divergences = world.divergences(Divergences.EXACT);
    VisitLog own = new VisitLog(PAGES);
    VisitLog recorded = new VisitLog(PAGES);
    RefreshSums sums = new RefreshSums(PAGES);
    for (int page = 0; page < PAGES; page++) {
      for (int week = corpus.since(page, 0); week < 14; week++) {
        if (page % 5 > 0 && (week + page) % 3 == 0) {
          own.add(page, week);
        }
        if (page % 4 > 0 && (week + page) % 5 != 1 && recorded.size(page) < page % 4 * 4 - 3) {
          recorded.add(page, week);
          sums.add(page, week, week + page, 1 + week % 4, week % 2 == 0);
        }
      }
    }
    RunPages pages =
        new RunPages(
            corpus,
            divergences,
            world.gains(Estimate.MULTI_TERM),
            world.facts(1),
            own,
            recorded,
            sums,
            null);
    pages.now(12);
    int[] handedOut = new int[1];
    pages.forEach(
        known -> {
          handedOut[0]++;
          int page = corpus.number(known.page());
          String as = "%s, seed %s".formatted(known.page(), seed);
          assertThat(known.neverFetched()).as(as).isEqualTo(own.size(page) == 0);
          int until =
              recorded.size(page) > 0
                  ? recorded.last(page)
                  : own.size(page) > 0 ? own.week(page, 0) : corpus.since(page, 0);
          assertThat(known.recordedUntil()).as(as).isEqualTo(corpus.time(until));
          assertThat(
                  new double[] {
                    known.refreshes(),
                    known.changes(),
                    known.sumOfRates(),
                    known.totalGain(),
                    known.totalDays(),
                    known.totalRootGain(),
                    known.measured().size(),
                    known.visits().size(),
                    known.wordFactor()
                  })
              .as(as)
              .containsExactly(
                  sums.refreshes(page),
                  sums.changes(page),
                  sums.rates(page),
                  sums.gains(page),
                  sums.days(page),
                  sums.rootGains(page),
                  sums.refreshes(page),
                  recorded.size(page),
                  1);
          Visits visits = known.visits();
          for (int i = 0; i < visits.size(); i++) {
            int week = recorded.week(page, i);
            int version = corpus.liveVersion(page, week);
            assertThat(visits.time(i)).as(as).isEqualTo(corpus.time(week));
            assertThat(known.measured().time(i)).as(as).isEqualTo(corpus.time(week));
            assertThat(known.measured().rate(i)).as(as).isEqualTo(sums.rate(page, i));
            for (int j = 0; j < i; j++) {
              int before = recorded.week(page, j);
              int old = corpus.liveVersion(page, before);
              assertThat(visits.days(j, i)).as(as).isEqualTo(corpus.days(before, week));
              assertThat(visits.divergence(j, i))
                  .as(as)
                  .isEqualTo(divergences.between(page, old, version));
              assertThat(visits.changed(i) || j < i - 1)
                  .as(as)
                  .isEqualTo(old != version || j < i - 1);
            }
          }
          assertThat(visits.size() > 0 && visits.changed(0)).as(as).isFalse();
          PageFacts facts = known.facts();
          assertThatExceptionOfType(IndexOutOfBoundsException.class)
              .isThrownBy(() -> facts.publishedChange(facts.publishedChanges()));
        });
    assertThat(handedOut[0]).as("seed %s", seed).isEqualTo((int) pages.size()).isLessThan(PAGES);
  }

  /** What is recorded of a page then are visits in every week. */
  @Test
  void withHindsightRoundsGoByWhatTheRunItselfFetched() {
    long seed = System.nanoTime();
    World world = world(seed);
    Variant shuffled =
        new Variant(
            "uniform",
            "",
            Knowledge.HINDSIGHT,
            Estimate.MULTI_TERM,
            Divergences.EXACT,
            0,
            (foresight, given) ->
                new Uniform(Uniform.Order.RANDOM, Uniform.StaticPages.FETCH, given));
    Run run = run(world, shuffled, "25", false);
    run.execute(ReplayProgress.NONE);
    int[] visits =
        IntStream.range(0, PAGES)
            .filter(page -> run.visits().size(page) > 0 && run.visits().week(page, 0) == 0)
            .map(page -> run.visits().size(page))
            .toArray();
    // 13 weeks of 25 fetches are five rounds and a half
    assertThat(visits).as("seed %s", seed).hasSizeGreaterThan(PAGES / 2).containsOnly(6, 7);
  }

  @Test
  void asManyChangesCountAsVisitsHaveFound() {
    long seed = System.nanoTime();
    World world = world(seed);
    Variant uniform =
        strategies().stream().filter(s -> s.policy().equals("uniform")).findFirst().orElseThrow();
    int[] found = new int[1];
    Variant watched =
        new Variant(
            "uniform",
            "",
            Knowledge.ONLINE,
            uniform.estimate(),
            uniform.hashes(),
            uniform.publishingShare(),
            (foresight, given) -> {
              RefreshPolicy policy = uniform.maker().make(foresight, given);
              return (known, budget) -> {
                found[0] = 0;
                known.forEach(
                    page -> {
                      Visits visits = page.visits();
                      int changes =
                          (int) IntStream.range(0, visits.size()).filter(visits::changed).count();
                      assertThat(page.changes())
                          .as("%s, seed %s", page.page(), seed)
                          .isEqualTo(changes);
                      found[0] += changes;
                    });
                return policy.plan(known, budget);
              };
            });
    run(world, watched, "50%", false).execute(ReplayProgress.NONE);
    assertThat(found[0]).as("seed %s", seed).isPositive();
  }
}
