// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.NeverRefresh;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Uniform;
import io.lucenedelta.scorer.refresh.UserCentric;
import io.lucenedelta.scorer.refresh.UserUtility;
import io.lucenedelta.scorer.refresh.Visits;
import io.lucenedelta.scorer.schedule.SiteSampling;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other strategies over live histories: {@code nextPages(policy, …)}. */
class StrategyRoundsTest {
  private static final int PAGES = 200;
  private static final Instant NOW = Instant.parse("2024-12-01T00:00:00Z");

  @TempDir private Path folder;
  private PageStore store;
  private StoredHistories histories;
  private final ToldChanges told = new ToldChanges(1);
  private final VisitRecords visits =
      new VisitRecords(new ByteBuffersDirectory(), List.of(), 1, key -> true);

  @BeforeEach
  void fill() throws Exception {
    store = PageStore.create(folder, 1, PAGES, FaultPoints.NONE);
    for (int page = 0; page < PAGES; page++) {
      PageEntry entry = new PageEntry();
      entry.clear();
      entry.present = true;
      long fetched = NOW.toEpochMilli() - page % 9 * 86_400_000L; // some of them now
      entry.add(false, fetched - 86_400_000L, 0, 0, 1 + page % 5);
      entry.add(true, fetched, 30L * 86_400_000L, page % 4, -1);
      store.put(new BytesRef("https://a%d.test/%d".formatted(page % 5, page)), entry);
    }
    histories = new StoredHistories(store, PAGES);
  }

  @AfterEach
  void discard() throws Exception {
    store.discard();
  }

  private List<String> names(RefreshPolicy policy, int count) {
    return Priorities.next(histories, told, visits, policy, count, NOW).stream()
        .map(PagePriority::page)
        .toList();
  }

  @Test
  void aStrategyThatSamplesIsAskedUntilTheBudgetIsSpent() {
    assertThat(names(new SiteSampling(5, SiteSampling.SampleBy.SITE, 1), 50))
        .hasSize(50)
        .doesNotHaveDuplicates();
  }

  @Test
  void whatAnswersAtOnceAnswersTheSameWhetherItIsAskedForAFewOfThePagesOrForMore() {
    KnownPages known = new VisitedPages(KnownPages.of(histories), visits);
    for (RefreshPolicy policy :
        List.of(
            new UserCentric(1),
            new UserUtility(1),
            new Uniform(Uniform.StaticPages.FETCH, 1),
            new Uniform(Uniform.Order.RANDOM, Uniform.StaticPages.SKIP, 1),
            new Uniform(Uniform.Order.PURELY_RANDOM, Uniform.StaticPages.FETCH, 1),
            new NeverRefresh())) {
      for (int count : new int[] {0, 1, 20, PAGES, 3 * PAGES}) {
        List<RefreshCandidate> atOnce =
            policy.plan(known, RefreshBudget.atAnyTime(count, NOW)).next(known, NOW, count);
        assertThat(Priorities.next(histories, told, visits, policy, count, NOW))
            .as("%s asked for %d", policy.getClass().getSimpleName(), count)
            .isEqualTo(Priorities.described(histories, atOnce));
      }
    }
  }

  @Test
  void laterRoundsSeeWhatWasPickedAsFetchedNowAndEveryPageOnce() {
    List<Integer> fetched = new ArrayList<>();
    RefreshPolicy oneARound =
        (planned, budget) ->
            (known, now, left) -> {
              List<String> due = new ArrayList<>();
              List<String> seen = new ArrayList<>();
              known.forEach(
                  page -> {
                    seen.add(page.page());
                    Visits visits = page.visits();
                    if (page.lastRefresh().isBefore(now)) {
                      due.add(page.page());
                      assertThat(visits.size()).isEqualTo(1);
                    }
                    assertThat(visits.time(visits.size() - 1)).isEqualTo(page.lastRefresh());
                    assertThat(visits.changed(visits.size() - 1)).isFalse();
                  });
              assertThat(seen).hasSize(PAGES).doesNotHaveDuplicates();
              fetched.add(PAGES - due.size());
              return due.stream().sorted().limit(1).map(p -> new RefreshCandidate(p, 1)).toList();
            };
    int now = PAGES / 9 + 1; // fetched then
    assertThat(names(oneARound, 4)).hasSize(4).doesNotHaveDuplicates();
    assertThat(fetched).containsExactly(now, now + 1, now + 2, now + 3);
  }

  @Test
  void aStrategyThatNamesTheSamePagesInEveryRoundComesToAnEnd() {
    List<RefreshCandidate> same = List.of(new RefreshCandidate("https://a0.test/0", 1));
    assertThat(names((known, budget) -> (pages, now, left) -> same, 1_000_000_000))
        .containsExactly("https://a0.test/0");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 30, 50, 100, PAGES - 1})
  void aStrategyThatDoesNotLookAtHowManyAreLeftIsCutShort(int count) {
    RefreshPolicy thirtyARound =
        (planned, budget) ->
            (known, now, left) -> {
              List<RefreshCandidate> due = new ArrayList<>();
              known.forEach(
                  page -> {
                    if (page.lastRefresh().isBefore(now)) {
                      due.add(new RefreshCandidate(page.page(), 1));
                    }
                  });
              return due.subList(0, Math.min(30, due.size()));
            };
    List<String> all = names(thirtyARound, PAGES);
    assertThat(names(thirtyARound, count)).isEqualTo(all.subList(0, Math.min(count, all.size())));
  }

  @Test
  void aStrategyThatInventsAPageInEveryRoundComesToAnEnd() {
    RefreshPolicy inventor =
        (known, budget) ->
            (pages, now, left) -> List.of(new RefreshCandidate("no page " + left, 1));
    assertThat(names(inventor, 1_000_000_000)).hasSize(PAGES);
  }
}
