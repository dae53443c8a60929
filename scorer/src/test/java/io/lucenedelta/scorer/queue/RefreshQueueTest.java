// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.tuple;

import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.GainParameters;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RecordedPage;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TestPage;
import io.lucenedelta.scorer.refresh.TopPages;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.schedule.ChoGarciaMolina;
import io.lucenedelta.scorer.schedule.IncrementalBuckets;
import io.lucenedelta.scorer.schedule.Polling;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefreshQueueTest {
  private final List<TestPage> pages =
      new ArrayList<>(List.of(TestPage.of("a"), TestPage.of("b"), TestPage.of("c")));
  private final RefreshQueue queue = new RefreshQueue(new UserUtility(1), Duration.ofDays(1));

  private KnownPages known() {
    return TestPage.known(pages);
  }

  private static RefreshBudget budget(int count, double day) {
    return RefreshBudget.atAnyTime(count, TestPage.day(day));
  }

  private List<String> take(int count, double day) {
    return names(queue.take(known(), budget(count, day), TestPage.day(day)));
  }

  private static List<String> names(List<RefreshCandidate> batch) {
    return batch.stream().map(RefreshCandidate::page).toList();
  }

  @Test
  void noPageIsHandedOutTwiceWhileItsLeaseRuns() {
    List<String> all = new ArrayList<>(take(2, 10));
    all.addAll(take(2, 10.5));
    assertThat(all).containsExactlyInAnyOrder("a", "b", "c");
    assertThat(take(3, 10.9)).isEmpty();
    assertThat(queue.holds(known(), TestPage.day(10.9))).hasSize(3);
    assertThat(queue.holds(known(), TestPage.day(11.9))).hasSize(0);
  }

  @Test
  void aReportThatNamesNoPageOrTimeIsRefusedAndBreaksNoLaterQuestion() {
    List<ThrowingCallable> reports =
        List.of(
            () -> queue.failed(null, TestPage.day(10)),
            () -> queue.failed("a", null),
            () -> queue.retryAfter(null, TestPage.day(10), TestPage.day(11)),
            () -> queue.retryAfter("a", null, TestPage.day(11)),
            () -> queue.retryAfter("a", TestPage.day(10), null),
            () -> queue.gone(null, TestPage.day(10)),
            () -> queue.gone("a", null));
    for (ThrowingCallable report : reports) {
      assertThatNullPointerException().isThrownBy(report);
    }
    assertThat(queue.holds()).isEmpty();
    assertThat(take(3, 10)).containsExactlyInAnyOrder("a", "b", "c");
    assertThatNullPointerException()
        .isThrownBy(() -> new RefreshQueue(null, Duration.ofDays(1)))
        .withMessageContaining("a policy");
  }

  @Test
  void aPolicyHearsWhetherItWillBeToldWhenMoreIsKnownOfAPage() {
    for (boolean tells : new boolean[] {false, true}) {
      List<Boolean> heard = new ArrayList<>();
      RefreshPolicy policy =
          (known, budget) -> {
            heard.add(known.tellsWhenMoreIsKnown());
            return (free, now, count) -> List.of();
          };
      KnownPages all = known();
      KnownPages telling =
          new KnownPages() {
            @Override
            public long size() {
              return all.size();
            }

            @Override
            public void forEach(Consumer<? super KnownPage> reader) {
              all.forEach(reader);
            }

            @Override
            public boolean tellsWhenMoreIsKnown() {
              return tells;
            }
          };
      new RefreshQueue(policy, Duration.ofDays(1)).take(telling, budget(1, 10), TestPage.day(10));
      assertThat(heard).containsExactly(tells);
    }
  }

  @Test
  void anExpiredLeaseFreesItsPage() {
    take(3, 10);
    assertThat(take(3, 11)).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void aPageThatIsDroppedInSilenceIsHandedOutLessAndLessOften() {
    pages.removeIf(page -> !page.page().equals("a"));
    List<Integer> days = new ArrayList<>();
    for (int day = 10; day < 60; day++) {
      if (!take(1, day).isEmpty()) {
        days.add(day);
      }
    }
    assertThat(days).containsExactly(10, 11, 13, 17, 25, 41);
    RefreshQueue other = new RefreshQueue(new UserUtility(1), Duration.ofDays(1), queue.holds());
    assertThat(names(other.take(known(), budget(1, 72.9), TestPage.day(72.9)))).isEmpty();
    pages.set(0, TestPage.of("a").record(60));
    assertThat(take(1, 61)).as("refreshed").containsExactly("a");
    assertThat(take(1, 62)).as("the first lease has run out").containsExactly("a");
  }

  @Test
  void pagesThatAreHeldWhenAPlanIsMadeAreLearnedFromAndPlannedForLikeOthers() {
    List<TestPage> some = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      double[] gains = i < 2 ? new double[] {9, 9} : new double[] {0, 0.1};
      some.add(TestPage.of("https://s%d.test/%d".formatted(i % 2, i)).record(5 + i / 10.0, gains));
    }
    KnownPages known = TestPage.known(some);
    for (RefreshPolicy policy : List.of(new UserUtility(1), new Polling(1))) {
      RefreshQueue planning = new RefreshQueue(policy, Duration.ofHours(2));
      List<String> leased = names(planning.take(known, budget(2, 10), TestPage.day(10)));
      planning.replan();
      RefreshPlan all = policy.plan(known, budget(3, 10.05));
      List<RefreshCandidate> expected = new ArrayList<>(all.next(known, TestPage.day(10.05), 6));
      expected.removeIf(candidate -> leased.contains(candidate.page()));
      assertThat(planning.take(known, budget(3, 10.05), TestPage.day(10.05)))
          .as("%s, two are held", policy)
          .isEqualTo(expected.subList(0, 3));
      assertThat(names(planning.take(known, budget(6, 10.1), TestPage.day(10.1))))
          .as("%s, those are free again", policy)
          .hasSize(3)
          .containsAll(leased);
    }
  }

  /** A strategy that works out frequencies abandons pages that change too often for its budget. */
  @Test
  void pagesThatAreGoneWhenAPlanIsMadeTakeNothingOfItsBudget() {
    RecordedPage[] some = new RecordedPage[12];
    for (int i = 0; i < some.length; i++) {
      some[i] = RecordedPage.of(i < 2 ? "fast" + i : "gone" + i);
      for (int visit = 1; visit <= 20; visit++) {
        some[i].visit(7 * visit, i < 2 ? visit : visit / 4, 0);
      }
    }
    KnownPages known = RecordedPage.pages(some);
    KnownPages free = RecordedPage.pages(some[0], some[1]);
    Instant now = RecordedPage.day(147);
    RefreshBudget two = RefreshBudget.regular(2, now, Duration.ofDays(7), 1);
    for (RefreshPolicy policy :
        List.of(new IncrementalBuckets(2, 1), new ChoGarciaMolina(1e9, 1))) {
      RefreshQueue planning = new RefreshQueue(policy, Duration.ofHours(2));
      for (int i = 2; i < some.length; i++) {
        planning.gone(some[i].page(), now);
      }
      List<RefreshCandidate> expected = policy.plan(free, two).next(free, now, 2);
      assertThat(expected).as("%s", policy).hasSize(2);
      assertThat(planning.take(known, two, now)).as("%s", policy).isEqualTo(expected);
    }
  }

  @Test
  void aRefreshByAClockThatIsSlowIsNoSilence() {
    pages.removeIf(page -> !page.page().equals("a"));
    for (int day = 10; day < 60; day++) {
      assertThat(take(1, day)).as("day %d", day).containsExactly("a");
      pages.set(0, TestPage.of("a").record(day - 0.1)); // fetched after that, by a slow clock
      assertThat(take(1, day + 0.5)).isEmpty();
      assertThat(queue.hold("a").orElseThrow().failures()).isZero();
    }
    take(1, 60);
    assertThat(take(1, 61)).containsExactly("a");
    assertThat(queue.hold("a").orElseThrow().failures()).as("silence").isOne();
  }

  @Test
  void holdsOfAClockThatWasAheadBeginAnew() {
    take(2, 9_999);
    queue.gone("c", TestPage.day(9_999));
    assertThat(take(3, 10)).as("held from now on").isEmpty();
    assertThat(take(3, 10.9)).isEmpty();
    assertThat(take(3, 11)).as("as long as ever").containsExactlyInAnyOrder("a", "b");
    assertThat(queue.hold("c").orElseThrow().until()).as("gone").isEqualTo(Instant.MAX);
    queue.returned("c");
    assertThat(take(3, 11)).containsExactly("c");
  }

  @Test
  void theHoldsOfAClockThatWasAheadAreToldAsTheyBeginAnewAndStayAsTheyAre() {
    take(3, 9_999);
    queue.failed("b", TestPage.day(9_999));
    queue.gone("c", TestPage.day(9_999));
    List<RefreshQueue.Hold> before = queue.holds();
    Instant right = TestPage.day(10);
    assertThat(queue.holds(known(), right))
        .extracting(RefreshQueue.Hold::page, RefreshQueue.Hold::since, RefreshQueue.Hold::until)
        .containsExactlyInAnyOrder(
            tuple("a", right, TestPage.day(11)),
            tuple("b", right, TestPage.day(11)),
            tuple("c", right, Instant.MAX));
    assertThat(queue.holds()).isEqualTo(before);
  }

  @Test
  void aClockThatIsSetBackForAWhileEndsNoHold() {
    pages.replaceAll(page -> page.record(10));
    String leased = take(1, 10.1).get(0);
    String gone = leased.equals("a") ? "b" : "a";
    String failed = leased.equals("c") ? "b" : "c";
    queue.gone(gone, TestPage.day(10.1));
    queue.failed(failed, TestPage.day(10.1));
    assertThat(take(3, 9.9)).as("before their last fetch").isEmpty();
    assertThat(queue.holds(known(), TestPage.day(10.1))).hasSize(3);
    assertThat(take(3, 10.11)).isEmpty();
    pages.replaceAll(page -> page.page().equals(leased) ? page.record(10.2) : page);
    queue.consider(leased);
    assertThat(take(3, 10.3)).as("fetched since").containsExactly(leased);
  }

  @Test
  void aReportByAClockThatIsBehindOutlastsWhatWasFetchedBeforeTheLease() {
    pages.replaceAll(page -> page.record(10));
    take(3, 10.5);
    queue.gone("a", TestPage.day(9.5));
    queue.failed("b", TestPage.day(9.5));
    queue.retryAfter("c", TestPage.day(9.5), TestPage.day(14));
    assertThat(queue.holds(known(), TestPage.day(10.4))).hasSize(3);
    take(1, 9); // and is set back once more
    assertThat(take(3, 13)).containsExactly("b");
    pages.replaceAll(page -> page.page().equals("b") ? page : page.record(13.1));
    queue.consider("a");
    queue.consider("c");
    assertThat(take(3, 13.2)).as("fetched since").containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void aRefreshByAClockThatWasAheadEndsALeaseWhenItIsSetBack() {
    pages.removeIf(page -> !page.page().equals("a"));
    assertThat(take(1, 10.5)).containsExactly("a");
    pages.replaceAll(page -> page.record(10.1)); // fetched by a clock that is right
    assertThat(take(1, 10.2)).containsExactly("a");
    assertThat(queue.hold("a").orElseThrow().failures()).isZero();
  }

  @Test
  void anEndThatASiteNamedStaysWhereTheClockGoesBackByLessThanTheWait() {
    double hour = 1.0 / 24;
    queue.retryAfter("a", TestPage.day(10), TestPage.day(10 + 3 * hour));
    queue.failed("b", TestPage.day(10));
    assertThat(take(3, 10 - hour)).containsExactly("c");
    queue.gone("c", TestPage.day(10 - hour));
    assertThat(take(3, 10 + 2.5 * hour)).isEmpty();
    assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(TestPage.day(10 + 3 * hour));
    assertThat(take(3, 10 + 3 * hour)).containsExactly("a");
    assertThat(take(3, 11 - hour)).as("as long as ever").containsExactly("b");
    queue.retryAfter("b", TestPage.day(900), TestPage.day(901));
    take(0, 11);
    assertThat(queue.hold("b").orElseThrow().until())
        .as("named by a clock that was far ahead, perhaps")
        .isEqualTo(TestPage.day(12));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 1e-6, 3, 9_999})
  void aSiteThatNamesATimeThatIsOverHasFailed(double daysAgo) {
    queue.failed("a", TestPage.day(10));
    queue.retryAfter("a", TestPage.day(11), TestPage.day(11 - daysAgo));
    assertThat(queue.hold("a").orElseThrow())
        .isEqualTo(
            new RefreshQueue.Hold("a", TestPage.day(11), TestPage.day(13), 2, false, Instant.MIN));
  }

  @Test
  void aClockHasBeenSetBackWhereAHoldBeganMoreThanHalfAnHourFromNow() {
    double minute = 1.0 / (24 * 60);
    queue.failed("a", TestPage.day(10));
    take(0, 10 - 29 * minute);
    assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(TestPage.day(11));
    take(0, 10 - 31 * minute);
    assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(TestPage.day(11 - 31 * minute));
  }

  @Test
  void aTimeThatASiteNamedIsNoFailureAndAPageThatIsGoneFailedOnce() {
    queue.failed("a", TestPage.day(10));
    queue.retryAfter("a", TestPage.day(11), TestPage.day(12));
    queue.failed("a", TestPage.day(12));
    assertThat(queue.hold("a").orElseThrow().until()).as("twice a day").isEqualTo(TestPage.day(14));
    queue.gone("c", TestPage.day(12));
    assertThat(queue.hold("c").orElseThrow().failures()).isOne();
  }

  @Test
  void aPageIsLeftAloneForAThousandYearsAtMostWhateverTimeIsNamed() {
    for (Instant time : new Instant[] {Instant.MAX, TestPage.day(365_011)}) {
      queue.retryAfter("a", TestPage.day(10), time);
      assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(TestPage.day(365_010));
    }
    queue.retryAfter("a", TestPage.day(10), TestPage.day(365_009));
    assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(TestPage.day(365_009));
  }

  @Test
  void aFailureByAClockThatWasAheadIsOverIfThePageWasFetchedAfterIt() {
    queue.failed("a", TestPage.day(9_999));
    queue.failed("b", TestPage.day(9_999));
    pages.set(0, pages.get(0).record(9_999.5)); // by the same clock
    take(0, 10);
    assertThat(queue.hold("a")).isEmpty();
    assertThat(queue.hold("b").orElseThrow().until()).isEqualTo(TestPage.day(11));
  }

  @Test
  void aQuestionThatComesLateShortensNoLease() {
    String first = take(1, 10).get(0);
    double minutes = 1.0 / (24 * 60);
    assertThat(take(1, 10 - 25 * minutes)).hasSize(1).doesNotContain(first);
    assertThat(take(3, 11 - minutes)).hasSize(2).doesNotContain(first);
  }

  @Test
  void aPageThatFailsAfterALeaseHasFailedOnce() {
    pages.removeIf(page -> !page.page().equals("a"));
    take(1, 10);
    queue.failed("a", TestPage.day(10.5));
    assertThat(take(1, 11.4)).isEmpty();
    assertThat(take(1, 11.5)).containsExactly("a");
    queue.failed("a", TestPage.day(11.5));
    assertThat(take(1, 13.4)).isEmpty();
    assertThat(take(1, 13.5)).containsExactly("a");
  }

  @Test
  void whatNobodyAskedForAgainIsForgotten() {
    take(3, 10);
    queue.gone("a", TestPage.day(10));
    take(0, 43.05);
    take(0, 43.1);
    take(0, 44);
    assertThat(queue.holds()).as("old for less than a lease").hasSize(3);
    take(0, 44.1);
    assertThat(queue.holds()).hasSize(1);
  }

  @Test
  void howOftenAPageFailedIsRememberedAsLongAsItIsTold() {
    KnownPages told = TestPage.known(List.of(TestPage.of("b")));
    queue.failed("a", TestPage.day(10));
    queue.failed("b", TestPage.day(10));
    for (double day : new double[] {43.1, 44.1}) {
      queue.take(known(), told, Set.of(), budget(0, day), TestPage.day(day));
    }
    assertThat(queue.hold("a")).as("nothing is told of it").isEmpty();
    queue.failed("b", TestPage.day(44.1));
    assertThat(queue.hold("b").orElseThrow().failures()).isEqualTo(2);
    for (double day : new double[] {80, 81}) {
      queue.take(known(), KnownPages.NONE, Set.of(), budget(0, day), TestPage.day(day));
    }
    assertThat(queue.hold("b")).as("no longer told").isEmpty();
  }

  @Test
  void ofAnEarlierQueueTheLastLeaseTellsWhatWasOldThen() {
    queue.failed("a", TestPage.day(10));
    queue.failed("b", TestPage.day(40));
    queue.gone("c", TestPage.day(44.1));
    for (double day : new double[] {44.2, 45.1}) {
      RefreshQueue other = new RefreshQueue(new UserUtility(1), Duration.ofDays(1), queue.holds());
      other.take(known(), budget(0, day), TestPage.day(day));
      assertThat(other.holds()).as("day %s", day).hasSize(day < 45 ? 3 : 2);
    }
  }

  @Test
  void aClockThatIsAheadForOneQuestionEndsNoHold() {
    for (boolean takes : new boolean[] {false, true}) {
      for (int failure = 0; failure < 6; failure++) {
        queue.failed("a", TestPage.day(10));
      }
      queue.retryAfter("b", TestPage.day(10), TestPage.day(40));
      List<RefreshQueue.Hold> before = queue.holds();
      if (takes) {
        assertThat(take(0, 9_999)).isEmpty();
      } else {
        Instant ahead = TestPage.day(9_999);
        RefreshBudget budget = budget(3, 9_999);
        assertThat(queue.nextFree(known(), KnownPages.NONE, Set.of(), budget, ahead)).hasSize(3);
      }
      assertThat(queue.holds()).isEqualTo(before);
      assertThat(queue.holds(known(), TestPage.day(10.1))).hasSize(2);
      assertThat(take(3, 10.1)).containsExactly("c");
      queue.returned("c");
    }
  }

  @Test
  void lookingByAClockThatIsBehindChangesNoHold() {
    queue.failed("a", TestPage.day(10));
    queue.gone("b", TestPage.day(10));
    List<RefreshQueue.Hold> before = queue.holds();
    List<RefreshCandidate> next =
        queue.nextFree(known(), KnownPages.NONE, Set.of(), budget(3, 5), TestPage.day(5));
    assertThat(names(next)).containsExactly("c");
    assertThat(queue.holds()).isEqualTo(before);
    assertThat(take(3, 11)).containsExactlyInAnyOrder("a", "c");
  }

  @Test
  void aRefreshInTheHistoryEndsALease() {
    take(3, 10);
    pages.set(0, TestPage.of("a").record(9.9));
    assertThat(take(3, 10.3)).as("refreshed before it was handed out").isEmpty();
    assertThat(queue.holds(known(), TestPage.day(10.3))).hasSize(3);
    pages.set(0, TestPage.of("a").record(10.2));
    assertThat(queue.holds(known(), TestPage.day(10.3))).hasSize(2);
    assertThat(take(3, 10.4)).containsExactly("a");
  }

  @Test
  void aRefreshInTheSecondOfTheHandOutEndsALeaseToo() {
    double halfASecond = 0.5 / (24 * 60 * 60);
    double day = 10;
    for (int round = 0; round < 20; round++, day++) {
      assertThat(take(3, day + halfASecond)).containsExactlyInAnyOrder("a", "b", "c");
      assertThat(take(3, day + 2 * halfASecond)).as("still held").isEmpty();
      for (int page = 0; page < 3; page++) { // by clocks that tell whole seconds, or stand still
        double fetched = day + (page == 1 ? halfASecond : 0);
        pages.set(page, TestPage.of(pages.get(page).page()).record(fetched));
      }
      assertThat(queue.holds(known(), TestPage.day(day + 0.1))).isEmpty();
    }
  }

  @Test
  void aPageRefreshedInTheSecondBeforeItsHandOutStaysHeld() {
    double second = 1.0 / (24 * 60 * 60);
    pages.set(0, TestPage.of("a").record(10 + 0.2 * second));
    assertThat(take(3, 10 + 0.5 * second)).contains("a");
    assertThat(take(3, 10.1)).isEmpty();
  }

  @Test
  void aRefreshOfAPageThatWasToldEndsItsLeaseForGood() {
    for (double day : new double[] {10, 10.4}) {
      pages.set(0, TestPage.of("a").record(day - 0.2));
      List<RefreshCandidate> batch =
          queue.take(KnownPages.NONE, known(), Set.of(), budget(3, day), TestPage.day(day));
      assertThat(names(batch)).contains("a");
      assertThat(queue.hold("a").orElseThrow().failures()).isEqualTo(0);
    }
  }

  @Test
  void aFetchOfThatSecondEndsALeaseButNoReport() {
    double second = 1.0 / (24 * 60 * 60);
    assertThat(take(3, 10 + 0.3 * second)).hasSize(3);
    queue.failed("a", TestPage.day(10 + 0.6 * second));
    queue.gone("b", TestPage.day(10 + 0.6 * second));
    pages.replaceAll(page -> page.record(10)); // by a clock that tells whole seconds
    assertThat(take(3, 10.1)).containsExactly("c");
  }

  @Test
  void aRefreshIsHeardOfThroughWhatIsToldAsThroughWhatIsKnown() {
    for (int failure = 0; failure < 3; failure++) {
      queue.failed("a", TestPage.day(10));
    }
    pages.set(0, TestPage.of("a").record(11));
    for (double day : new double[] {12, 13}) {
      List<RefreshCandidate> batch =
          queue.take(KnownPages.NONE, known(), Set.of(), budget(3, day), TestPage.day(day));
      assertThat(names(batch)).contains("a");
      assertThat(queue.hold("a").orElseThrow().failures()).as("day %s", day).isZero();
      pages.set(0, TestPage.of("a").record(11.9)); // fetched after that, by a slow clock
    }
  }

  @Test
  void anAddressAnswersALeaseWhenItsPageIsIndexedNotWhenItIsToldAnew() {
    for (double since : new double[] {5, 8}) { // later by a clock that was set back
      KnownPages told = TestPage.known(List.of(address("new", since)));
      queue.take(known(), told, Set.of(), budget(4, 5 + since), TestPage.day(5 + since));
    }
    assertThat(queue.hold("new").orElseThrow().failures()).as("silence").isOne();
    pages.add(TestPage.of("new").record(12.9)); // leased on day 13; its crawler's clock is slow
    KnownPages stillTold = TestPage.known(List.of(address("new", 8)));
    queue.take(known(), stillTold, Set.of(), budget(4, 15), TestPage.day(15));
    assertThat(queue.hold("new").orElseThrow().since()).isEqualTo(TestPage.day(15));
    assertThat(queue.hold("new").orElseThrow().failures()).as("answered").isZero();
  }

  /** An address that became known on a day, and was never fetched. */
  private static TestPage address(String page, double since) {
    return new TestPage(page, since, 0, 0, 0, 0, 0, -1, true, null);
  }

  @Test
  void aPageThatIsGoneStaysAwayWhenItsAddressIsToldAgain() {
    queue.gone("new", TestPage.day(10));
    pages.add(address("new", 11));
    assertThat(take(9, 12)).containsExactlyInAnyOrder("a", "b", "c");
  }

  /**
   * In a crawl of a batch a month failing pages would else be in every batch, before all others.
   */
  @Test
  void aLeaseOfMonthsIsDoubledUpToThirtyTwoTimes() {
    RefreshQueue other = new RefreshQueue(new UserUtility(1), Duration.ofDays(100));
    List<Integer> days = new ArrayList<>();
    for (int day = 10; day < 10_000; day += 100) {
      if (!other.take(known(), budget(3, day), TestPage.day(day)).isEmpty()) {
        days.add(day);
      }
    }
    assertThat(days).containsExactly(10, 110, 310, 710, 1_510, 3_110, 6_310, 9_510);
  }

  @Test
  void theLongestLeaseIsDoubledToATimeThatThereIs() {
    Duration longest = Duration.ofDays(365_000);
    RefreshQueue other = new RefreshQueue(new UserUtility(1), longest);
    for (int failure = 0; failure < 63; failure++) {
      other.failed("a", TestPage.day(10));
    }
    assertThat(other.hold("a").orElseThrow().until())
        .isEqualTo(TestPage.day(10).plus(longest.multipliedBy(32)));
  }

  @Test
  void aPlanLastsForAPeriodAndIsMadeAnewWhenTheClockWasSetBack() {
    List<Instant> planned = new ArrayList<>();
    RefreshQueue planning =
        new RefreshQueue(
            (known, budget) -> {
              planned.add(budget.first());
              return new Oldest();
            },
            Duration.ofDays(1));
    for (double day : new double[] {10, 10.9, 11, 11.5, 10.5}) {
      planning.take(known(), budget(1, day), TestPage.day(day));
    }
    assertThat(planned).containsExactly(TestPage.day(10), TestPage.day(11), TestPage.day(10.5));
  }

  @Test
  void lookingLeasesNothingAndSeesLeasedPages() {
    take(3, 10);
    assertThat(names(queue.peek(known(), KnownPages.NONE, budget(3, 10), TestPage.day(10))))
        .hasSize(3);
  }

  @Test
  void lookingSeesWhatIsToldOfPagesToo() {
    KnownPages told = TestPage.known(List.of(TestPage.of("a").publishing(9.0), TestPage.of("d")));
    Instant now = TestPage.day(10);
    RefreshPlan plan = new UserUtility(1).plan(known(), budget(4, 10));
    Map<String, Double> expected = new HashMap<>();
    plan.next(known(), now, 4).forEach(c -> expected.put(c.page(), c.priority()));
    plan.next(told, now, 4).forEach(c -> expected.merge(c.page(), c.priority(), Math::max));
    List<RefreshCandidate> seen = queue.peek(known(), told, budget(4, 10), now);
    assertThat(seen)
        .hasSize(4)
        .allMatch(candidate -> candidate.priority() == expected.get(candidate.page()));
    assertThat(queue.peek(known(), told, budget(1, 10), now))
        .as("ties in any order")
        .singleElement()
        .matches(candidate -> candidate.priority() == seen.get(0).priority());
    assertThat(queue.holds()).isEmpty();
  }

  @Test
  void whatHasWaitedLongEnoughIsLeasedWhateverItsPriorityUnlessSomebodyHoldsIt() {
    String last =
        names(queue.peek(known(), KnownPages.NONE, budget(3, 10), TestPage.day(10))).get(2);
    String first = take(1, 10).get(0);
    Set<String> waiting = Set.of(first, last);
    List<RefreshCandidate> batch =
        queue.take(known(), KnownPages.NONE, waiting, budget(1, 10.5), TestPage.day(10.5));
    assertThat(names(batch)).containsExactly(last);
    assertThat(take(3, 10.5)).hasSize(1).doesNotContain(first, last);
  }

  @Test
  void whatIsNextOfTheFreeIsWhatIsLeasedThenAndNothingBefore() {
    KnownPages told = TestPage.known(List.of(address("new", 9.9), address("newer", 9.95)));
    List<String> held = take(1, 10);
    Set<String> waiting = Set.of("new", held.get(0));
    Instant now = TestPage.day(10.5);
    List<RefreshCandidate> next = queue.nextFree(known(), told, waiting, budget(2, 10.5), now);
    assertThat(names(next)).hasSize(2).contains("new").doesNotContainAnyElementsOf(held);
    assertThat(queue.holds()).extracting(RefreshQueue.Hold::page).isEqualTo(held);
    assertThat(queue.take(known(), told, waiting, budget(2, 10.5), now)).isEqualTo(next);
    assertThat(queue.holds()).hasSize(3);
  }

  @Test
  void anAddressThatHasWaitedLongEnoughIsLeasedTooAndIsFoundAmongWhatIsTold() {
    KnownPages told = TestPage.known(List.of(address("new", 9.9)));
    assertThat(names(queue.peek(known(), told, budget(3, 10), TestPage.day(10))))
        .doesNotContain("new");
    List<RefreshCandidate> batch =
        queue.take(known(), told, Set.of("new"), budget(1, 10), TestPage.day(10));
    assertThat(names(batch)).containsExactly("new");
  }

  @Test
  void aFailingPageWaitsTwiceAsLongEachTimeAndBlocksNobody() {
    String first = take(1, 10).get(0);
    queue.failed(first, TestPage.day(10));
    assertThat(take(3, 10.5)).hasSize(2).doesNotContain(first);
    assertThat(take(3, 11)).contains(first);
    queue.failed(first, TestPage.day(11));
    assertThat(take(3, 12.5)).doesNotContain(first);
    assertThat(take(3, 13)).contains(first);
    for (int failure = 0; failure < 63; failure++) { // a shift by 64 places is none
      queue.failed(first, TestPage.day(13));
    }
    assertThat(take(3, 44.9)).doesNotContain(first);
    assertThat(take(3, 46)).contains(first);
  }

  /** Also of a page that another holds, by a crawler whose lease has run out. */
  @Test
  void aReportOutlastsAFetchThatIsDatedBeforeIt() {
    pages.removeIf(page -> !page.page().equals("a"));
    take(1, 10);
    assertThat(take(1, 11)).as("by another").containsExactly("a");
    queue.failed("a", TestPage.day(12));
    pages.set(0, TestPage.of("a").record(11.5));
    assertThat(take(1, 13.9)).isEmpty();
    assertThat(take(1, 14)).containsExactly("a");
    queue.gone("a", TestPage.day(15));
    pages.set(0, TestPage.of("a").record(14.5));
    assertThat(take(1, 50)).isEmpty();
    pages.set(0, TestPage.of("a").record(15.5));
    queue.consider("a"); // as whoever hears of a fetch says
    assertThat(take(1, 50)).containsExactly("a");
  }

  @Test
  void aPageThatCameByAFetchIsHandedOutWhereAllOthersAreHeld() {
    UserUtility policy = new UserUtility(GainParameters.LEARNING.withWaitingShare(0), 0);
    RefreshQueue free = new RefreshQueue(policy, Duration.ofDays(3));
    assertThat(free.take(known(), budget(9, 10), TestPage.day(10))).hasSize(3);
    pages.add(TestPage.of("d").record(10.1));
    free.fetched("d", TestPage.day(10.1));
    assertThat(free.take(known(), budget(9, 10.2), TestPage.day(10.2)))
        .singleElement()
        .extracting(RefreshCandidate::page)
        .isEqualTo("d");
  }

  @Test
  void aRefreshEndsARowOfFailures() {
    pages.removeIf(page -> !page.page().equals("a"));
    for (int failure = 0; failure < 3; failure++) {
      queue.failed("a", TestPage.day(10));
    }
    pages.set(0, pages.get(0).record(11)); // fetched all the same
    assertThat(take(1, 12)).containsExactly("a");
    assertThat(queue.hold("a").orElseThrow().failures()).isZero();
    assertThat(take(1, 13)).as("leased for a day").containsExactly("a");
  }

  @Test
  void aPageThatIsGoneStaysAwayUntilItReturns() {
    queue.gone("b", TestPage.day(10));
    assertThat(take(3, 1000)).containsExactlyInAnyOrder("a", "c");
    queue.returned("b");
    assertThat(take(3, 1000.5)).containsExactly("b");
  }

  @Test
  void aPageThatIsReturnedIsNoLongerHeld() {
    take(3, 10);
    queue.failed("a", TestPage.day(10));
    queue.returned("a");
    assertThat(queue.holds(known(), TestPage.day(10))).hasSize(2);
  }

  @Test
  void aQueueGoesOnWithTheHoldsOfAnother() {
    List<String> leased = take(2, 10);
    queue.failed(leased.get(0), TestPage.day(10));
    RefreshQueue other = new RefreshQueue(new UserUtility(1), Duration.ofDays(1), queue.holds());
    assertThat(names(other.take(known(), budget(3, 10.5), TestPage.day(10.5))))
        .hasSize(1)
        .doesNotContainAnyElementsOf(leased);
  }

  @Test
  void aBatchThatIsTakenBackLeavesHoldsAsTheyWereButForReportsSince() {
    take(1, 10);
    queue.failed("a", TestPage.day(10));
    take(2, 10.5);
    List<RefreshQueue.Hold> before = queue.holds();
    List<String> batch = take(3, 12);
    assertThat(batch).hasSize(3);
    List<RefreshQueue.Hold> leases = queue.holds();
    queue.takeBack(leases, before);
    assertThat(queue.holds()).containsExactlyInAnyOrderElementsOf(before);
    assertThat(take(3, 12)).hasSize(3);
    queue.gone("a", TestPage.day(12));
    queue.returned("b");
    queue.takeBack(leases, before);
    assertThat(queue.hold("a").orElseThrow().until()).isEqualTo(Instant.MAX);
    assertThat(queue.hold("b")).isEmpty();
    assertThat(queue.hold("c")).isPresent().get().isIn(before);
  }

  @Test
  void aPageThatAnotherHasMeanwhileIsNotTakenBack() {
    List<String> batch = take(1, 10);
    List<RefreshQueue.Hold> leases = queue.holds();
    queue.returned(batch.get(0));
    assertThat(take(1, 10.5)).isEqualTo(batch);
    List<RefreshQueue.Hold> now = queue.holds();
    queue.takeBack(leases, List.of());
    assertThat(queue.holds()).isEqualTo(now).hasSize(1);
  }

  @Test
  void aQuestionThatFailedLeavesHoldsAsTheyWere() {
    queue.failed("a", TestPage.day(10));
    List<RefreshQueue.Hold> before = queue.holds();
    assertThat(take(3, 10.5)).hasSize(2);
    queue.restore(before);
    assertThat(queue.holds()).isEqualTo(before);
    assertThat(take(3, 10.5)).hasSize(2).doesNotContain("a");
  }

  private static List<String> bestTenBut(
      List<String> taken, RefreshPlan plan, KnownPages known, Instant now) {
    return names(plan.next(known, now, taken.size() + 10)).stream()
        .filter(page -> !taken.contains(page))
        .limit(10)
        .toList();
  }

  @Test
  void batchesFromAShortListAreThoseFromAllPages() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      double[] gains = new double[random.nextInt(3)];
      Arrays.setAll(gains, g -> Math.exp(3 * random.nextGaussian()));
      many.add(
          TestPage.of("https://s%d.test/%d".formatted(i % 7, i))
              .record(100 * random.nextDouble(), gains));
    }
    CountedPages counted = new CountedPages(TestPage.known(many));
    RefreshPlan all = new UserUtility(1).plan(counted, budget(10, 100));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    List<String> taken = new ArrayList<>();
    for (int hour = 0; hour < 24; hour++) {
      Instant now = TestPage.day(100 + hour / 24.0);
      List<String> expected = bestTenBut(taken, all, counted, now);
      long before = counted.passes;
      List<String> batch = names(shortly.take(counted, budget(10, 100), now));
      assertThat(batch).as("seed %d, hour %d", seed, hour).isEqualTo(expected);
      if (hour > 0) {
        assertThat(counted.passes).as("seed %d, hour %d", seed, hour).isEqualTo(before);
      }
      taken.addAll(batch);
    }
  }

  /** Its age is nothing, but a day of it is worth more than months of the pages on the list. */
  @Test
  void aPageWhoseFetchFindsThatItChangesOftenComesBeforePagesOfAShortListOnTheSameDay() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(TestPage.of("https://s%d.test/%d".formatted(i % 7, i)).record(90 + i / 400.0, 1));
    }
    String lively = "https://lively.test/";
    many.add(TestPage.of(lively).record(99.9));
    CountedPages counted = new CountedPages(TestPage.known(many));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    assertThat(names(shortly.take(counted, budget(1, 100), TestPage.day(100))))
        .doesNotContain(lively);
    double[] gains = new double[1_000];
    Arrays.fill(gains, 30);
    many.set(3_000, TestPage.of(lively).record(100.01, gains));
    shortly.fetched(lively, TestPage.day(100.01));
    long passes = counted.passes;
    for (double day : new double[] {100.02, 100.1, 100.5, 100.9}) {
      Instant now = TestPage.day(day);
      RefreshQueue anew = new RefreshQueue(new UserUtility(1), Duration.ofDays(9), shortly.holds());
      assertThat(names(shortly.nextFree(counted, KnownPages.NONE, Set.of(), budget(1, day), now)))
          .as("day %s", day)
          .isEqualTo(
              names(
                  anew.nextFree(
                      TestPage.known(many), KnownPages.NONE, Set.of(), budget(1, day), now)));
    }
    assertThat(
            names(
                shortly.nextFree(
                    counted, KnownPages.NONE, Set.of(), budget(1, 100.9), TestPage.day(100.9))))
        .containsExactly(lively);
    assertThat(counted.passes).as("no pass over all pages").isEqualTo(passes);
  }

  @Test
  void listsAreMadeForAShorterTimeWherePrioritiesGrowMuch() {
    long seed = System.nanoTime();
    CountedPages counted = new CountedPages(TestPage.known(fetchedHalfADayAgo(seed)));
    RefreshPlan all = new UserUtility(1).plan(counted, budget(10, 100));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    List<String> taken = new ArrayList<>();
    long passes = 0;
    for (int minute = 0; minute < 60; minute++) {
      Instant now = TestPage.day(100 + minute / 1_440.0);
      List<String> expected = bestTenBut(taken, all, counted, now);
      long before = counted.passes;
      List<String> batch = names(shortly.take(counted, budget(10, 100), now));
      assertThat(batch).as("seed %d, minute %d", seed, minute).isEqualTo(expected);
      passes += counted.passes - before;
      taken.addAll(batch);
    }
    assertThat(passes).as("seed %d, of 60 batches", seed).isLessThan(25);
  }

  @Test
  void listsAreMadeForALongerTimeAgainWhenPrioritiesHardlyGrowAnyMore() {
    long seed = System.nanoTime();
    CountedPages counted = new CountedPages(TestPage.known(fetchedHalfADayAgo(seed)));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(999));
    for (int minute = 0; minute < 30; minute++) {
      shortly.take(counted, budget(10, 100), TestPage.day(100 + minute / 1_440.0));
    }
    long before = counted.passes;
    for (int hour = 0; hour < 24; hour++) {
      shortly.take(counted, budget(10, 400), TestPage.day(400 + hour / 24.0));
    }
    assertThat(counted.passes - before).as("seed %d, of 24 batches", seed).isLessThan(12);
  }

  @Test
  void listsAreMadeAgainAfterManyQuestionsAtOneMomentWhenNothingWasDue() {
    long seed = System.nanoTime();
    CountedPages counted = new CountedPages(TestPage.known(fetchedHalfADayAgo(seed)));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(999));
    for (int question = 0; question < 60; question++) {
      assertThat(shortly.take(counted, budget(10, 99.5), TestPage.day(99.5))).isEmpty();
    }
    long before = counted.passes;
    for (int hour = 0; hour < 24; hour++) {
      shortly.take(counted, budget(10, 400), TestPage.day(400 + hour / 24.0));
    }
    assertThat(counted.passes - before).as("seed %d, of 24 batches", seed).isLessThan(24);
  }

  /** Pages fetched last on day 99.5. */
  private static List<TestPage> fetchedHalfADayAgo(long seed) {
    Random random = new Random(seed);
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      double[] gains = new double[random.nextInt(3)];
      Arrays.setAll(gains, g -> Math.exp(random.nextGaussian()));
      many.add(TestPage.of("https://s%d.test/%d".formatted(i % 7, i)).record(99.5, gains));
    }
    return many;
  }

  /** Priorities that grow fast for some pages and not at all for others. */
  private record FastAndSteady() implements RefreshPlan {
    @Override
    public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
      TopPages best = new TopPages(budget, 1);
      known.forEach(
          page ->
              best.offer(page.page(), page.page().startsWith("fast") ? 100 * page.age(now) : 50));
      return best.bestFirst();
    }

    @Override
    public boolean ripens() {
      return true;
    }
  }

  /** Where nothing says that priorities only grow: those first whose hour of the day is nearest. */
  private record ByHour() implements RefreshPlan {
    @Override
    public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
      TopPages best = new TopPages(budget, 0);
      double hour = 24 * Days.between(TestPage.day(100), now);
      known.forEach(
          page -> {
            double its = Integer.parseInt(page.page()) / 125.0;
            best.offer(page.page(), -Math.abs(hour - its));
          });
      return best.bestFirst();
    }
  }

  @Test
  void wherePrioritiesMayFallAllPagesAreLookedAtForEveryBatch() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(TestPage.of(Integer.toString(i)));
    }
    RefreshQueue always = new RefreshQueue((known, budget) -> new ByHour(), Duration.ofDays(9));
    List<String> taken = new ArrayList<>();
    for (int hour = 1; hour < 24; hour++) {
      Instant now = TestPage.day(100 + hour / 24.0);
      List<String> expected = bestTenBut(taken, new ByHour(), TestPage.known(many), now);
      List<String> batch = names(always.take(TestPage.known(many), budget(10, 100), now));
      assertThat(batch).as("hour %d", hour).isEqualTo(expected).contains("" + 125 * hour);
      taken.addAll(batch);
    }
  }

  @Test
  void aBatchOfNoPagesIsEmptyHoweverManyThereAre() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(TestPage.of("p" + i));
    }
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    assertThat(shortly.take(TestPage.known(many), budget(0, 10), TestPage.day(10))).isEmpty();
    assertThat(shortly.holds()).isEmpty();
  }

  /** Those first that were fetched longest ago. */
  private record Oldest() implements RefreshPlan {
    @Override
    public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
      TopPages best = new TopPages(budget, 0);
      known.forEach(page -> best.offer(page.page(), page.age(now)));
      return best.bestFirst();
    }

    @Override
    public boolean ripens() {
      return true;
    }
  }

  @Test
  void pagesThatWillBeBestLaterAreNotTakenForTheBestOfNow() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(TestPage.of((i < 2_000 ? "fast" : "steady") + i).record(99.9));
    }
    RefreshQueue shortly =
        new RefreshQueue((known, budget) -> new FastAndSteady(), Duration.ofDays(9));
    for (double day : new double[] {100, 100.01, 100.2, 100.39}) {
      assertThat(names(shortly.take(TestPage.known(many), budget(10, 100), TestPage.day(day))))
          .as("day %s", day)
          .hasSize(10)
          .allMatch(page -> page.startsWith("steady"));
    }
    for (double day : new double[] {100.41, 100.9}) {
      assertThat(names(shortly.take(TestPage.known(many), budget(10, 100), TestPage.day(day))))
          .as("day %s", day)
          .hasSize(10)
          .allMatch(page -> page.startsWith("fast"));
    }
  }

  /** One priority that stays high, one that stays low, and others that grow past it. */
  private record UrgentSlowAndFast() implements RefreshPlan {
    @Override
    public List<RefreshCandidate> next(KnownPages known, Instant now, int budget) {
      TopPages best = new TopPages(budget, 0);
      double days = Days.between(TestPage.day(100), now);
      known.forEach(page -> best.offer(page.page(), priority(page.page(), days)));
      return best.bestFirst();
    }

    private static double priority(String page, double days) {
      return page.equals("urgent") ? 100 : page.equals("slow") ? 5 : 10 * days;
    }

    @Override
    public boolean ripens() {
      return true;
    }
  }

  @Test
  void oneUrgentPageDoesNotVouchForTheRestOfAShortList() {
    List<TestPage> many = new ArrayList<>(List.of(TestPage.of("urgent"), TestPage.of("slow")));
    for (int i = 0; i < 1_000; i++) {
      many.add(TestPage.of("fast" + i));
    }
    RefreshQueue shortly =
        new RefreshQueue((known, budget) -> new UrgentSlowAndFast(), Duration.ofDays(9));
    assertThat(names(shortly.take(TestPage.known(many), budget(2, 100), TestPage.day(100))))
        .containsExactly("urgent", "slow");
  }

  @Test
  void whatIsToldOfPagesCountsAtOnceWithAndWithoutShortLists() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 4_000; i++) {
      double[] gains = new double[random.nextInt(3)];
      Arrays.setAll(gains, g -> Math.exp(3 * random.nextGaussian()));
      many.add(TestPage.of("p" + i).record(100 * random.nextDouble(), gains));
    }
    List<TestPage> changed = new ArrayList<>();
    UserUtility policy = new UserUtility(GainParameters.LEARNING.withWaitingShare(0), 0);
    RefreshPlan plan = policy.plan(TestPage.known(many), budget(10, 100));
    RefreshQueue shortly = new RefreshQueue(policy, Duration.ofDays(9));
    Set<String> taken = new HashSet<>();
    for (int hour = 0; hour < 23; hour++) {
      for (int i = 0; i < 150; i++) {
        int page = random.nextInt(many.size());
        String key = "p" + page;
        changed.removeIf(told -> told.page().equals(key));
        changed.add(many.get(page).publishing(100 + hour / 24.0));
        shortly.consider(key);
      }
      Instant now = TestPage.day(100 + (hour + 0.5) / 24.0);
      KnownPages told = TestPage.known(changed);
      Map<String, Double> all = new HashMap<>();
      plan.next(TestPage.known(many), now, 9_999).forEach(c -> all.put(c.page(), c.priority()));
      plan.next(told, now, 9_999).forEach(c -> all.merge(c.page(), c.priority(), Math::max));
      all.keySet().removeAll(taken);
      TopPages expected = new TopPages(10, 0);
      all.forEach(expected::offer);
      List<RefreshCandidate> batch =
          shortly.take(TestPage.known(many), told, Set.of(), budget(10, 100), now);
      assertThat(batch).as("seed %d, hour %d", seed, hour).isEqualTo(expected.bestFirst());
      taken.addAll(names(batch));
    }
  }

  @Test
  void anotherPlanLooksAtAllThatWasToldAgain() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 3_000; i++) {
      many.add(TestPage.of("p" + i).record(i / 10.0));
    }
    KnownPages told = TestPage.known(many);
    List<RefreshPlan> plans = new ArrayList<>(List.of(new FastAndSteady(), new Oldest()));
    RefreshQueue shortly = new RefreshQueue((known, budget) -> plans.remove(0), Duration.ofDays(9));
    Instant now = TestPage.day(400);
    shortly.take(KnownPages.NONE, told, Set.of(), budget(10, 400), now);
    shortly.replan();
    List<RefreshCandidate> batch =
        shortly.take(KnownPages.NONE, told, Set.of(), budget(1, 400), now);
    assertThat(batch).isEqualTo(new Oldest().next(told, now, 1));
  }

  @Test
  void aShortListThatIsUsedUpIsMadeAnew() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      many.add(TestPage.of("p" + i));
    }
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    List<String> taken = new ArrayList<>();
    for (int batch = 0; batch < 26; batch++) {
      taken.addAll(names(shortly.take(TestPage.known(many), budget(100, 10), TestPage.day(10))));
    }
    assertThat(taken).hasSize(2_500).doesNotHaveDuplicates();
  }

  @Test
  void aPageThatComesFreeOrBecomesKnownIsOnTheShortListToo() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(TestPage.of("p" + i).record(300 - i / 100.0, 1));
    }
    TestPage best = TestPage.of("best").record(1, 1, 1, 1, 1, 1, 1, 1, 1);
    many.add(best);
    Instant now = TestPage.day(400);
    List<Consumer<RefreshQueue>> reports =
        List.of(
            reported -> reported.returned("best"),
            reported -> reported.failed("best", TestPage.day(398))); // waits for two days
    for (Consumer<RefreshQueue> report : reports) {
      RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(1));
      shortly.gone("best", now);
      assertThat(names(shortly.take(TestPage.known(many), budget(1, 400), now)))
          .doesNotContain("best");
      report.accept(shortly);
      assertThat(names(shortly.take(TestPage.known(many), budget(1, 400), now)))
          .containsExactly("best");
    }
  }

  @Test
  void aPageThatBecomesKnownByAFetchBeforeThePlanIsOnTheShortListToo() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(TestPage.of("p" + i).record(300 - i / 100.0, 1));
    }
    Instant now = TestPage.day(400);
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(1));
    shortly.take(TestPage.known(many), budget(1, 400), now);
    TestPage best = TestPage.of("best").record(1, 1, 1, 1, 1, 1, 1, 1, 1);
    many.add(best);
    shortly.fetched("best", best.lastRefresh());
    assertThat(names(shortly.take(TestPage.known(many), budget(1, 400), now)))
        .containsExactly("best");
  }

  @Test
  void aPageThatIsTakenBackIsOnTheShortListToo() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(TestPage.of("p" + i).record(300 - i / 100.0, 1));
    }
    many.add(TestPage.of("best").record(1, 1, 1, 1, 1, 1, 1, 1, 1));
    KnownPages known = TestPage.known(many);
    Instant now = TestPage.day(400);
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    List<String> batch = names(shortly.take(known, budget(1, 400), now));
    assertThat(batch).containsExactly("best");
    assertThat(shortly.take(known, budget(1_500, 400), now)).hasSize(1_500); // another list
    shortly.takeBack(List.of(shortly.hold("best").orElseThrow()), List.of());
    assertThat(names(shortly.take(known, budget(1, 400), now))).containsExactly("best");
  }

  @Test
  void aHoldThatBeginsAnewIsOnTheShortListWhenItEnds() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(TestPage.of("p" + i).record(300 - i / 100.0, 1));
    }
    many.add(TestPage.of("best").record(1, 1, 1, 1, 1, 1, 1, 1, 1));
    KnownPages known = TestPage.known(many);
    Duration lease = Duration.ofHours(20);
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), lease);
    shortly.take(known, budget(0, 400), TestPage.day(400)); // a plan for a day
    Instant ahead = TestPage.day(400.5);
    assertThat(names(shortly.take(known, budget(1, 400.5), ahead))).containsExactly("best");
    assertThat(shortly.take(known, budget(1_500, 400.5), ahead)).hasSize(1_500); // another list
    Instant right = TestPage.day(400.05);
    assertThat(names(shortly.take(known, budget(1, 400.05), right))).doesNotContain("best");
    Instant free = right.plus(lease).plusSeconds(1);
    assertThat(names(shortly.take(known, budget(1, 400.05), free))).containsExactly("best");
  }

  @Test
  void aPageReportedGoneByAClockThatWasSetBackIsOnTheShortList() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      many.add(TestPage.of("p" + i).record(399 - i / 1e3, 1));
    }
    many.add(TestPage.of("best").record(400.02, 1e9));
    KnownPages known = TestPage.known(many);
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofHours(20));
    shortly.take(known, budget(0, 400), TestPage.day(400)); // a plan for a day
    shortly.gone("best", TestPage.day(400.03)); // after its refresh
    assertThat(names(shortly.take(known, budget(1, 400.04), TestPage.day(400.04))))
        .doesNotContain("best");
    shortly.gone("best", TestPage.day(400.015)); // before it
    assertThat(names(shortly.take(known, budget(1, 400.9), TestPage.day(400.9))))
        .containsExactly("best");
  }

  @Test
  void aShortListThatAllPagesWereAddedToIsMadeAnew() {
    List<TestPage> many = manyPages();
    CountedPages counted = new CountedPages(TestPage.known(many));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    shortly.take(counted, budget(10, 400), TestPage.day(400));
    many.forEach(page -> shortly.consider(page.page()));
    requireShortLists(shortly, counted);
  }

  @Test
  void aShortListForALargeBatchDoesNotSlowSmallOnes() {
    CountedPages counted = new CountedPages(TestPage.known(manyPages()));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    shortly.take(counted, budget(3_000, 400), TestPage.day(400));
    requireShortLists(shortly, counted);
  }

  @Test
  void pagesLeasedUntilSoonAreNotLookedUpForEveryBatchBeforeThat() {
    CountedPages counted = new CountedPages(TestPage.known(manyPages()));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofMinutes(5));
    assertThat(shortly.take(counted, budget(10_000, 400), TestPage.day(400))).hasSize(10_000);
    requireShortLists(shortly, counted);
  }

  @Test
  void pagesWhoseLeaseHasRunOutJoinTheShortListThen() {
    CountedPages counted = new CountedPages(TestPage.known(manyPages()));
    Duration lease = Duration.ofMinutes(5);
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), lease);
    Instant start = TestPage.day(400);
    Instant second = start.plusSeconds(30);
    List<String> best = names(shortly.take(counted, budget(500, 400), start));
    List<String> next = names(shortly.take(counted, budget(500, 400), second));
    List<String> others = names(shortly.take(counted, budget(1, 400), second.plusSeconds(1)));
    long passes = counted.passes;
    assertThat(names(shortly.take(counted, budget(1, 400), start.plus(lease).minusMillis(1))))
        .doesNotContainAnyElementsOf(best)
        .doesNotContainAnyElementsOf(next)
        .doesNotContainAnyElementsOf(others);
    assertThat(names(shortly.take(counted, budget(1, 400), start.plus(lease))))
        .isEqualTo(best.subList(0, 1));
    assertThat(names(shortly.take(counted, budget(500, 400), start.plus(lease))))
        .startsWith(best.subList(1, best.size()).toArray(String[]::new))
        .doesNotContainAnyElementsOf(next);
    assertThat(names(shortly.take(counted, budget(2, 400), second.plus(lease))))
        .isEqualTo(next.subList(0, 2));
    assertThat(counted.passes).isEqualTo(passes);
  }

  @Test
  void ofFewPagesAllAreListedAndMoreAreNotLookedFor() {
    CountedPages counted = new CountedPages(known());
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    shortly.take(counted, budget(2, 10), TestPage.day(10));
    long passes = counted.passes;
    assertThat(shortly.take(counted, budget(2, 10.1), TestPage.day(10.1))).hasSize(1);
    assertThat(shortly.take(counted, budget(2, 10.2), TestPage.day(10.2))).isEmpty();
    assertThat(counted.passes).isEqualTo(passes);
  }

  @Test
  void largeBatchesAreLookedUpToo() {
    CountedPages counted = new CountedPages(TestPage.known(manyPages()));
    RefreshQueue shortly = new RefreshQueue(new UserUtility(1), Duration.ofDays(9));
    shortly.take(counted, budget(300, 400), TestPage.day(400));
    long passes = counted.passes;
    shortly.take(counted, budget(300, 400), TestPage.day(400));
    assertThat(counted.passes).isEqualTo(passes);
  }

  private static List<TestPage> manyPages() {
    List<TestPage> many = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      many.add(TestPage.of("p" + i).record(300 - i / 100.0, 1));
    }
    return many;
  }

  /** After one small batch the next five together look up fewer pages than there are. */
  private static void requireShortLists(RefreshQueue queue, CountedPages counted) {
    queue.take(counted, budget(10, 400), TestPage.day(400));
    long passes = counted.passes;
    long lookedUp = counted.lookedUp;
    for (int batch = 0; batch < 5; batch++) {
      queue.take(counted, budget(10, 400), TestPage.day(400));
    }
    assertThat(counted.passes).isEqualTo(passes);
    assertThat(counted.lookedUp - lookedUp).isLessThan(counted.size());
  }

  @Test
  void aLeaseWithoutLengthOrWithoutEndIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RefreshQueue(new UserUtility(1), Duration.ZERO))
        .withMessage("lease must be positive and at most 365000 days, was PT0S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RefreshQueue(new UserUtility(1), Duration.ofDays(365_001)))
        .withMessageContaining("at most 365000 days, was PT8760024H");
    RefreshQueue longest = new RefreshQueue(new UserUtility(1), Duration.ofDays(365_000));
    assertThat(longest.take(known(), budget(3, 10), TestPage.day(10))).hasSize(3);
  }

  /** Counts how often all pages were looked at, and how many were looked up. */
  private static final class CountedPages implements KnownPages {
    private final KnownPages pages;
    private long passes;
    private long lookedUp;

    CountedPages(KnownPages pages) {
      this.pages = pages;
    }

    @Override
    public long size() {
      return pages.size();
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      passes++;
      pages.forEach(reader);
    }

    @Override
    public void forEach(Set<String> some, Consumer<? super KnownPage> reader) {
      lookedUp += some.size();
      pages.forEach(some, reader);
    }
  }
}
