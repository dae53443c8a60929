// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.DirectoryPath;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.PublishedChanges;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.DataInput;
import org.junit.jupiter.api.Test;

class PublishersTest {
  private static final String PAGE = "https://a.test/page";
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private final Publishers publishers = new Publishers(0);

  private static Instant day(int day) {
    return START.plus(Duration.ofDays(day));
  }

  private static PageEntry fetched(String page, int day, int changes) {
    PageEntry entry = new PageEntry();
    entry.page = page;
    entry.present = true;
    entry.lastRefresh = day(day).toEpochMilli();
    entry.changes = changes;
    return entry;
  }

  /** An index that is gone through. */
  private static PageHistories index(PageHistory... pages) {
    return new PageHistories() {
      @Override
      public long size() {
        return pages.length;
      }

      @Override
      public Optional<PageHistory> of(String page) {
        throw new AssertionError("not to be looked up");
      }

      @Override
      public void forEach(Consumer<? super PageHistory> reader) {
        List.of(pages).forEach(reader);
      }
    };
  }

  private double unpublishedShare() {
    return publishers.published(0, List.of(), DirectoryPath.of(PAGE)).unpublishedShare();
  }

  @Test
  void doubtsOfASiteAreCountedWhenTheyAreNotable() {
    publishers.hear(PAGE, day(1_000));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    for (int change = 1; change <= 10; change++) { // shares of 1/4, 2/5, 3/6, … 10/13
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), List.of());
    }
    assertThat(publishers.doubts()).as("at 1/4, 2/5, 3/6, 5/8, 8/11").isEqualTo(5);
    assertThat(publishers.copyOfSites().doubts()).isEqualTo(5);
    for (int change = 11; change <= 20; change++) {
      List<Instant> said = List.of(day(1 + change).minusSeconds(1));
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), said);
    }
    assertThat(publishers.doubts()).isEqualTo(5);
  }

  @Test
  void aSiteThatImprovedAndGotWorseAgainIsDoubtedAgain() {
    publishers.hear(PAGE, day(1_000));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    for (int change = 1; change <= 10; change++) {
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), List.of());
    }
    double peak = unpublishedShare();
    for (int change = 11; change <= 70; change++) {
      List<Instant> said = List.of(day(1 + change).minusSeconds(1));
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), said);
    }
    long doubts = publishers.doubts();
    for (int change = 71; change <= 90; change++) {
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), List.of());
    }
    assertThat(unpublishedShare()).isLessThan(peak / 2);
    assertThat(publishers.doubts()).isGreaterThan(doubts);
  }

  @Test
  void aPageThatNeverSaidAnythingPublishesNothing() {
    assertThat(publishers.fetched(PAGE)).isEqualTo(-1);
    assertThat(publishers.isEmpty()).isTrue();
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    assertThat(publishers.fetched(PAGE)).isZero();
    assertThat(publishers.has(PAGE)).isTrue();
    long[] hashes = {NumberByKey.hash("other", 0), NumberByKey.hash(PAGE, 0)};
    publishers.states(hashes, 2);
    assertThat(hashes[0]).isEqualTo(Publishers.NOT_KNOWN);
    assertThat(Publishers.isLookedAt(hashes[1], fetched(PAGE, 1, 0))).isTrue();
    assertThat(Publishers.isLookedAt(hashes[1], fetched(PAGE, 1, 1))).isFalse();
    assertThat(Publishers.isLookedAt(hashes[1], fetched(PAGE, 2, 0))).isFalse();
  }

  @Test
  void whatWasHeardByAClockThatWasAheadWasHeardWhenItWasSetRight() {
    publishers.hear(PAGE, day(9_999));
    publishers.setBack(day(2));
    assertThat(heardUntil(day(30))).isEqualTo(day(2));
    publishers.hear(PAGE, day(9_999));
    publishers.hear(PAGE, day(3));
    assertThat(heardUntil(day(30))).isEqualTo(day(3));
    publishers.setBack(day(4));
    assertThat(heardUntil(day(30))).as("not heard since").isEqualTo(day(3));
  }

  @Test
  void aClockThatIsADayAheadMayBeRightAndOneThatIsMoreIsNot() {
    publishers.hear(PAGE, day(5));
    publishers.hear(PAGE, day(4));
    assertThat(heardUntil(day(30))).isEqualTo(day(5));
    publishers.hear(PAGE, day(4).minusSeconds(1));
    assertThat(heardUntil(day(30))).isEqualTo(day(4).minusSeconds(1));
  }

  private Instant heardUntil(Instant now) {
    PublishedChanges published = publishers.published(0, List.of(), DirectoryPath.of(PAGE));
    KnownPages.SummedPage page =
        new KnownPages.SummedPage(fetched(PAGE, 1, 0), false, published, 1);
    return page.facts().heardUntil(now);
  }

  @Test
  void changesCountOnceTheyWereFetchedAndOnlyOnce() {
    publishers.hear(PAGE, day(9));
    assertThat(publishers.update(PAGE, fetched(PAGE, 5, 0), List.of(day(3), day(5), day(8))))
        .as("to be remembered")
        .isTrue();
    assertThat(publishers.fetched(PAGE)).as("said at first").isZero();
    List<Instant> said = List.of(day(3), day(5), day(6), day(8), day(12));
    assertThat(publishers.update(PAGE, fetched(PAGE, 10, 1), said)).as("to be remembered").isTrue();
    assertThat(publishers.fetched(PAGE)).as("days 6 and 8").isEqualTo(2);
    assertThat(publishers.update(PAGE, fetched(PAGE, 10, 1), List.of(day(6), day(8), day(12))))
        .as("nothing new")
        .isFalse();
    publishers.update(PAGE, fetched(PAGE, 13, 1), List.of(day(12)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(3);
    assertThat(unpublishedShare()).isZero();
  }

  @Test
  void whatFetchesFindUnsaidTellsAgainstTheSiteAsLongAsItIsHeard() {
    publishers.hear(PAGE, day(2));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 1), List.of());
    assertThat(unpublishedShare()).isCloseTo(1 / 4.0, within(1e-12));
    publishers.update(PAGE, fetched(PAGE, 5, 2), List.of());
    assertThat(unpublishedShare()).as("not heard since").isCloseTo(1 / 4.0, within(1e-12));
    publishers.hear(PAGE, day(6));
    publishers.update(PAGE, fetched(PAGE, 7, 2), List.of());
    assertThat(unpublishedShare()).as("found nothing").isCloseTo(1 / 4.0, within(1e-12));
    publishers.hear(PAGE, day(8));
    publishers.update(PAGE, fetched(PAGE, 9, 3), List.of(day(8)));
    assertThat(unpublishedShare()).as("said").isCloseTo(1 / 5.0, within(1e-12));
    for (int day = 10; day < 1_000; day += 2) {
      publishers.hear(PAGE, day(day));
      publishers.update(PAGE, fetched(PAGE, day + 1, day), List.of());
    }
    assertThat(unpublishedShare()).isGreaterThan(0.95);
    for (int day = 1_000; day < 2_000; day += 2) {
      publishers.hear(PAGE, day(day));
      publishers.update(PAGE, fetched(PAGE, day + 1, day), List.of(day(day)));
    }
    assertThat(unpublishedShare()).as("it mended its ways").isLessThan(0.05);
  }

  @Test
  void whatASiteSaidWhenThePageWasFetchedIsNothingSince() {
    publishers.hear(PAGE, day(1));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 1), List.of());
    assertThat(unpublishedShare()).isZero();
  }

  @Test
  void moreChangesThanAreCountedAreNoChangeThatWasFoundSince() {
    publishers.hear(PAGE, day(9));
    publishers.update(PAGE, fetched(PAGE, 1, 70_000), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 70_000), List.of());
    assertThat(unpublishedShare()).isZero();
  }

  @Test
  void aFetchThatIsDatedBeforeTheOneKnownTellsAgainstNobody() {
    publishers.hear(PAGE, day(9));
    publishers.update(PAGE, fetched(PAGE, 5, 1), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 2), List.of());
    assertThat(unpublishedShare()).isZero();
  }

  @Test
  void aChangeThatWasSaidForTheTimeOfAFetchWasFetched() {
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 0), List.of(day(3)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(1);
  }

  /** Of which the second alone is remembered. */
  @Test
  void aChangeThatWasSaidForTheRestOfTheSecondOfAFetchIsFoundByTheNext() {
    publishers.hear(PAGE, day(9));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 1), List.of(day(1).plusMillis(1)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(1);
    assertThat(unpublishedShare()).isZero();
  }

  @Test
  void whatSitesAndPagesSaidIsReadAsItWasWritten() throws IOException {
    publishers.hear(PAGE, day(9));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 1), List.of());
    publishers.update(PAGE, fetched(PAGE, 5, 2), List.of(day(4)));
    publishers.published(0, List.of(), DirectoryPath.of("https://b.test/never-heard"));
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    publishers.writeSites(out);
    publishers.write(PAGE, out);
    DataInput in = out.toDataInput();
    assertThat(in.readVInt()).as("sites that were heard").isEqualTo(1);
    in = out.toDataInput();
    Publishers read = new Publishers(0);
    read.readSites(in);
    read.read(PAGE, in);
    PublishedChanges published = read.published(0, List.of(), DirectoryPath.of(PAGE));
    assertThat(published.heard()).isEqualTo(day(9));
    assertThat(published.unpublishedShare()).isCloseTo(1 / 5.0, within(1e-12));
    assertThat(read.fetched(PAGE)).isEqualTo(1);
    assertThat(read.fetchedSince(PAGE, day(4))).isTrue();
  }

  @Test
  void aSiteThatIsReadIsDoubtedForWhatComesAndNotForWhatWas() throws IOException {
    publishers.hear(PAGE, day(1_000));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    for (int change = 1; change <= 10; change++) {
      publishers.update(PAGE, fetched(PAGE, 1 + change, change), List.of());
    }
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    publishers.writeSites(out);
    publishers.write(PAGE, out);
    DataInput in = out.toDataInput();
    Publishers read = new Publishers(0);
    read.readSites(in);
    read.read(PAGE, in);
    read.update(PAGE, fetched(PAGE, 12, 11), List.of());
    assertThat(read.doubts()).as("at 11/14, after 10/13").isZero();
  }

  @Test
  void keysWithoutAHostAreASiteOfTheirOwn() {
    int host = 0;
    while (DirectoryPath.of("https://" + host + ".test/").number(0) != 0) {
      host++;
    }
    DirectoryPath first = DirectoryPath.of("https://" + host + ".test/");
    publishers.hear("key", day(1));
    assertThat(publishers.published(0, List.of(), DirectoryPath.of("key")).heard())
        .isEqualTo(day(1));
    assertThat(publishers.published(0, List.of(), first).heard()).isEqualTo(Instant.MIN);
  }

  @Test
  void ofManyChangesThatASiteKeptToItselfOlderOnesCountHalfAsMuch() {
    publishers.hear(PAGE, day(500));
    for (int change = 0; change <= 128; change++) {
      publishers.update(PAGE, fetched(PAGE, change, change), List.of());
    }
    assertThat(unpublishedShare()).isEqualTo(128.0 / (128 + 3));
    publishers.update(PAGE, fetched(PAGE, 129, 129), List.of());
    assertThat(unpublishedShare()).isEqualTo((64.0 + 1) / (64 + 1 + 3));
  }

  @Test
  void fetchesThatTheIndexLostAreForgottenAndLaterOnesAreStillToBeLookedAt() {
    List<Instant> said = List.of(day(2), day(4), day(6));
    for (String page : List.of(PAGE, "other")) {
      publishers.update(page, fetched(page, 1, 0), List.of());
      publishers.update(page, fetched(page, 5, 1), said);
    }
    publishers.retain(index(fetched(PAGE, 3, 1), fetched("silent", 3, 1), fetched("other", 7, 2)));
    assertThat(publishers.has("silent")).as("it never said anything").isFalse();
    assertThat(publishers.fetchedSince(PAGE, day(4))).as("lost").isFalse();
    assertThat(publishers.fetchedSince(PAGE, day(2))).isTrue();
    assertThat(publishers.fetched(PAGE)).as("it goes on publishing").isEqualTo(2);
    publishers.update("other", fetched("other", 7, 2), said);
    assertThat(publishers.fetched("other")).as("day 6, too").isEqualTo(3);
  }

  /** Or it would seem to change the more often, and each change to be worth the less. */
  @Test
  void whatWasFetchedByLostFetchesCountsOnceThoughItIsFetchedAgain() {
    publishers.update(PAGE, fetched(PAGE, 0, 0), List.of());
    for (int day = 1; day <= 60; day++) {
      List<Instant> said = List.of(day(day).minusSeconds(2), day(day).minusSeconds(1));
      publishers.update(PAGE, fetched(PAGE, day, day), said);
    }
    publishers.retain(index(fetched(PAGE, 10, 10)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(20);
    List<Instant> again = List.of(day(60).minusSeconds(2), day(60).minusSeconds(1));
    publishers.update(PAGE, fetched(PAGE, 61, 11), again);
    assertThat(publishers.fetched(PAGE)).isEqualTo(22);
  }

  @Test
  void whatWasFetchedByLostFetchesIsTakenOffHoweverManyChangesWereFoundBefore() {
    for (int left : new int[] {65_535, 65_536, 60_000, 100_000}) {
      publishers.update(PAGE, null, List.of());
      publishers.update(PAGE, fetched(PAGE, 0, left - 3), List.of());
      publishers.update(PAGE, fetched(PAGE, 60, left + 20_000), Collections.nCopies(50, day(30)));
      publishers.retain(index(fetched(PAGE, 10, left)));
      assertThat(publishers.fetched(PAGE))
          .as("%d changes left", left)
          .isEqualTo(50 * left / (left + 20_000));
    }
  }

  @Test
  void whereMoreChangesAreLeftThanWereKnownNoneThatWasFetchedIsCountedTwice() {
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 10, 2), List.of(day(2), day(4)));
    publishers.retain(index(fetched(PAGE, 9, 5))); // the last of three fetches came late
    assertThat(publishers.fetched(PAGE)).isEqualTo(2);
  }

  @Test
  void aPageThatWasNeverFoundChangedGoesOnWhereNoFetchWasLost() {
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 5, 0), List.of(day(4)));
    publishers.retain(index(fetched(PAGE, 5, 0)));
    assertThat(publishers.fetched(PAGE)).isOne();
  }

  /** None of its fetches found a change: it is not known which were lost. */
  @Test
  void aPageThatWasNeverFoundChangedBeginsAnewWhereFetchesWereLost() {
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 5, 0), List.of(day(4)));
    publishers.retain(index(fetched(PAGE, 1, 0)));
    assertThat(publishers.fetched(PAGE)).isZero();
  }

  @Test
  void aCopyOfWhatSitesSaidGoesOnByItself() {
    publishers.hear(PAGE, day(9));
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update(PAGE, fetched(PAGE, 3, 1), List.of());
    publishers.update(PAGE, fetched(PAGE, 5, 2), List.of(day(4)));
    Publishers copy = publishers.copyOfSites();
    publishers.update(PAGE, fetched(PAGE, 7, 3), List.of());
    assertThat(unpublishedShare()).isCloseTo(2 / 6.0, within(1e-12));
    assertThat(copy.published(0, List.of(), DirectoryPath.of(PAGE)).unpublishedShare())
        .isCloseTo(1 / 5.0, within(1e-12));
  }

  @Test
  void changesThatASiteDoesNotPublishAreFoundHoweverManyWereFoundBefore() {
    publishers.hear(PAGE, day(1_000));
    for (int changes : new int[] {65_534, 65_536, 131_073}) {
      publishers.update(PAGE, null, List.of());
      publishers.update(PAGE, fetched(PAGE, 1, changes), List.of());
      publishers.update(PAGE, fetched(PAGE, 2, changes), List.of());
      publishers.update(PAGE, fetched(PAGE, 3, changes + 2), List.of());
    }
    assertThat(unpublishedShare()).isCloseTo(3 / 6.0, within(1e-12));
  }

  @Test
  void aSiteIsHeardAsOfTheLatestWordAboutAnyOfItsPages() {
    publishers.hear(PAGE, day(5));
    publishers.hear("https://a.test/other", day(7));
    publishers.hear("https://a.test/another", day(6));
    publishers.hear("https://b.test/other", day(9));
    publishers.hear("no address", day(11));
    assertThat(publishers.published(0, List.of(), DirectoryPath.of(PAGE)).heard())
        .isEqualTo(day(7));
    assertThat(publishers.published(0, List.of(), DirectoryPath.of("without a host")).heard())
        .isEqualTo(day(11));
  }

  @Test
  void whatWasFetchedSinceIsToldFromWhatMayNotHaveBeen() {
    assertThat(publishers.fetchedSince(PAGE, day(1))).as("nothing is known").isFalse();
    publishers.update(PAGE, fetched(PAGE, 5, 0), List.of());
    assertThat(publishers.fetchedSince(PAGE, day(4))).isTrue();
    assertThat(publishers.fetchedSince(PAGE, day(5))).as("at that time").isTrue();
    assertThat(publishers.fetchedSince(PAGE, day(5).plusMillis(1))).isFalse();
    assertThat(publishers.fetchedSince(PAGE, day(6))).isFalse();
  }

  @Test
  void pagesThatLeftTheIndexAreForgotten() {
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.update("other", fetched("other", 1, 0), List.of());
    assertThat(publishers.update(PAGE, null, List.of())).isTrue();
    assertThat(publishers.update(PAGE, null, List.of())).isFalse();
    assertThat(publishers.has(PAGE)).isFalse();
    publishers.update(PAGE, fetched(PAGE, 1, 0), List.of());
    publishers.retain(index(fetched("other", 1, 0)));
    assertThat(publishers.size()).isEqualTo(1);
    assertThat(publishers.has("other")).isTrue();
  }

  @Test
  void countsAndTimesBeyondTheirRangeAreTakenAsItsEnds() throws IOException {
    PageEntry old = fetched(PAGE, 0, Integer.MAX_VALUE);
    old.lastRefresh = Long.MIN_VALUE;
    publishers.update(PAGE, old, List.of());
    old.lastRefresh = Instant.parse("2150-01-01T00:00:00Z").toEpochMilli();
    publishers.update(PAGE, old, List.of());
    assertThat(publishers.fetchedSince(PAGE, Instant.parse("2100-01-01T00:00:00Z"))).isTrue();
    publishers.update(PAGE, null, List.of());
    old.lastRefresh = Long.MIN_VALUE;
    publishers.update(PAGE, old, List.of());
    old.lastRefresh = Long.MAX_VALUE;
    publishers.update(PAGE, old, List.of(day(1)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(1);
    publishers.update(PAGE, null, List.of());
    old.lastRefresh = Long.MIN_VALUE;
    publishers.update(PAGE, old, List.of());
    old.lastRefresh = Long.MAX_VALUE;
    publishers.update(PAGE, old, Collections.nCopies(70_000, day(1)));
    assertThat(publishers.fetched(PAGE)).isEqualTo(65_535);
    ByteBuffersDataOutput out = new ByteBuffersDataOutput();
    publishers.hear(PAGE, Instant.MAX);
    publishers.writePages(out);
    publishers.writeSites(out);
    Publishers read = new Publishers(0);
    var in = out.toDataInput();
    read.readPages(in);
    read.readSites(in);
    assertThat(read.fetched(PAGE)).isEqualTo(65_535);
    assertThat(read.published(1, List.of(), DirectoryPath.of(PAGE)).heard()).isAfter(day(999_999));
    publishers.update("old", fetched("old", -20_000, 0), List.of());
    assertThat(publishers.fetchedSince("old", day(1))).as("before 1970").isFalse();
  }
}
