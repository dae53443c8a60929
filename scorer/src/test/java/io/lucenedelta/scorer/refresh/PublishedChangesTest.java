// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PublishedChangesTest {
  private static final Instant NOW = TestPage.day(100);

  private static UserUtilityPlan plan(List<? extends KnownPage> pages) {
    RefreshBudget budget = RefreshBudget.regular(pages.size(), NOW, Duration.ofDays(7), 1);
    return (UserUtilityPlan) new UserUtility(1).plan(TestPage.known(pages), budget);
  }

  private static KnownPage telling(
      TestPage page, int fetched, List<Instant> missed, double heardDay, double share) {
    PublishedChanges published =
        new PublishedChanges(fetched, missed, TestPage.day(heardDay), share);
    return new KnownPages.SummedPage(page, false, published, 1);
  }

  private static double utility(KnownPage page) {
    TestPage other = TestPage.of("http://other/").record(90, 2, 2, 2);
    return plan(List.of(page, other)).utility(page, NOW);
  }

  @Test
  void aLiveIndexKnowsWhatAReplayKnowsOfAPageWhoseSiteTellsAtOnce() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 500; round++) {
      int fetched = random.nextInt(4);
      double[] gains = random.doubles(random.nextInt(fetched + 1)).toArray();
      TestPage record = TestPage.of("http://a/b/").record(60, gains);
      List<Double> days = new ArrayList<>();
      for (int i = 0; i < fetched; i++) {
        days.add(1 + 50 * i / 4.0);
      }
      List<Instant> missed = new ArrayList<>();
      for (int i = random.nextInt(4); i > 0; i--) {
        days.add(90.0 - i);
        missed.add(TestPage.day(90 - i));
      }
      TestPage replayed = record.publishing(days.toArray(Double[]::new));
      KnownPage live = telling(record, fetched, missed, 200, 0);
      assertThat(utility(live))
          .as("seed %d, round %d", seed, round)
          .isCloseTo(utility(replayed), within(1e-12 * utility(replayed)));
    }
  }

  @Test
  void silenceTellsNothingOfTheTimeInWhichTheSiteWasNotHeard() {
    TestPage page = TestPage.of("http://a/").record(60, 2, 2);
    double unheard = utility(page);
    assertThat(utility(telling(page, 0, List.of(), 60, 0))).isEqualTo(unheard);
    assertThat(utility(telling(page, 0, List.of(), 10, 0))).as("before").isEqualTo(unheard);
    double last = unheard;
    for (double heard = 61; heard <= 100; heard++) {
      double utility = utility(telling(page, 0, List.of(), heard, 0));
      assertThat(utility).as("heard on day %s", heard).isLessThan(last);
      last = utility;
    }
    assertThat(utility(telling(page, 0, List.of(), 150, 0))).as("a clock ahead").isEqualTo(last);
    assertThat(last).isBetween(0.005 * unheard, 0.01 * unheard);
  }

  @Test
  void aSiteThatDoesNotPublishWhatFetchesFindIsNotBelieved() {
    TestPage page = TestPage.of("http://a/").record(60, 2, 2);
    double believed = utility(telling(page, 0, List.of(), 100, 0));
    double half = utility(telling(page, 0, List.of(), 100, 0.5));
    double never = utility(telling(page, 0, List.of(), 100, 1));
    assertThat(half).isCloseTo(50 * believed, within(1e-9 * half));
    assertThat(never).isCloseTo(100 * believed, within(1e-9 * never));
  }

  @Test
  void noUtilityExceedsItsBound() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      double[] gains = random.doubles(random.nextInt(4)).toArray();
      TestPage record = TestPage.of("http://a/b/").record(1 + random.nextInt(90), gains);
      List<Instant> missed =
          random.nextInt(3) == 0 ? List.of(TestPage.day(95 + random.nextInt(5))) : List.of();
      KnownPage page =
          telling(record, random.nextInt(3), missed, random.nextInt(101), random.nextDouble());
      UserUtilityPlan plan = plan(List.of(page, TestPage.of("http://other/").record(90, 2, 2)));
      assertThat(plan.utility(page, NOW))
          .as("seed %d, round %d", seed, round)
          .isLessThanOrEqualTo(plan.bound(page, NOW));
    }
  }

  @Test
  void aListOfTheBestServesWhereSomebodyTellsOfChanges() {
    List<KnownPage> pages = List.of(telling(TestPage.of("http://a/"), 0, List.of(), 100, 0));
    RefreshBudget budget = RefreshBudget.regular(1, NOW, Duration.ofDays(7), 1);
    GainParameters noShare = GainParameters.LEARNING.withWaitingShare(0);
    assertThat(new UserUtility(noShare, 1).plan(TestPage.known(pages), budget).ripens()).isFalse();
    assertThat(new UserUtility(noShare, 1).plan(told(pages), budget).ripens()).isTrue();
    assertThat(new UserUtility(1).plan(told(pages), budget).ripens()).isFalse();
  }

  @Test
  void asManyChangesWerePublishedSinceATimeAsThereAreLaterOnes() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 1_000; round++) {
      List<Instant> missed = new ArrayList<>();
      for (int day = 61; day < 70; day++) {
        if (random.nextInt(3) == 0) {
          missed.add(TestPage.day(day));
        }
      }
      TestPage page = TestPage.of("http://a/").record(60 + random.nextInt(2));
      PageFacts facts = telling(page, random.nextInt(4), missed, 100, 0).facts();
      Instant since = TestPage.day(58 + random.nextInt(14));
      long later =
          IntStream.range(0, facts.publishedChanges())
              .filter(change -> facts.publishedChange(change).isAfter(since))
              .count();
      assertThat(facts.publishedSince(since))
          .as("seed %d, round %d", seed, round)
          .isEqualTo((int) later);
    }
  }

  /** Each look at a page of a feed that has a new time every minute counts them. */
  @Test
  void whatWasPublishedAndFetchedIsNotCountedOneByOne() {
    FetchedOnce page = new FetchedOnce();
    PublishedChanges published = new PublishedChanges(65_535, List.of(), TestPage.day(100), 0);
    PageFacts facts = new AddressFacts(page, published);
    assertThat(facts.publishedSince(TestPage.day(1))).isEqualTo(65_535);
    assertThat(facts.publishedSince(TestPage.day(60))).isZero();
    assertThat(page.asked).isLessThan(10);
  }

  /** Counts how often it is asked for its last refresh. */
  private static final class FetchedOnce implements PageHistory {
    private int asked;

    @Override
    public String page() {
      return "http://a/";
    }

    @Override
    public Instant lastRefresh() {
      asked++;
      return TestPage.day(60);
    }

    @Override
    public int refreshes() {
      return 1;
    }

    @Override
    public double sumOfRates() {
      return 0;
    }

    @Override
    public double totalGain() {
      return 0;
    }

    @Override
    public double totalDays() {
      return 60;
    }
  }

  private static KnownPages told(List<KnownPage> pages) {
    return new KnownPages() {
      @Override
      public long size() {
        return pages.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        pages.forEach(reader);
      }

      @Override
      public boolean tellsWhenMoreIsKnown() {
        return true;
      }
    };
  }
}
