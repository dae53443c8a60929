// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.Uniform.Order;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The orders in which pages with equal resources take turns. */
class UniformOrderTest {
  private static final long SEED = 1;
  private static final int PAGES = 10;

  /** Pages fetched on day 0. */
  private static RecordedPage[] pages() {
    return IntStream.range(0, PAGES)
        .mapToObj(i -> RecordedPage.of("p" + i))
        .toArray(RecordedPage[]::new);
  }

  /** What a policy fetches in one week after the other; every visit finds a change. */
  private static List<List<String>> fetched(
      RefreshPolicy policy, int from, int to, int budget, RecordedPage... pages) {
    List<List<String>> weeks = new ArrayList<>();
    for (int week = from; week < to; week++) {
      List<String> chosen = order(policy, 7 * week, budget, pages);
      for (RecordedPage page : pages) {
        if (chosen.contains(page.page())) {
          page.visit(7 * week, 0.001 * week, 0);
        }
      }
      weeks.add(chosen);
    }
    return weeks;
  }

  @Test
  void inRandomOrderEveryRoundTakesEachPageOnceInAnOrderOfItsOwn() {
    RecordedPage[] pages = pages();
    List<List<String>> weeks =
        fetched(
            new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED), 1, 41, PAGES / 2, pages);
    Set<List<String>> rounds = new HashSet<>();
    for (int week = 0; week < weeks.size(); week += 2) {
      List<String> round = new ArrayList<>(weeks.get(week));
      round.addAll(weeks.get(week + 1));
      assertThat(round)
          .as("weeks %d and %d", week, week + 1)
          .hasSize(PAGES)
          .doesNotHaveDuplicates();
      rounds.add(round);
    }
    assertThat(rounds).hasSize(20);
  }

  @Test
  void theLotOfAPageIsDrawnFromSeedAndRound() {
    RecordedPage[] pages = pages();
    List<String> drawn = new ArrayList<>(Arrays.stream(pages).map(RecordedPage::page).toList());
    for (int round = 1; round < 5; round++) {
      long lots = SEED ^ ((long) round << 32);
      drawn.sort(Comparator.comparingDouble(page -> TopPages.fraction(lots, page)));
      assertThat(
              fetched(
                      new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED),
                      round,
                      round + 1,
                      PAGES,
                      pages)
                  .getFirst())
          .as("round %d", round)
          .isEqualTo(drawn);
    }
  }

  @Test
  void whereARoundEndsWithinAPeriodTheNextOneBegins() {
    RecordedPage[] pages = pages();
    Uniform policy = new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED);
    for (int week = 1; week < 100; week++) {
      assertThat(fetched(policy, week, week + 1, 7, pages).getFirst()).hasSize(7);
      List<Integer> refreshes = Arrays.stream(pages).map(RecordedPage::refreshes).toList();
      assertThat(Collections.max(refreshes) - Collections.min(refreshes))
          .as("week %d: %s", week, refreshes)
          .isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aPageThatComesLaterHasOneTurnARoundFromThenOn() {
    RecordedPage[] pages = pages();
    fetched(new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED), 1, 21, 5, pages);
    RecordedPage late = new RecordedPage("late");
    RecordedPage[] all = Arrays.copyOf(pages, PAGES + 1);
    all[PAGES] = late;
    fetched(new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED), 21, 43, 5, all);
    // 110 fetches of 11 pages
    assertThat(late.size()).isBetween(9, 11);
  }

  @Test
  void aPageNeverFetchedTakesItsTurnInTheRoundThatIsGoingOn() {
    RecordedPage[] pages = pages();
    fetched(new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED), 1, 2, 5, pages);
    List<String> waiting =
        new ArrayList<>(
            Arrays.stream(pages).filter(p -> p.refreshes() == 0).map(RecordedPage::page).toList());
    Set<Integer> places = new HashSet<>();
    RecordedPage[] all = Arrays.copyOf(pages, PAGES + 1);
    for (int late = 0; late < 1000; late++) {
      all[PAGES] = new RecordedPage("late" + late);
      List<String> next =
          order(new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED), 14, 6, all);
      places.add(next.indexOf("late" + late));
      assertThat(next).containsAll(waiting).contains("late" + late);
    }
    assertThat(places).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
  }

  @Test
  void pagesIgnoredAsStaticHoldUpNoRound() {
    RecordedPage still = RecordedPage.of("still").visit(7, 0, 0);
    RecordedPage late = new RecordedPage("late");
    RecordedPage[] pages = pages();
    Arrays.stream(pages).forEach(page -> page.visit(7, 0.1, 0));
    RecordedPage[] all = Arrays.copyOf(pages, PAGES + 1);
    all[PAGES] = still;
    fetched(new Uniform(Order.RANDOM, Uniform.StaticPages.SKIP, SEED), 2, 42, 5, all);
    assertThat(pages).allMatch(page -> page.size() == 2 + 20);
    all = Arrays.copyOf(all, PAGES + 2);
    all[PAGES + 1] = late;
    fetched(new Uniform(Order.RANDOM, Uniform.StaticPages.SKIP, SEED), 42, 64, 5, all);
    assertThat(still.size()).isEqualTo(2);
    // 110 fetches of 11 pages, none made up for
    assertThat(late.size()).isBetween(9, 11);
    assertThat(
            order(
                new Uniform(Order.PURELY_RANDOM, Uniform.StaticPages.SKIP, SEED),
                500,
                PAGES + 2,
                all))
        .hasSize(PAGES + 1)
        .doesNotContain("still");
  }

  @Test
  void whereItIsNotKeptWhenPagesWereFetchedRandomOrderIsTheFixedOne() {
    List<TestPage> pages = new ArrayList<>();
    IntStream.range(0, PAGES)
        .forEach(i -> pages.add(TestPage.of("p" + i).fetchedSince(1 + i * 7 % PAGES)));
    KnownPages known = TestPage.known(pages);
    RefreshBudget budget = RecordedPage.weekly(4, 1);
    assertThat(
            new Uniform(Order.RANDOM, Uniform.StaticPages.FETCH, SEED)
                .plan(known, budget)
                .next(known, RecordedPage.day(20), 4))
        .extracting(RefreshCandidate::page)
        .containsExactly("p0", "p3", "p6", "p9");
  }

  @Test
  void purelyRandomOrderRemembersNobody() {
    RecordedPage[] pages = pages();
    RecordedPage[] fetchedOften = pages();
    fetched(new Uniform(Uniform.StaticPages.FETCH, SEED), 1, 9, 3, fetchedOften);
    Uniform policy = new Uniform(Order.PURELY_RANDOM, Uniform.StaticPages.FETCH, SEED);
    for (int day = 70; day < 100; day++) {
      assertThat(order(policy, day, 3, fetchedOften)).isEqualTo(order(policy, day, 3, pages));
    }
  }

  @Test
  void inPurelyRandomOrderEveryPageIsDrawnAsOftenAndWhetherItWasDrawnBeforeOrNot() {
    List<List<String>> weeks =
        fetched(
            new Uniform(Order.PURELY_RANDOM, Uniform.StaticPages.FETCH, SEED), 1, 2001, 3, pages());
    int again = 0;
    for (int i = 0; i < PAGES; i++) {
      String page = "p" + i;
      // 2000 draws of 3 in 10: 600, give or take 20
      assertThat(weeks.stream().filter(week -> week.contains(page)).count()).isBetween(500L, 700L);
      for (int week = 1; week < weeks.size(); week++) {
        again += weeks.get(week).contains(page) && weeks.get(week - 1).contains(page) ? 1 : 0;
      }
    }
    // 6000 fetches, 3 in 10 of them of a page that was fetched a week ago
    assertThat(again).isBetween(1500, 2100);
  }

  @Test
  void anotherSeedDrawsOtherLots() {
    for (Order order : List.of(Order.RANDOM, Order.PURELY_RANDOM)) {
      Set<List<String>> orders = new HashSet<>();
      for (int seed = 0; seed < 20; seed++) {
        orders.add(order(new Uniform(order, Uniform.StaticPages.FETCH, seed), 7, PAGES, pages()));
      }
      assertThat(orders).as("%s", order).hasSize(20);
    }
  }
}
