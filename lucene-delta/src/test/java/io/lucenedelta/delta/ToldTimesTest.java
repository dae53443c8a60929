// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.queue.WantedPages;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.UserUtility;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.junit.jupiter.api.Test;

/** Which times are remembered of those that pages say they changed at. */
class ToldTimesTest {
  private static final String PAGE = "https://a.test/page";
  private static final String OTHER = "https://a.test/other";
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final ToldChanges told = new ToldChanges(0);
  private final Map<String, Integer> fetched = new HashMap<>(); // day by page of the index

  private static Instant day(int day) {
    return START.plus(Duration.ofDays(day));
  }

  private boolean add(int day, int now) {
    return told.add(PAGE, day(day), day(now));
  }

  private List<Integer> days(ToldChanges changes, String page) {
    return changes.byPage().getOrDefault(page, List.of()).stream()
        .map(time -> (int) Duration.between(START, time).toDays())
        .toList();
  }

  private final PageHistories index =
      new PageHistories() {
        @Override
        public long size() {
          return fetched.size();
        }

        @Override
        public Optional<PageHistory> of(String page) {
          PageEntry entry = new PageEntry();
          entry.page = page;
          entry.present = true;
          entry.lastRefresh = day(fetched.getOrDefault(page, 0)).toEpochMilli();
          return fetched.containsKey(page) ? Optional.of(entry) : Optional.empty();
        }

        @Override
        public void forEach(Consumer<? super PageHistory> reader) {
          fetched.keySet().forEach(page -> reader.accept(of(page).orElseThrow()));
        }
      };

  private void catchUp(Optional<Set<String>> written, int now, Set<String> remembered) {
    told.catchUp(index, written, day(now), true, remembered::add);
  }

  private List<String> come(int now) {
    List<String> pages = new ArrayList<>();
    told.forEachCome(day(now), pages::add);
    return pages;
  }

  @Test
  void onlyALaterTimeIsNews() {
    assertThat(add(3, 10)).isTrue();
    assertThat(add(3, 10)).isFalse();
    assertThat(add(2, 10)).isFalse();
    assertThat(add(5, 10)).isTrue();
    assertThat(days(told, PAGE)).containsExactly(3, 5);
  }

  @Test
  void aTimeStillToComeHidesNoneOfThePast() {
    assertThat(add(30, 4)).isTrue();
    assertThat(add(3, 4)).isTrue();
    assertThat(add(2, 4)).isFalse();
    assertThat(add(3, 4)).isFalse();
    assertThat(add(30, 4)).isFalse();
    assertThat(days(told, PAGE)).containsExactly(3, 30);
    assertThat(add(29, 31)).as("when it is past it does").isFalse();
    assertThat(add(31, 31)).isTrue();
    assertThat(days(told, PAGE)).containsExactly(3, 30, 31);
  }

  @Test
  void theFirstTimeAndTheLatestFifteenAreKeptAndThoseOfThePastRatherThanOnesStillToCome() {
    for (int day = 1; day <= 18; day++) {
      assertThat(add(day, 20)).isTrue();
    }
    List<Integer> kept = new ArrayList<>(List.of(1));
    kept.addAll(IntStream.rangeClosed(4, 18).boxed().toList());
    assertThat(days(told, PAGE)).isEqualTo(kept);
    told.forget(PAGE);
    add(90, 20);
    for (int day = 1; day <= 16; day++) {
      assertThat(add(day, 20)).isTrue();
    }
    assertThat(days(told, PAGE)).isEqualTo(IntStream.rangeClosed(1, 16).boxed().toList());
  }

  @Test
  void aPageThatChangesEveryDayWaitsSinceTheFirstChangeThatWasNotFetched() throws IOException {
    fetched.put(PAGE, 0);
    try (Directory files = new ByteBuffersDirectory()) {
      QueueFile file = QueueFile.afresh(files, 0);
      file.discover("new", day(5), null);
      for (int day = 1; day <= 40; day++) {
        file.modified(PAGE, day(day), day(day));
      }
      file.catchUp(index, Optional.empty(), day(41), true);
      RefreshQueue queue = new RefreshQueue(new UserUtility(1), Duration.ofDays(1));
      assertThat(new LongestTold(file, queue, 0).of(20, WantedPages.all(), day(41)))
          .startsWith(PAGE);
    }
  }

  @Test
  void whatWasFetchedAndWhatLeftTheIndexIsForgotten() {
    fetched.put(PAGE, 5);
    add(3, 8);
    add(5, 8);
    add(7, 8);
    told.add(OTHER, day(7), day(8));
    Set<String> remembered = new HashSet<>();
    catchUp(Optional.empty(), 8, remembered);
    assertThat(come(99)).as("nothing was to come").isEmpty();
    assertThat(days(told, PAGE)).containsExactly(7);
    assertThat(told.byPage()).containsOnlyKeys(PAGE);
    assertThat(remembered).containsExactlyInAnyOrder(PAGE, OTHER);
    remembered.clear();
    catchUp(Optional.empty(), 8, remembered);
    assertThat(remembered).as("nothing else is known").isEmpty();
  }

  @Test
  void pagesNotWrittenSinceAreNotLookedAtAgain() {
    fetched.put(PAGE, 5);
    add(7, 8);
    catchUp(Optional.of(Set.of()), 8, new HashSet<>());
    fetched.put(PAGE, 9);
    catchUp(Optional.of(Set.of(OTHER)), 10, new HashSet<>());
    assertThat(days(told, PAGE)).containsExactly(7);
    told.add(OTHER, day(7), day(10)); // not in the index
    catchUp(Optional.of(Set.of()), 10, new HashSet<>());
    assertThat(told.byPage()).as("told since").containsOnlyKeys(PAGE);
    catchUp(Optional.of(Set.of(PAGE)), 10, new HashSet<>());
    assertThat(told.byPage()).isEmpty();
  }

  @Test
  void whereItIsNotKnownWhatWasWrittenAllPagesWithChangesAreLookedAt() {
    fetched.put(PAGE, 5);
    add(7, 8);
    catchUp(Optional.of(Set.of()), 8, new HashSet<>());
    fetched.put(PAGE, 9);
    catchUp(Optional.empty(), 10, new HashSet<>());
    assertThat(told.byPage()).isEmpty();
    assertThat(told.publishers().fetched(PAGE)).isEqualTo(1);
  }

  @Test
  void whatIsFetchedPublishesOnlyIfItEverSaidAnythingAndIsLookedAtThenEachTime() {
    fetched.put(PAGE, 5);
    fetched.put(OTHER, 5);
    add(3, 8);
    catchUp(Optional.of(Set.of(PAGE, OTHER)), 8, new HashSet<>());
    assertThat(told.publishers().has(PAGE)).isTrue();
    assertThat(told.publishers().has(OTHER)).isFalse();
    fetched.put(PAGE, 10); // when nothing that it said was to be fetched
    catchUp(Optional.of(Set.of(PAGE)), 11, new HashSet<>());
    assertThat(add(9, 11)).as("seen by that fetch").isFalse();
  }

  @Test
  void aPageIsHandedOverOnceForEachChangeThatWasStillToComeAndNotBefore() {
    fetched.put(PAGE, 5);
    fetched.put(OTHER, 5);
    add(7, 8); // beside one that has come
    add(30, 8);
    add(35, 8);
    told.add(OTHER, day(31), day(8));
    catchUp(Optional.empty(), 8, new HashSet<>());
    assertThat(come(8)).isEmpty();
    assertThat(come(29)).isEmpty();
    assertThat(come(31)).containsExactly(PAGE, OTHER);
    catchUp(Optional.of(Set.of(OTHER)), 32, new HashSet<>()); // not fetched
    assertThat(come(34)).as("once").isEmpty();
    assertThat(come(35)).as("the next change").containsExactly(PAGE);
    assertThat(come(99)).isEmpty();
  }

  @Test
  void aPageWhoseChangeToComeWasFetchedOrIsToComeSoonerNowIsHandedOverForNoOther() {
    fetched.put(PAGE, 5);
    fetched.put(OTHER, 5);
    add(30, 8);
    told.add(OTHER, day(30), day(8));
    catchUp(Optional.empty(), 8, new HashSet<>());
    fetched.put(PAGE, 31); // by a clock that is ahead
    told.add(OTHER, day(20), day(9));
    catchUp(Optional.of(Set.of(PAGE)), 9, new HashSet<>());
    assertThat(come(21)).containsExactly(OTHER);
    fetched.put(OTHER, 32);
    catchUp(Optional.of(Set.of(OTHER)), 22, new HashSet<>());
    assertThat(come(99)).isEmpty();
  }

  @Test
  void whatIsToComeAgainByAClockThatWasSetBackIsHandedOverAgain() {
    fetched.put(PAGE, 5);
    add(30, 8);
    catchUp(Optional.empty(), 8, new HashSet<>());
    assertThat(come(31)).containsExactly(PAGE);
    assertThat(come(29)).isEmpty();
    assertThat(come(30)).containsExactly(PAGE);
  }

  @Test
  void whatAPageMissedLiesBetweenItsLastFetchAndNow() {
    fetched.put(PAGE, 5);
    for (int day : new int[] {3, 5, 7, 10, 30}) {
      add(day, 10);
    }
    told.add(OTHER, day(7), day(10)); // not in the index
    List<KnownPage> pages = new ArrayList<>();
    told.pagesWithChanges(index, day(10)).forEach(pages::add);
    assertThat(pages).extracting(KnownPage::page).containsExactly(PAGE);
    assertThat(pages.get(0).neverFetched()).isFalse();
    PageFacts facts = pages.get(0).facts();
    assertThat(facts.publishedSince(day(5))).isEqualTo(2);
    assertThat(facts.publishedChanges()).isEqualTo(2);
    assertThat(facts.publishedChange(0)).isEqualTo(day(7));
    assertThat(facts.publishedChange(1)).isEqualTo(day(10));
    pages.clear();
    fetched.put(OTHER, 5);
    told.forget(OTHER);
    told.pagesWithChanges(index, day(10)).forEach(Set.of(PAGE, OTHER), pages::add);
    assertThat(pages)
        .as("no other said anything")
        .extracting(KnownPage::page)
        .containsExactly(PAGE);
  }

  @Test
  void aPageThatWasFetchedByAClockThatIsAheadMissedNothingUntilThen() {
    fetched.put(PAGE, 5);
    add(4, 3);
    add(6, 3);
    List<KnownPage> pages = new ArrayList<>();
    told.pagesWithChanges(index, day(3)).forEach(pages::add);
    assertThat(pages.get(0).facts().publishedChanges()).isZero();
  }

  @Test
  void whatWasFetchedOfAPageThatHasChangedAgainCountsToo() {
    fetched.put(PAGE, 5);
    add(7, 8);
    catchUp(Optional.empty(), 8, new HashSet<>());
    fetched.put(PAGE, 9);
    catchUp(Optional.empty(), 10, new HashSet<>());
    add(10, 10);
    List<KnownPage> pages = new ArrayList<>();
    told.pagesWithChanges(index, day(10)).forEach(pages::add);
    assertThat(pages.get(0).facts().publishedChanges()).isEqualTo(2);
  }

  @Test
  void whatTheLastFetchOfAPageThatPublishesHasSeenIsNoNews() {
    fetched.put(PAGE, 5);
    add(3, 8);
    catchUp(Optional.empty(), 8, new HashSet<>());
    assertThat(told.byPage()).isEmpty();
    assertThat(add(4, 8)).isFalse();
    assertThat(told.byPage()).isEmpty();
    assertThat(add(6, 8)).isTrue();
    assertThat(add(7, 8)).as("with a change that was not fetched").isTrue();
  }

  @Test
  void timesBeyondWhatAFileHoldsAreTheFirstAndTheLastItHolds() {
    told.add(PAGE, Instant.MIN, day(8));
    told.add(PAGE, Instant.MAX, day(8));
    assertThat(told.byPage().get(PAGE))
        .containsExactly(
            Instant.ofEpochMilli(Long.MIN_VALUE), Instant.ofEpochMilli(Long.MAX_VALUE));
  }

  @Test
  void aPageThatIsForgottenNeverSaidAnything() {
    fetched.put(PAGE, 5);
    add(7, 8);
    catchUp(Optional.empty(), 8, new HashSet<>());
    assertThat(told.publishers().size()).isEqualTo(1);
    told.forget(PAGE);
    assertThat(told.publishers().isEmpty()).isTrue();
    assertThat(told.byPage()).isEmpty();
  }

  @Test
  void aSiteHeardByAClockThatWasAheadIsHeardWhenPagesAreLookedAt() {
    fetched.put(PAGE, 1);
    add(3, 10);
    told.publishers().hear(PAGE, day(9_999));
    catchUp(Optional.empty(), 10, new HashSet<>());
    assertThat(heard(told)).isEqualTo(day(10));
  }

  @Test
  void ofAllPagesThoseThatPublishTellWhatTheyMissed() {
    fetched.put(PAGE, 5);
    fetched.put(OTHER, 5);
    Map<String, PageFacts> facts = new HashMap<>();
    told.known(index, day(10)).forEach(page -> facts.put(page.page(), page.facts()));
    assertThat(facts).containsOnlyKeys(PAGE, OTHER);
    add(3, 10);
    add(7, 10);
    catchUp(Optional.empty(), 10, new HashSet<>());
    assertThat(told.pagesWithChanges(index, day(10)).size()).isEqualTo(1);
    told.known(index, day(10)).forEach(page -> facts.put(page.page(), page.facts()));
    assertThat(facts.get(OTHER).publishedChanges()).isZero();
    assertThat(facts.get(PAGE).publishedSince(day(5))).isEqualTo(1);
  }

  @Test
  void aCopyIsAsItWasWhateverIsToldAfterwards() {
    told.publishers().hear(PAGE, day(4));
    add(3, 10);
    ToldChanges copy = told.copy();
    add(5, 10);
    told.publishers().hear(PAGE, day(9));
    assertThat(days(copy, PAGE)).containsExactly(3);
    fetched.put(PAGE, 1);
    told.publishers().update(PAGE, index.of(PAGE).orElseThrow(), List.of());
    assertThat(heard(copy)).isEqualTo(day(4));
    assertThat(heard(told)).isEqualTo(day(9));
  }

  /** Until when the site of the page was heard, as the page's facts say. */
  private Instant heard(ToldChanges changes) {
    List<KnownPage> pages = new ArrayList<>();
    changes.pagesWithChanges(index, day(20)).forEach(pages::add);
    return pages.get(0).facts().heardUntil(day(20));
  }
}
