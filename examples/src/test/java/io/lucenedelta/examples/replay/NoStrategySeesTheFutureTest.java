// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lucenedelta.scorer.refresh.Knowledge;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changing what happens after a week does not change what an online strategy did up to it: not the
 * contents pages will have, nor when they will change, nor what their sites will publish of it, nor
 * when the crawl will come again. Where all publish, some pages are hidden at first and known by
 * their titles. Nor does it change anything what pages hold in weeks in which the strategy does not
 * fetch them, where nothing is published.
 */
@Execution(CONCURRENT)
class NoStrategySeesTheFutureTest {
  private static final int WEEKS = 12;
  private static final int LAST_COMMON = 7;
  private static final RandomCrawl PAST = new RandomCrawl(11, 40, WEEKS);
  private static Map<String, List<String>> expected; // of PAST

  /** Before the tests, or all threads would wait for the first that needs it. */
  @BeforeAll
  static void fetchWithThePastAsItIs() {
    expected = fetchesUpToLastCommon(PAST, PAST.corpus());
  }

  /** What happens to the pages instead. */
  enum Future {
    /** All of them get other words every week, so all sites publish changes every week. */
    REWRITTEN,
    /** They change in the same weeks as before, to other words. */
    OTHER_WORDS,
    /** Nothing changes any more, so nothing is published any more. */
    FROZEN,
    /** The changes come a week late: same contents, other dates. */
    LATE,
    /** Their words are the same in another order: fragments differ, scores do not. */
    REORDERED,
    /** Pages that nobody knew of yet appear, full of frequent words. */
    JOINED;

    Map<String, String> of(RandomCrawl crawl, int week, Random random) {
      Map<String, String> before = crawl.weeks.get(week - 1);
      Map<String, String> pages = new TreeMap<>(PAST.weeks.get(week));
      switch (this) {
        case REWRITTEN -> pages.replaceAll((page, text) -> RandomCrawl.text(random));
        case OTHER_WORDS ->
            pages.replaceAll(
                (page, text) ->
                    text.equals(PAST.weeks.get(week - 1).get(page))
                        ? before.get(page)
                        : RandomCrawl.text(random));
        case FROZEN -> pages.putAll(before);
        case LATE -> pages = new TreeMap<>(PAST.weeks.get(week - 1));
        case REORDERED ->
            pages.replaceAll(
                (page, text) -> String.join(" ", List.of(text.split(" ", -1)).reversed()));
        case JOINED -> {
          for (int i = 0; i < 40; i++) {
            pages.put("https://site" + i % 3 + ".test/a" + i, RandomCrawl.text(random));
          }
        }
      }
      return pages;
    }
  }

  @ParameterizedTest
  @EnumSource(Future.class)
  void changingTheFutureDoesNotChangeAnOnlineStrategysPresent(Future future) {
    RandomCrawl other = new RandomCrawl(11, 40, WEEKS);
    Random random = new Random(5);
    for (int week = LAST_COMMON + 1; week < WEEKS; week++) {
      other.weeks.set(week, future.of(other, week, random));
    }
    assertThat(other.weeks.subList(0, LAST_COMMON + 1))
        .isEqualTo(PAST.weeks.subList(0, LAST_COMMON + 1));
    assertThat(other.weeks).isNotEqualTo(PAST.weeks);
    assertSamePast(expected, fetchesUpToLastCommon(other, other.corpus()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT6H", "P90D"})
  void whenLaterSnapshotsAreTakenDoesNotChangeAnOnlineStrategysPresent(Duration gap) {
    ReplayCorpus other = PAST.corpus(week -> time(week, RandomCrawl::time, gap));
    assertSamePast(expected, fetchesUpToLastCommon(PAST, other));
  }

  @Test
  void norDoesItWherePastOnesAreUnevenlySpaced() {
    IntFunction<Instant> uneven =
        week -> RandomCrawl.time(week).plus(Duration.ofHours(50L * (week * week % 5)));
    ReplayCorpus other = PAST.corpus(week -> time(week, uneven, Duration.ofDays(30)));
    assertSamePast(
        fetchesUpToLastCommon(PAST, PAST.corpus(uneven)), fetchesUpToLastCommon(PAST, other));
  }

  /** A time of the past, or after that one so many gaps after the last of them. */
  private static Instant time(int week, IntFunction<Instant> past, Duration gap) {
    return past.apply(Math.min(week, LAST_COMMON))
        .plus(gap.multipliedBy(Math.max(0, week - LAST_COMMON)));
  }

  private static void assertSamePast(
      Map<String, List<String>> expected, Map<String, List<String>> actual) {
    assertThat(expected).hasSizeGreaterThan(100);
    expected.forEach((run, fetches) -> assertThat(actual.get(run)).as(run).isEqualTo(fetches));
  }

  /**
   * Contents that come after a fetch and are gone at the next were never seen. Where both fetches
   * found the same, the page goes away and comes back.
   */
  @ParameterizedTest
  @EnumSource(Scoring.class)
  void whatIsNotFetchedIsNotKnown(Scoring scoring) {
    ReplayRequest request = request(PAST, scoring, 0);
    World world = world(PAST.corpus(), request, EnumSet.allOf(Estimate.class));
    for (Variant variant : Strategies.of(request)) {
      if (variant.knowledge() != Knowledge.ONLINE || variant.publishingShare() > 0) {
        continue;
      }
      Run run = run(world, variant, "8", WEEKS);
      RandomCrawl other = new RandomCrawl(11, 40, WEEKS);
      Random random = new Random(7);
      int altered = 0;
      for (int page = 0; page < world.corpus().pageCount(); page++) {
        for (int visit = 0; visit < run.visits().size(page); visit++) {
          boolean last = visit + 1 == run.visits().size(page);
          int end = last ? WEEKS : run.visits().week(page, visit + 1);
          for (int week = run.visits().week(page, visit) + 1; week < end; week++) {
            other.weeks.get(week).put(world.corpus().page(page), RandomCrawl.text(random));
            altered++;
          }
        }
      }
      String name = variant.policy() + " " + variant.settings();
      assertThat(altered).as(name).isGreaterThan(20);
      EnumSet<Estimate> used = EnumSet.of(variant.estimate(), Estimate.MULTI_TERM);
      Run blind = run(world(other.corpus(), request, used), variant, "8", WEEKS);
      assertThat(fetchesUpTo(WEEKS, world.corpus(), blind.visits()))
          .as(name)
          .isEqualTo(fetchesUpTo(WEEKS, world.corpus(), run.visits()));
    }
  }

  /** What every online strategy fetched, by scoring, strategy, settings, hints and budget. */
  private static Map<String, List<String>> fetchesUpToLastCommon(
      RandomCrawl crawl, ReplayCorpus corpus) {
    Map<String, List<String>> fetches = new TreeMap<>();
    for (double hints : new double[] {0, 0.5, 1}) {
      addFetches(corpus, request(crawl, Scoring.BM25, hints), fetches);
    }
    addFetches(corpus, request(crawl, Scoring.IMPORTANCE, 0), fetches);
    return fetches;
  }

  private static void addFetches(
      ReplayCorpus corpus, ReplayRequest request, Map<String, List<String>> fetches) {
    World world = world(corpus, request, EnumSet.allOf(Estimate.class));
    for (Variant variant : Strategies.of(request)) {
      for (String budget : List.of("2", "8")) {
        if (variant.knowledge() == Knowledge.ONLINE) {
          Run run = run(world, variant, budget, LAST_COMMON);
          fetches.put(
              String.join(
                  " ",
                  request.scoring().label(),
                  variant.policy(),
                  variant.settings(),
                  "hints " + request.hints(),
                  budget),
              fetchesUpTo(LAST_COMMON, world.corpus(), run.visits()));
        }
      }
    }
  }

  private static ReplayRequest request(RandomCrawl crawl, Scoring scoring, double hints) {
    return ReplayRequest.of(crawl.workload)
        .withPolicies(Strategies.names())
        .withScoring(scoring, scoring == Scoring.IMPORTANCE ? inlinks() : Map.of())
        .withTuning(Tuning.USUAL.withAll(hints == 0.5))
        .withKnowledge(Knowledge.ONLINE, hints)
        .withHidden(hints == 1 ? 0.4 : 0)
        .withTitles(hints == 1);
  }

  /** Counts of the pages that are there and of those that may join. */
  private static Map<String, Integer> inlinks() {
    Map<String, Integer> counts = new TreeMap<>();
    for (int number = 0; number < 40; number++) {
      counts.put("https://site" + number % 3 + ".test/" + number, number * 7 % 11);
      counts.put("https://site" + number % 3 + ".test/a" + number, number * 5 % 13 * number);
    }
    return counts;
  }

  private static World world(
      ReplayCorpus corpus, ReplayRequest request, EnumSet<Estimate> estimates) {
    return World.of(corpus, request, estimates, ReplayProgress.NONE);
  }

  private static Run run(World world, Variant variant, String budget, int lastWeek) {
    Run run = new Run(new Run.Order(world, variant, Budget.of(budget), false));
    FirstWeeks.of(run, week -> week == lastWeek);
    return run;
  }

  private static List<String> fetchesUpTo(int lastWeek, ReplayCorpus corpus, VisitLog visits) {
    List<String> fetches = new ArrayList<>();
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int visit = 0; visit < visits.size(page); visit++) {
        if (visits.week(page, visit) <= lastWeek) {
          fetches.add(corpus.page(page) + " in week " + visits.week(page, visit));
        }
      }
    }
    return fetches;
  }
}
