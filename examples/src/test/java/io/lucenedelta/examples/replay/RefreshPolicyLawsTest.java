// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The law book: what every strategy of the catalogue, at every setting, keeps to. */
class RefreshPolicyLawsTest {
  private static final int WEEK = 9;
  private static final int PAGES = 40;
  private static final Map<List<Long>, World> WORLDS = new ConcurrentHashMap<>();

  static Stream<Variant> strategies() {
    return strategies(Tuning.USUAL.withAll(true));
  }

  /** Those that are tried by default. */
  static Stream<Variant> usualStrategies() {
    return strategies(Tuning.USUAL);
  }

  private static Stream<Variant> strategies(Tuning tuning) {
    ReplayRequest all =
        ReplayRequest.of(new RandomCrawl(1, 1, 1).workload)
            .withPolicies(Strategies.names())
            .withTuning(tuning);
    return Stream.concat(
        Strategies.of(all).stream(),
        Strategies.of(all.withKnowledge(Knowledge.ONLINE, 0.5)).stream()
            .filter(variant -> variant.knowledge() == Knowledge.ONLINE));
  }

  /** What many threads ask for at once: all of them would wait for the one that makes it. */
  @BeforeAll
  static void makeWorlds() {
    world(3, PAGES, WEEK + 3);
    world(9, 20, 60);
    halfHidden(10, 20, 60);
    comingLater();
  }

  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("strategies")
  void neverMorePagesThanTheBudgetAndNoneTwice(Variant variant) {
    for (int budget : new int[] {0, 1, 7, PAGES, 3 * PAGES}) {
      List<String> fetched = new Moment(PAGES, 3).period(variant, budget);
      assertThat(fetched)
          .as("%s", variant)
          .hasSizeLessThanOrEqualTo(budget)
          .doesNotHaveDuplicates();
    }
  }

  /** Where one is missing, a replay refuses thresholds that would be settings of its own. */
  @Test
  void whatTriesTheThresholdsAskedForIsListedAsSuch() {
    Tuning others = Tuning.USUAL.withTaus(List.of(0.05, 0.15));
    assertThat(
            Strategies.names().stream()
                .filter(name -> !settings(name, others).equals(settings(name, Tuning.USUAL))))
        .containsExactlyInAnyOrderElementsOf(Strategies.WITH_THRESHOLDS);
  }

  private static List<String> settings(String name, Tuning tuning) {
    return strategies(tuning.withAll(true))
        .filter(variant -> variant.policy().equals(name))
        .map(Variant::settings)
        .toList();
  }

  /** Where one is missing, a replay refuses in-links that would change what it fetches. */
  @Test
  void whatWeighsPagesByInlinksIsListedAsSuch() {
    RandomCrawl crawl = new RandomCrawl(12, PAGES, WEEK + 3);
    List<String> keys = List.copyOf(crawl.weeks.get(0).keySet());
    Map<String, Integer> inlinks =
        keys.stream().collect(toMap(key -> key, key -> 1 << keys.indexOf(key) % 11));
    ReplayRequest alike = ReplayRequest.of(crawl.workload);
    ReplayRequest linked = alike.withScoring(Scoring.BM25, inlinks);
    EnumSet<Estimate> all = EnumSet.allOf(Estimate.class);
    World without = World.of(crawl.corpus(), alike, all, ReplayProgress.NONE);
    World with = World.of(crawl.corpus(), linked, all, ReplayProgress.NONE);
    assertThat(
            strategies()
                .filter(
                    variant ->
                        !new Moment(with, 12)
                            .period(variant, 9)
                            .equals(new Moment(without, 12).period(variant, 9)))
                .map(Variant::policy)
                .distinct())
        .containsExactlyInAnyOrderElementsOf(Strategies.WITH_IMPORTANCE);
  }

  /** Where one is missing, a replay refuses hints that would change what it fetches. */
  @Test
  void whatLooksAtPublishedChangesIsListedAsSuch() {
    ReplayRequest all =
        ReplayRequest.of(new RandomCrawl(1, 1, 1).workload)
            .withPolicies(Strategies.names())
            .withTuning(Tuning.USUAL.withAll(true));
    List<Variant> silent = Strategies.of(all.withKnowledge(Knowledge.ONLINE, 0.0));
    List<Variant> publishing = Strategies.of(all.withKnowledge(Knowledge.ONLINE, 1.0));
    assertThat(
            IntStream.range(0, silent.size())
                .filter(
                    i ->
                        !new Moment(PAGES, 12)
                            .period(publishing.get(i), 9)
                            .equals(new Moment(PAGES, 12).period(silent.get(i), 9)))
                .mapToObj(i -> silent.get(i).policy())
                .distinct())
        .containsExactlyInAnyOrderElementsOf(Strategies.WITH_HINTS);
  }

  @Test
  void ordersByLotAndTheNaiveUtilityAreTriedOnlyWithAllSettings() {
    Predicate<Variant> asked =
        variant ->
            variant.settings().startsWith("order=") || variant.settings().contains("utility=");
    assertThat(usualStrategies()).noneMatch(asked);
    assertThat(strategies().filter(asked).map(Variant::policy).distinct())
        .containsExactlyInAnyOrder(
            "uniform",
            "fragment-static",
            "holistic-static",
            "fragment-dynamic",
            "holistic-dynamic");
  }

  @Test
  void anotherBoundOfRiskThanThePapersIsTriedOnlyWithAllSettings() {
    Predicate<Variant> bound = variant -> variant.settings().endsWith(" rho=100");
    assertThat(usualStrategies()).noneMatch(variant -> variant.settings().contains("rho="));
    assertThat(strategies().filter(bound).map(Variant::policy).distinct())
        .containsExactlyInAnyOrder("curve-fitting", "bound-based");
  }

  @Test
  void theStrategyOfThePaperIsFedWithOtherEstimatesOnlyWithAllSettings() {
    Predicate<Variant> paper = variant -> variant.policy().equals("user-centric");
    assertThat(usualStrategies().filter(paper))
        .isNotEmpty()
        .allMatch(variant -> variant.estimate() == Estimate.PAPER && variant.settings().isEmpty());
    assertThat(
            strategies()
                .filter(paper)
                .filter(variant -> variant.estimate() != Estimate.PAPER)
                .map(variant -> variant.settings() + " " + variant.estimate())
                .distinct())
        .containsExactlyInAnyOrder(
            "estimate=multi-term MULTI_TERM", "estimate=real-ranks REAL_RANKS");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void aSentenceSaysWhatItDoes(Variant variant) {
    assertThat(Strategies.idea(variant.policy())).as("%s", variant).matches("[A-Z].{10,160}[.]");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void theSameArgumentsGiveTheSameOrder(Variant variant) {
    assertThat(new Moment(PAGES, 4).period(variant, 9))
        .as("%s", variant)
        .isEqualTo(new Moment(PAGES, 4).period(variant, 9));
  }

  /** Those that see the live pages see them of one repository. */
  private static final List<String> SEE_LIVE_PAGES =
      List.of("fragment-dynamic", "holistic-dynamic", "clairvoyant");

  @ParameterizedTest
  @MethodSource("usualStrategies")
  void nothingIsKeptFromOnePlanToTheNext(Variant variant) {
    if (SEE_LIVE_PAGES.contains(variant.policy())) {
      return;
    }
    RefreshPolicy policy = new Moment(PAGES, 4).policy(variant);
    List<List<String>> orders = new ArrayList<>();
    for (long seed : new long[] {4, 5, 4}) {
      Moment moment = new Moment(PAGES, seed);
      moment.asked = policy;
      orders.add(moment.period(variant, 9));
    }
    assertThat(orders.get(2)).as("%s", variant).isEqualTo(orders.get(0));
    assertThat(orders.get(1)).as("%s", variant).isEqualTo(new Moment(PAGES, 5).period(variant, 9));
  }

  /** Also where pages have come since the plan before. */
  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("usualStrategies")
  void aRenewedPlanIsTheSame(Variant variant) {
    if (variant.knowledge() == Knowledge.HINDSIGHT) {
      return; // nothing is renewed
    }
    int[] renewed = new int[1];
    Variant compared =
        new Variant(
            variant.policy(),
            variant.settings(),
            variant.knowledge(),
            variant.estimate(),
            variant.hashes(),
            variant.publishingShare(),
            (foresight, seed) ->
                new Renewing(variant.maker().make(foresight, seed), variant, renewed));
    Run run = new Run(new Run.Order(comingLater(), compared, Budget.of("8"), false));
    run.execute(ReplayProgress.NONE);
    assertThat(renewed[0]).isGreaterThan(10);
  }

  /** Makes every plan anew, too, and compares the two. */
  private record Renewing(RefreshPolicy policy, Variant variant, int[] renewed)
      implements RefreshPolicy {
    @Override
    public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
      return policy.plan(known, budget);
    }

    @Override
    public RefreshPlan renew(RefreshPlan before, KnownPages known, RefreshBudget budget) {
      RefreshPlan first = before instanceof Renewed plan ? plan.renewed : before;
      renewed[0]++;
      return new Renewed(policy.renew(first, known, budget), policy.plan(known, budget), variant);
    }
  }

  private record Renewed(RefreshPlan renewed, RefreshPlan anew, Variant variant)
      implements RefreshPlan {
    @Override
    public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
      List<RefreshCandidate> next = renewed.next(known, now, budget);
      assertThat(next).as("%s, %s", variant, now).isEqualTo(anew.next(known, now, budget));
      return next;
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void theOrderInWhichPagesAreHandedOutDoesNotShow(Variant variant) {
    List<String> inOrder = new Moment(PAGES, 5).period(variant, 9);
    for (long seed = 0; seed < 3; seed++) {
      Moment shuffled = new Moment(PAGES, 5);
      shuffled.shuffle = new Random(seed);
      assertThat(shuffled.period(variant, 9)).as("%s, seed %d", variant, seed).isEqualTo(inOrder);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void pagesNeverFetchedAreNoProblem(Variant variant) {
    World world = halfHidden(7, PAGES, WEEK + 3);
    for (int budget : new int[] {5, PAGES}) {
      Moment moment = new Moment(world, 7);
      assertThat(IntStream.range(0, PAGES).filter(page -> moment.visits.size(page) == 0).count())
          .isGreaterThan(5);
      assertThat(moment.period(variant, budget))
          .as("%s", variant)
          .hasSizeLessThanOrEqualTo(budget)
          .doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void onePageIsFetchedOrNot(Variant variant) {
    assertThat(new Moment(1, 6).period(variant, 5)).as("%s", variant).hasSizeLessThanOrEqualTo(1);
  }

  /** Pages known not to change come last in them, and have what is left of the budget. */
  private static final List<String> TAKE_WHAT_IS_LEFT = List.of("user-centric");

  @ParameterizedTest
  @MethodSource("strategies")
  void inHindsightAPageKnownNotToChangeIsLeftAlone(Variant variant) {
    if (variant.knowledge() == Knowledge.HINDSIGHT) {
      assertThat(new Moment(stillWorld(), 8).period(variant, 5))
          .as("%s", variant)
          .hasSize(TAKE_WHAT_IS_LEFT.contains(variant.policy()) ? 5 : 0);
    }
  }

  @Test
  void ofLearnedWeeksRatesAreEstimatesAndNoPageIsKnownNotToChange() {
    ReplayRequest learned =
        ReplayRequest.of(new RandomCrawl(1, 1, 1).workload)
            .withPolicies(List.of("polling", "incremental-buckets", "lambda-crawl"))
            .withLearnWeeks(WEEK);
    for (Variant variant : Strategies.of(learned)) {
      assertThat(new Moment(stillWorld(), 8).period(variant, 5))
          .as("%s", variant)
          .hasSize(variant.policy().equals(Strategies.NEVER) ? 0 : 5);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void pagesThatNeverChangeAreNoProblem(Variant variant) {
    Moment still = new Moment(stillWorld(), 8);
    assertThat(still.period(variant, 5))
        .as("%s", variant)
        .hasSizeLessThanOrEqualTo(5)
        .doesNotHaveDuplicates();
  }

  /** A crawl of pages that never change. */
  private static World stillWorld() {
    RandomCrawl crawl = new RandomCrawl(8, PAGES, 1);
    for (int week = 1; week < WEEK + 3; week++) {
      crawl.weeks.add(crawl.weeks.get(0));
    }
    return WORLDS.computeIfAbsent(
        List.of(8L),
        key ->
            World.of(
                crawl.corpus(),
                ReplayRequest.of(crawl.workload),
                EnumSet.allOf(Estimate.class),
                ReplayProgress.NONE));
  }

  static Stream<String> names() {
    return Strategies.names().stream();
  }

  /**
   * Where one is missing, a run feeds it changes of 0 and goes wrong; where one is listed that does
   * not look, its runs are slow. Online: in hindsight every change is measured, whatever the
   * strategies.
   */
  @ParameterizedTest
  @MethodSource("names")
  void aStrategyIsListedIfAtSomeSettingItLooksAtMeasuredQualityChanges(String name) {
    assertThat(
            strategies()
                .filter(variant -> variant.policy().equals(name))
                .filter(variant -> variant.knowledge() == Knowledge.ONLINE)
                .anyMatch(RefreshPolicyLawsTest::looksAtGains))
        .as("some setting of %s orders differently with what its visits were worth", name)
        .isEqualTo(Strategies.learnsFromGains(name));
  }

  @Test
  void countsAndTimesOfRefreshesAreNoMeasuredQualityChanges() {
    for (Priority counted :
        List.<Priority>of(
            (page, now) -> page.changes() * page.age(now),
            (page, now) -> page.totalDays() / Math.max(1, page.refreshes()),
            (page, now) -> page.measured().size() + page.age(now) / 1000)) {
      assertThat(looksAtGains(online(counted))).isFalse();
    }
    for (Priority gained :
        List.<Priority>of(
            (page, now) -> page.totalGain(),
            (page, now) -> page.totalRootGain(),
            (page, now) -> page.sumOfRates(),
            (page, now) -> page.refreshes() < 20 ? page.age(now) : page.totalGain())) {
      assertThat(looksAtGains(online(gained))).isTrue();
    }
  }

  private static Variant online(Priority priority) {
    return new Variant(
        "counts",
        "",
        Knowledge.ONLINE,
        Estimate.MULTI_TERM,
        Divergences.EXACT,
        0,
        (foresight, seed) -> (known, budget) -> priority.highestFirst(seed));
  }

  /**
   * Whether an order is another one when every refresh measured is there, but gained nothing; in
   * one of several crawls is enough, or late, after some forty refreshes of a page: a strategy may
   * go by something else at first.
   */
  private static boolean looksAtGains(Variant variant) {
    return IntStream.range(11, 15)
            .anyMatch(seed -> looksAtGains(variant, () -> new Moment(PAGES, seed)))
        || looksAtGains(variant, () -> new Moment(world(9, 20, 60), 58, 2, 9));
  }

  private static boolean looksAtGains(Variant variant, Supplier<Moment> moment) {
    Moment without = moment.get();
    without.measured = false;
    return !without.period(variant, 9).equals(moment.get().period(variant, 9));
  }

  /** Strategies whose class comment rules starvation out, at least online. */
  private static final List<String> STARVE_NOBODY =
      List.of(
          "user-utility",
          "uniform",
          "staleness",
          "embarrassment",
          "curve-fitting",
          "bound-based",
          "cgm",
          "content-provider",
          "incremental-buckets",
          "polling",
          "cluster-sampling",
          "lambda-crawl",
          "adaptive-interval");

  /** Of those, the ones that leave a page alone while it publishes that it has not changed. */
  private static final List<String> PUBLISHED_ONLY = List.of("content-provider", "lambda-crawl");

  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("strategies")
  void everyPageIsFetchedInTimeWhereStarvationIsRuledOut(Variant variant) {
    boolean promised = STARVE_NOBODY.contains(variant.policy());
    if (!promised || variant.knowledge() == Knowledge.HINDSIGHT) {
      return;
    }
    World world = world(9, 20, 60);
    Run run = new Run(new Run.Order(world, variant, Budget.of("8"), false));
    run.execute(ReplayProgress.NONE);
    for (int page = 0; page < 20; page++) {
      boolean silent =
          world.facts(variant.publishingShare()).provider(page) == PageFacts.Provider.NORMAL;
      if (silent || !PUBLISHED_ONLY.contains(variant.policy())) {
        assertThat(run.visits().size(page))
            .as("%s: visits of page %s", variant, page)
            .isGreaterThan(2);
      }
    }
  }

  @ParameterizedTest
  @Execution(CONCURRENT)
  @MethodSource("strategies")
  void everyPageKnownByItsAddressIsFetchedWhereStarvationIsRuledOut(Variant variant) {
    boolean promised = STARVE_NOBODY.contains(variant.policy());
    if (!promised || variant.knowledge() == Knowledge.HINDSIGHT) {
      return;
    }
    World world = halfHidden(10, 20, 60);
    Run run = new Run(new Run.Order(world, variant, Budget.of("8"), false));
    FirstWeeks.of(
        run, week -> IntStream.range(0, 20).allMatch(page -> run.visits().size(page) > 0));
    for (int page = 0; page < 20; page++) {
      assertThat(run.visits().size(page)).as("%s: visits of page %s", variant, page).isPositive();
    }
  }

  /** Worlds are immutable and slow to make: each is made once. */
  private static World world(long seed, int pages, int weeks) {
    return WORLDS.computeIfAbsent(
        List.of(seed, (long) pages, (long) weeks),
        key -> {
          RandomCrawl crawl = new RandomCrawl(seed, pages, weeks);
          return World.of(
              crawl.corpus(),
              ReplayRequest.of(crawl.workload),
              EnumSet.allOf(Estimate.class),
              ReplayProgress.NONE);
        });
  }

  /** A crawl half of whose pages are known by their addresses alone at the start. */
  private static World halfHidden(long seed, int pages, int weeks) {
    return WORLDS.computeIfAbsent(
        List.of(seed),
        key -> {
          RandomCrawl crawl = new RandomCrawl(seed, pages, weeks);
          ReplayRequest request = ReplayRequest.of(crawl.workload).withHidden(0.5);
          return World.of(
              crawl.corpus(), request, EnumSet.allOf(Estimate.class), ReplayProgress.NONE);
        });
  }

  /** A crawl to which two pages come every week. */
  private static World comingLater() {
    return WORLDS.computeIfAbsent(
        List.of(13L),
        key -> {
          RandomCrawl crawl = new RandomCrawl(13, 40, 20).whosePagesComeLater();
          return World.of(
              crawl.corpus(),
              ReplayRequest.of(crawl.workload),
              EnumSet.allOf(Estimate.class),
              ReplayProgress.NONE);
        });
  }

  /** The state of a crawl in one week after random visits. */
  private static final class Moment {
    private final World world;
    private final ReplayCorpus corpus;
    private final Repository repository;
    private final VisitLog visits;
    private final int week;
    private Random shuffle;
    private boolean measured = true;
    private RefreshPolicy asked; // null: a new one

    Moment(int pages, long seed) {
      this(world(seed, pages, WEEK + 3), seed);
    }

    Moment(World world, long seed) {
      this(world, Math.min(WEEK, world.corpus().weeks() - 1), 1, seed);
    }

    /**
     * A moment.
     *
     * @param thirds in how many of three weeks a page was visited, in the mean
     */
    Moment(World world, int week, int thirds, long seed) {
      this.world = world;
      this.week = week;
      corpus = world.corpus();
      repository = world.start();
      BitSet hidden = new BitSet();
      for (int page = 0; page < corpus.pageCount(); page++) {
        hidden.set(page, repository.held(page) == ReplayCorpus.ABSENT);
      }
      visits = VisitLog.everyWeek(corpus, 0, 0, hidden);
      Random random = new Random(seed);
      for (int now = 1; now <= week; now++) {
        repository.advance(now);
        for (int page = 0; now < week && page < corpus.pageCount(); page++) {
          if (random.nextInt(3) < thirds && !(hidden.get(page) && page % 2 == 0)) {
            repository.refresh(page);
            visits.add(page, now);
          }
        }
      }
    }

    RefreshPolicy policy(Variant variant) {
      return variant
          .maker()
          .make(
              new RunForesight(repository, world.divergences(variant.hashes()), corpus),
              world.seed());
    }

    /** All pages fetched in one period, in order. */
    List<String> period(Variant variant, int budget) {
      boolean hindsight = variant.knowledge() == Knowledge.HINDSIGHT;
      RunPages pages =
          new RunPages(
              corpus,
              world.divergences(variant.hashes()),
              world.gains(variant.estimate()),
              world.facts(variant.publishingShare()),
              visits,
              hindsight ? world.recordedVisits() : visits,
              sums(variant),
              null);
      pages.now(week);
      KnownPages known = shuffle == null ? pages : new ShuffledPages(pages, shuffle);
      RefreshPolicy policy = asked == null ? policy(variant) : asked;
      RefreshBudget planned =
          RefreshBudget.regular(
              budget, corpus.time(week), Duration.ofDays(7), corpus.weeks() - week);
      var plan = policy.plan(known, planned);
      List<String> fetched = new ArrayList<>();
      while (fetched.size() < budget) {
        List<RefreshCandidate> round = plan.next(known, corpus.time(week), budget - fetched.size());
        if (round.isEmpty()) {
          break;
        }
        for (RefreshCandidate candidate : round) {
          assertThat(fetched).doesNotContain(candidate.page());
          fetched.add(candidate.page());
          visits.add(corpus.number(candidate.page()), week);
        }
      }
      return fetched;
    }

    private RefreshSums sums(Variant variant) {
      if (variant.knowledge() == Knowledge.HINDSIGHT) {
        return world.recordedSums(variant.estimate());
      }
      RefreshSums sums = new RefreshSums(corpus.pageCount());
      GainTable gains = world.gains(variant.estimate());
      for (int page = 0; page < corpus.pageCount(); page++) {
        for (int visit = 1; visit < visits.size(page); visit++) {
          int from = visits.week(page, visit - 1);
          int to = visits.week(page, visit);
          sums.add(
              page,
              to,
              measured
                  ? gains.gain(page, corpus.liveVersion(page, from), corpus.liveVersion(page, to))
                  : 0, // what a run notes for a strategy that is not listed
              corpus.days(from, to),
              corpus.liveVersion(page, from) != corpus.liveVersion(page, to));
        }
      }
      return sums;
    }
  }

  /** The same pages in another order each time. */
  private record ShuffledPages(KnownPages pages, Random random) implements KnownPages {
    @Override
    public long size() {
      return pages.size();
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      List<String> keys = new ArrayList<>();
      pages.forEach(page -> keys.add(page.page()));
      Collections.shuffle(keys, random);
      for (String key : keys) {
        pages.forEach(
            page -> {
              if (page.page().equals(key)) {
                reader.accept(page);
              }
            });
      }
    }
  }
}
