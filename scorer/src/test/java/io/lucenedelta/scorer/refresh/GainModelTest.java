// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GainModelTest {
  private static final Instant NOW = TestPage.day(100);

  private static GainModel learn(TestPage... pages) {
    return GainModel.learn(TestPage.known(List.of(pages)), GainParameters.LEARNING, NOW);
  }

  @Test
  void aRateIsTheOwnRecordShrunkTowardsThatOfAllPages() {
    TestPage lively = TestPage.of("lively").record(100, 5, 5, 5);
    TestPage quiet = TestPage.of("quiet").record(100);
    GainModel model = learn(lively, quiet);
    double all = (3 + 0.5) / (200 + 1);
    assertThat(model.changesPerDay(lively, NOW)).isCloseTo((3 + 3) / (100 + 3 / all), within(1e-6));
    assertThat(model.changesPerDay(quiet, NOW)).isCloseTo(3 / (100 + 3 / all), within(1e-6));
    assertThat(model.changesPerDay(TestPage.of("new"), NOW)).isCloseTo(all, within(1e-6));
  }

  /** Forty pages of a site, each visited six times in as many weeks; every fourth is lively. */
  private static TestPage[] unlike(List<Double> published) {
    return IntStream.range(0, 40)
        .mapToObj(
            page -> {
              int changes = page % 4 == 0 ? 6 : 0;
              String key = "https://s.test/" + page;
              return new TestPage(key, 42, 6, changes, changes, changes, 42, 1, false, published);
            })
        .toArray(TestPage[]::new);
  }

  @Test
  void whereNeighboursAreUnlikeAPagesOwnRecordIsTrustedSooner() {
    TestPage[] pages = unlike(null);
    GainModel model = learn(pages);
    double a = 3.0 / 16;
    double usual = model.changesPerDay(TestPage.of("https://s.test/new"), NOW);
    assertThat(model.changesPerDay(pages[0], NOW))
        .isCloseTo((6 + a) / (42 + a / usual), withinPercentage(1e-4));
    assertThat(model.changesPerDay(pages[1], NOW))
        .isCloseTo(a / (42 + a / usual), withinPercentage(1e-4));
    GainModel after3 =
        GainModel.learn(
            TestPage.known(List.of(pages)), GainParameters.LEARNING.withRateSpread(false), NOW);
    assertThat(after3.changesPerDay(pages[1], NOW))
        .isCloseTo(3 / (42 + 3 / usual), withinPercentage(1e-4));
  }

  @Test
  void ofMillionsOfPagesAShareSaysHowUnlikeTheyAre() {
    List<TestPage> some = new ArrayList<>();
    for (int page = 0; page < 2_000; page++) {
      some.add(unlike(null)[page % 40].useful(1 + page % 100));
    }
    KnownPages many =
        new KnownPages() {
          @Override
          public long size() {
            return 10L << 20;
          }

          @Override
          public void forEach(Consumer<? super KnownPage> reader) {
            some.forEach(reader);
          }
        };
    GainModel model = GainModel.learn(many, GainParameters.LEARNING, NOW);
    double usual = model.changesPerDay(TestPage.of("https://s.test/new"), NOW);
    assertThat(model.changesPerDay(some.get(1), NOW))
        .isCloseTo((3.0 / 16) / (42 + (3.0 / 16) / usual), withinPercentage(1e-4));
  }

  /** Directories alone explain that, however few changes the visits of the lively one missed. */
  @Test
  void pagesAreAlikeWhereALivelyDirectoryLiesBesideAQuietOne() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    double[][] shares = {{0.85, 0.85}, {1, 0.05}, {0.99, 0.3}, {1, 0.02}, {0.5, 0.5}};
    for (double[] share : shares) {
      List<TestPage> pages = new ArrayList<>();
      for (int page = 0; page < 600; page++) {
        double chance = share[page % 2];
        int visits = 8 + random.nextInt(20);
        int changes = (int) random.doubles(visits).filter(drawn -> drawn < chance).count();
        String key = "https://s.test/%d/%d".formatted(page % 2, page);
        double days = 7.0 * visits;
        pages.add(new TestPage(key, days, visits, changes, changes, changes, days, 1, false, null));
      }
      GainModel model = learn(pages.toArray(TestPage[]::new));
      GainModel after3 =
          GainModel.learn(
              TestPage.known(pages), GainParameters.LEARNING.withRateSpread(false), NOW);
      assertThat(model.changesPerDay(pages.get(1), NOW))
          .as("%s and %s, seed %d", share[0], share[1], seed)
          .isEqualTo(after3.changesPerDay(pages.get(1), NOW));
    }
  }

  @Test
  void whereTheRecordAloneIsTrustedNoSpreadIsLearned() {
    GainModel model =
        GainModel.learn(
            TestPage.known(List.of(unlike(null))), GainParameters.LEARNING.withRateChanges(0), NOW);
    assertThat(model.changesPerDay(unlike(null)[0], NOW)).isEqualTo(6 / 42.0);
    assertThat(model.changesPerDay(unlike(null)[1], NOW)).isZero();
  }

  /** They say how often they change, whether visits find it or not. */
  @Test
  void pagesThatPublishSayNothingOfHowUnlikePagesAre() {
    TestPage[] publishing = unlike(List.of());
    TestPage silent = TestPage.of("https://other.test/").record(70, 1);
    List<TestPage> pages = new ArrayList<>(List.of(publishing));
    pages.add(silent);
    GainModel model = learn(pages.toArray(TestPage[]::new));
    double usual = model.changesPerDay(TestPage.of("https://other.test/new"), NOW);
    assertThat(model.changesPerDay(silent, NOW))
        .isCloseTo((1 + 3) / (70 + 3 / usual), withinPercentage(1e-4));
  }

  @Test
  void pagesVisitedByTheHourAreLearnedInAsManyVisitsAsThoseVisitedByTheWeek() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<double[]> gains =
        Stream.generate(() -> random.doubles(random.nextInt(6), 1, 9).toArray())
            .limit(500)
            .toList();
    List<TestPage> hours = visited(gains, 1 / 24.0);
    List<TestPage> weeks = visited(gains, 7);
    GainModel hourly = learn(hours.toArray(TestPage[]::new));
    GainModel weekly = learn(weeks.toArray(TestPage[]::new));
    for (int page = 0; page < gains.size(); page++) {
      assertThat(hourly.gainPerDay(hours.get(page), NOW) / (7 * 24))
          .as("page %d, seed %d", page, seed)
          // λ0 counts a day more than was watched, which makes most of a percent of 125 days
          .isCloseTo(weekly.gainPerDay(weeks.get(page), NOW), withinPercentage(1));
    }
  }

  /** Pages of ten sites with six visits each, so many days apart. */
  private static List<TestPage> visited(List<double[]> gains, double days) {
    return IntStream.range(0, gains.size())
        .mapToObj(
            page ->
                TestPage.of("https://%d.test/%d".formatted(page % 10, page))
                    .record(6 * days, gains.get(page)))
        .toList();
  }

  @Test
  void aRoundIsWhatTheRecordSaysOrTheMeanAgeWhereThatIsLonger() {
    TestPage often = TestPage.of("often").record(90, new double[6]);
    TestPage once = TestPage.of("once").record(90, 1);
    TestPage never = TestPage.of("never");
    assertThat(learn(often, once).roundDays()).as("200 days, 7").isEqualTo(200 / 7.0);
    assertThat(learn(often, never).roundDays()).as("ages 10 and 100").isEqualTo(110 / 2.0);
    assertThat(learn(never).roundDays()).isInfinite();
    assertThat(learn(TestPage.unseen("new")).roundDays()).isInfinite();
    assertThat(learn(often, once, TestPage.unseen("new")).roundDays()).isEqualTo(200 / 7.0);
  }

  /** As a feed that is indexed again every hour, whoever fetches it. */
  @Test
  void aPageCountsOneRefreshADayAtMost() {
    TestPage slow = TestPage.of("slow").record(99, new double[3]);
    TestPage daily = TestPage.of("daily").record(99.7, new double[100]);
    TestPage hourly = TestPage.of("hourly").record(99.7, new double[24 * 100]);
    TestPage today = new TestPage("today", 99.5, 12, 0, 0, 0, 0.5, 1, false, null);
    assertThat(learn(slow, daily).roundDays()).isEqualTo(200 / 103.0);
    assertThat(learn(slow, hourly).roundDays()).isEqualTo(200 / 103.0);
    assertThat(learn(slow, today).roundDays()).as("100 and 1 day, 4").isEqualTo(101 / 4.0);
    assertThat(learn(hourly).roundDays()).isEqualTo(1);
  }

  @Test
  void fewPagesIndexedEveryHourMakeTheRestLookOverdueNoMoreThanSuchOfEveryDay() {
    assertThat(withFeeds(24 * 100).roundDays())
        .isEqualTo(withFeeds(100).roundDays())
        .isBetween(45.0, 51.0);
  }

  /** Of five hundred pages five are fetched a day; five more are indexed again by somebody else. */
  private static GainModel withFeeds(int refreshesOfEach) {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 500; page++) {
      pages.add(TestPage.of("page" + page).record(50, 0));
    }
    for (int page = 0; page < 5; page++) {
      pages.add(TestPage.of("feed" + page).record(100, new double[refreshesOfEach]));
    }
    return learn(pages.toArray(TestPage[]::new));
  }

  @Test
  void pagesThatNobodyFetchesAnyMoreMakeARoundFourTimesAsLongAtMost() {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 50; page++) {
      pages.add(TestPage.of("alive" + page).record(99, new double[99]));
      pages.add(TestPage.of("dead" + page));
    }
    double record = 100 * 100 / (50 * 99.0);
    assertThat(learn(pages.toArray(TestPage[]::new)).roundDays()).isEqualTo(4 * record);
  }

  @Test
  void aTimeBeforeThereWasAWebIsTakenAsItsBeginning() {
    TestPage often = TestPage.of("often").record(90, new double[6]);
    TestPage zero = new TestPage("zero", -700_000, 0, 0, 0, 0, 0, 1, false, null);
    TestPage first = new TestPage("first", -12_418, 0, 0, 0, 0, 0, 1, false, null); // 1990
    TestPage never = new TestPage("never", 4e7, 0, 0, 0, 0, 0, 1, false, null);
    TestPage last = new TestPage("last", 79_689, 0, 0, 0, 0, 0, 1, false, null); // 2242
    assertThat(learn(often, zero).roundDays())
        .isCloseTo(learn(often, first).roundDays(), within(0.5));
    assertThat(learn(often, zero).roundDays()).isPositive();
    assertThat(learn(often, never).roundDays())
        .isEqualTo(learn(often, last).roundDays())
        .isPositive();
  }

  /** Or one such page would make all of them seem never to change. */
  @Test
  void aPageOfWhichNobodyKnowsWhenItWasFetchedWasNotWatchedSinceThen() {
    TestPage known = TestPage.of("known").publishing(10.0, 20.0, 30.0);
    TestPage epoch = new TestPage("undated", -19_723, 1, 1, 2, 1.4, 7, 1, false, List.of()); // 1970
    double alone = learn(known).changesPerDay(known, NOW);
    assertThat(learn(known, epoch).changesPerDay(known, NOW)).isCloseTo(alone, within(0.2 * alone));
  }

  @Test
  void publishedChangesCountWhetherFetchedOrNot() {
    TestPage publishes = TestPage.of("p").publishing(10.0, 20.0, 30.0);
    GainModel model = learn(publishes);
    double all = (3 + 0.5) / (100 + 1);
    assertThat(model.changesPerDay(publishes, NOW))
        .isCloseTo((3 + 3) / (100 + 3 / all), within(1e-6));
  }

  @Test
  void aFetchThatBroughtSeveralPublishedChangesBroughtAShareOfItsGainWithEach() {
    TestPage several = TestPage.of("several").record(40, 12).publishing(10.0, 20.0, 30.0, 60.0);
    TestPage each = TestPage.of("each").record(40, 4, 4, 4).publishing(10.0, 20.0, 30.0);
    GainParameters untempered = GainParameters.LEARNING.withTemperGains(false);
    GainModel model =
        GainModel.learn(TestPage.known(List.of(several, each)), untempered, TestPage.day(100));
    assertThat(model.gainPerChange(TestPage.of("new"))).isCloseTo(4, within(1e-6));
    assertThat(model.gainPerChange(several)).isCloseTo(4, within(1e-6));
    assertThat(model.gainPerChange(each)).isCloseTo(4, within(1e-6));
  }

  @Test
  void changesThatFetchesFoundCountWhereFewerWerePublished() {
    TestPage found = TestPage.of("found").record(40, 4, 4, 4).publishing(10.0);
    GainModel model = learn(found);
    double all = (3 + 0.5) / (100 + 1);
    assertThat(model.changesPerDay(found, NOW)).isCloseTo((3 + 3) / (100 + 3 / all), within(1e-6));
    assertThat(model.gainPerChange(found)).isCloseTo(4, within(1e-6));
  }

  @Test
  void changesPublishedBeforeThePageWasFirstFetchedCountForNothing() {
    TestPage late = new TestPage("late", 50, 1, 1, 4, 2, 20, 1, false, List.of(10.0, 20.0, 40.0));
    GainModel model = learn(late);
    double all = (1 + 0.5) / (70 + 1);
    assertThat(model.changesPerDay(late, NOW)).isCloseTo((1 + 3) / (70 + 3 / all), within(1e-6));
    assertThat(model.gainPerChange(late)).isCloseTo(4, within(1e-6));
  }

  @Test
  void changesPublishedSinceTheModelWasLearnedCountByTheDaysSince() {
    TestPage publishes = TestPage.of("p").record(40, 4).publishing(10.0, 150.0, 190.0);
    GainModel model = learn(TestPage.of("p").record(40, 4).publishing(10.0));
    double all = (1 + 0.5) / (100 + 1);
    assertThat(model.changesPerDay(publishes, TestPage.day(200)))
        .isCloseTo((3 + 3) / (200 + 3 / all), within(1e-6));
  }

  @Test
  void aFetchThatIsNotRecordedChangesNothingOfWhatWasLearned() {
    TestPage publishes = TestPage.of("p").record(40, 4, 4).publishing(10.0, 30.0, 60.0);
    TestPage fetched = publishes.fetchedSince(80);
    GainModel model = learn(publishes);
    assertThat(model.changesPerDay(fetched, NOW)).isEqualTo(model.changesPerDay(publishes, NOW));
    assertThat(model.gainPerChange(fetched)).isEqualTo(model.gainPerChange(publishes));
  }

  @Test
  void aGainIsTheOwnRecordShrunkTowardsThatOfAllChanges() {
    TestPage steady = TestPage.of("steady").record(100, 4, 4);
    TestPage other = TestPage.of("other").record(100, 4, 4);
    GainModel model = learn(steady, other);
    assertThat(model.gainPerChange(steady)).isCloseTo(4, within(1e-6));
    assertThat(model.gainPerChange(TestPage.of("new"))).isCloseTo(4, within(1e-6));
  }

  @Test
  void whereTheRecordAloneIsTrustedAPageWithoutOnePromisesNothing() {
    GainParameters own = GainParameters.LEARNING.withRateChanges(0).withGainChanges(0);
    KnownPages known = TestPage.known(List.of(TestPage.of("other").record(50, 3)));
    GainModel model = GainModel.learn(known, own, NOW);
    assertThat(model.changesPerDay(TestPage.of("new"), NOW)).isZero();
    assertThat(model.gainPerChange(TestPage.of("new"))).isZero();
  }

  @Test
  void changesThatLostInAllCountAsChangesThatGainedNothing() {
    TestPage lost = new TestPage("changed", 100, 2, 2, -9, 0, 100, 1, false, null);
    TestPage nothing = new TestPage("changed", 100, 2, 2, 0, 0, 100, 1, false, null);
    TestPage other = TestPage.of("other").record(100, 4, 4);
    GainModel model = learn(lost, other);
    GainModel expected = learn(nothing, other);
    assertThat(model.gainPerChange(lost)).isEqualTo(expected.gainPerChange(nothing)).isPositive();
    assertThat(model.gainPerChange(other)).isEqualTo(expected.gainPerChange(other)).isPositive();
  }

  @Test
  void oneLargeGainCountsLessThanManyChangesOfTheSameTotal() {
    TestPage burst = TestPage.of("burst").record(100, 400, 0, 0, 0);
    TestPage steady = TestPage.of("steady").record(100, 100, 100, 100, 100);
    TestPage idle = TestPage.of("idle").record(100, 0, 0, 0, 0);
    GainModel model = learn(burst, steady, idle);
    assertThat(model.gainPerChange(burst)).isLessThan(model.gainPerChange(steady));
    assertThat(model.gainPerChange(idle)).isPositive().isLessThan(model.gainPerChange(burst));
  }

  @Test
  void whereNoRootsAreKeptChangesCountAsIfAllHadGainedTheSame() {
    // 12 in four refreshes: as four changes of 3 each
    RecordedPage four =
        RecordedPage.of("four").visit(10, 0, 1).visit(20, 0, 9).visit(30, 0, 2).visit(40, 0, 0);
    assertThat(four.totalRootGain()).isCloseTo(4 * Math.sqrt(3), within(1e-12));
    assertThat(RecordedPage.of("none").visit(10, 0, 0).totalRootGain()).isZero();
  }

  @Test
  void theGainsOfAPageAreTemperedByWhatItsUsefulnessLetsExpectWhateverItsDirectory() {
    TestPage burst = TestPage.of("https://much.test/1").useful(1).record(100, 400, 0, 0, 0);
    TestPage steady = TestPage.of("https://little.test/1").useful(4).record(100, 1, 1, 1, 1);
    GainModel model = learn(burst, steady);
    double usual = model.gainPerChange(TestPage.of("new").useful(1));
    double there = model.gainPerChange(TestPage.of("https://much.test/new").useful(1));
    assertThat(there).isGreaterThan(1.05 * usual);
    // Σ√gain = 20 of four changes, beside three expected ones
    assertThat(model.gainPerChange(burst))
        .isCloseTo((Math.sqrt(usual) * 20 + 3 * there) / (4 + 3), within(1e-5));
  }

  @Test
  void changesOfUsefulPagesAreWorthMore() {
    TestPage useful = TestPage.of("useful").useful(8);
    TestPage useless = TestPage.of("useless").useful(0);
    GainModel model = learn(useful, useless, TestPage.of("a").record(50, 3));
    assertThat(model.gainPerChange(useful)).isGreaterThan(5 * model.gainPerChange(useless));
    assertThat(model.gainPerChange(useless)).isPositive();
  }

  @Test
  void aPageOfUnknownUsefulnessIsExpectedToGainWhatOneOfMeanUsefulnessDoes() {
    GainModel model =
        learn(TestPage.of("a").useful(2).record(50, 3), TestPage.of("b").useful(6).record(50, 3));
    double mean = model.gainPerChange(TestPage.of("new").useful(4));
    assertThat(model.gainPerChange(TestPage.of("new").useful(-1)))
        .isCloseTo(mean, within(1e-6 * mean));
    // u = 2.02 beside 1.02: √(2.02/1.02) = 1.41 times as much where u counts least
    assertThat(model.gainPerChange(TestPage.of("new").useful(8))).isGreaterThan(1.2 * mean);
  }

  @Test
  void withoutUsefulnessAnywhereAllPagesAreAlike() {
    GainModel model =
        learn(TestPage.of("a").useful(0).record(50, 3), TestPage.of("b").useful(0).record(50, 3));
    assertThat(model.gainPerChange(TestPage.of("c").useful(0))).isCloseTo(3, within(1e-6));
  }

  @Test
  void aSiteOfUsefulPagesMakesItsUnseenPagesPromising() {
    GainModel model =
        learn(
            TestPage.of("https://good.test/1").useful(9),
            TestPage.of("https://bad.test/1").useful(1));
    double good = model.entryGain(TestPage.unseen("https://good.test/2"));
    double bad = model.entryGain(TestPage.unseen("https://bad.test/2"));
    double unknown = model.entryGain(TestPage.unseen("https://unknown.test/2"));
    assertThat(good).isGreaterThan(unknown);
    assertThat(bad).isPositive().isLessThan(unknown);
  }

  @Test
  void afterFiveFetchedPagesADirectoryCountsAsMuchAsItsParent() {
    List<TestPage> pages = new ArrayList<>();
    for (int page = 0; page < 5; page++) {
      pages.add(TestPage.of("https://good.test/" + page).useful(9));
      pages.add(TestPage.of("https://bad.test/" + page).useful(1));
    }
    GainModel model = learn(pages.toArray(TestPage[]::new));
    double usual = 5 * (9 / 5.0 + 1) / 2; // half way between the site's mean and that of all pages
    assertThat(model.entryGain(TestPage.unseen("https://good.test/new")))
        .isCloseTo(usual / 2, within(1e-6));
  }

  @Test
  void aNewPageIsExpectedToChangeAsItsSiteDoesWhichCountsBesideSixExpectedChanges() {
    GainModel model =
        learn(
            TestPage.of("https://lively.test/1").record(100, 5, 5, 5, 5, 5, 5),
            TestPage.of("https://quiet.test/1").record(100));
    double all = (6 + 0.5) / (200 + 1);
    assertThat(model.changesPerDay(TestPage.of("https://lively.test/new"), NOW))
        .isCloseTo(all * (6 + 6) / (100 * all + 6), within(1e-6));
    assertThat(model.changesPerDay(TestPage.of("https://quiet.test/new"), NOW))
        .isCloseTo(all * 6 / (100 * all + 6), within(1e-6));
  }

  @Test
  void aChangeIsExpectedToGainWhatIsUsualOfItsSiteWhichCountsBesideFortyUsualGains() {
    List<TestPage> pages =
        List.of(
            TestPage.of("https://much.test/1").record(100, 9, 9),
            TestPage.of("https://little.test/1").record(100, 1, 1, 1));
    GainParameters raw = GainParameters.LEARNING.withTemperGains(false);
    GainModel model = GainModel.learn(TestPage.known(pages), raw, NOW);
    double all = 21 / 5.0;
    assertThat(model.gainPerChange(TestPage.of("https://much.test/new")))
        .isCloseTo(all * (18 + 40 * all) / (2 * all + 40 * all), within(1e-5));
    assertThat(model.gainPerChange(TestPage.of("https://little.test/new")))
        .isCloseTo(all * (3 + 40 * all) / (3 * all + 40 * all), within(1e-5));
  }

  @Test
  void gainsAreWeighedByUsefulnessAndTemperedByWhatThatLetsExpect() {
    double[] useful = {0.2, 1, 5, 13.8}; // 5 in the mean
    double[] gain = {0.1, 9, 2, 50}; // of each change
    int[] changes = {1, 3, 2, 4};
    List<TestPage> pages = new ArrayList<>();
    UsefulnessWeight weights = new UsefulnessWeight();
    double sum = 0;
    for (int i = 0; i < useful.length; i++) {
      double[] gains = new double[changes[i]];
      Arrays.fill(gains, gain[i]);
      pages.add(TestPage.of("page" + i).useful(useful[i]).record(50, gains));
      double roots = changes[i] * Math.sqrt(gain[i]);
      weights.replace(
          FoundChanges.NONE,
          new FoundChanges(changes[i], changes[i] * gain[i], roots, useful[i] / 5 + 0.02));
      sum += changes[i] * gain[i];
    }
    weights.learn();
    double mean = sum / 10;
    double tempered = 0;
    double weighed = 0;
    for (int i = 0; i < useful.length; i++) {
      double weight = weights.of(useful[i] / 5 + 0.02);
      tempered += changes[i] * Math.min(gain[i], Math.sqrt(mean * weight * gain[i]));
      weighed += changes[i] * weight;
    }
    GainModel model = learn(pages.toArray(TestPage[]::new));
    for (double of : new double[] {0, 1, 5, 40}) {
      double expected = tempered / weighed * weights.of(of / 5 + 0.02);
      assertThat(model.gainPerChange(TestPage.of("new").useful(of)))
          .as("of a page of usefulness %s", of)
          .isCloseTo(expected, within(1e-5 * expected));
    }
  }

  @Test
  void nothingKnownAtAllStillGivesPositiveFiniteNumbers() {
    GainModel model = learn();
    assertThat(model.changesPerDay(TestPage.of("a"), NOW)).isPositive().isFinite();
    assertThat(model.gainPerChange(TestPage.of("a"))).isPositive().isFinite();
    assertThat(model.entryGain(TestPage.unseen("a"))).isPositive().isFinite();
  }

  @Test
  void aParameterOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GainParameters.LEARNING.withRateChanges(-1))
        .withMessage("rateChanges must be 0 or more and finite, was -1.0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GainParameters.LEARNING.withHorizonDays(0))
        .withMessage("horizonDays must be positive and finite, was 0.0");
  }

  @Test
  void aFirstFetchBringsHalfOfWhatIsUsualAndAsItsWordsPromise() {
    GainModel model = learn(TestPage.of("https://a.test/1").useful(6), TestPage.of("b").useful(6));
    TestPage unseen = TestPage.unseen("https://a.test/2");
    assertThat(model.entryGain(unseen)).isCloseTo(6 / 2.0, within(1e-9));
    assertThat(model.entryGain(KnownPage.neverFetched(unseen, 1.5)))
        .isCloseTo(1.5 * 6 / 2, within(1e-9));
  }
}
