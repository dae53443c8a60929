// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.refresh.RecordedPage;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class ClusterSamplingTest {
  @Test
  void samplesTakeAtMostAQuarterOfTheSmallestBudgets() {
    int weeks = 120;
    for (int budget = 1; budget <= 5; budget++) {
      RecordedPage[] pages = new RecordedPage[10];
      Arrays.setAll(pages, i -> RecordedPage.of("site-" + i + "/page")); // told apart by it alone
      for (int week = 1; week <= weeks; week++) {
        List<String> next = order(new ClusterSampling(20, 1), 7 * week, budget, pages);
        assertThat(next).hasSize(budget);
        for (RecordedPage page : pages) {
          if (next.contains(page.page())) {
            page.visit(7 * week, 0.3 * week, 0);
          }
        }
      }
      double share = 0.75 * weeks * budget / pages.length;
      for (RecordedPage page : pages) {
        assertThat(page.refreshes())
            .as("%s at budget %s", page.page(), budget)
            .isBetween((int) (0.8 * share), weeks * budget / 4);
      }
    }
  }

  @Test
  void aPageThatCameAfterThePlanComesLast() {
    RecordedPage old = page(0);
    RefreshPlan plan =
        new ClusterSampling(1, 1).plan(RecordedPage.pages(old), RecordedPage.weekly(1, 1));
    assertThat(plan.next(RecordedPage.pages(page(1), old), RecordedPage.day(80), 2))
        .extracting(RefreshCandidate::page)
        .containsExactly(old.page(), page(1).page());
  }

  @Test
  void aPageHasChangedWithTheChanceThatTheRateOfItsClusterGives() {
    assertTwoClusters("views", i -> page(i).viewed(i < 10 ? 0 : 50));
  }

  @Test
  void samplesTakeAQuarterOfALargeBudget() {
    RecordedPage[] pages = new RecordedPage[40];
    Arrays.setAll(pages, ClusterSamplingTest::page);
    assertThat(RecordedPage.priorities(new ClusterSampling(1, 1), 80, 100, pages).values())
        .filteredOn(chance -> chance > 1)
        .hasSize(25);
  }

  @Test
  void pagesThatOneFeatureAloneTellsApartAreInClustersOfTheirOwn() {
    assertTwoClusters("words", i -> page(i).worded(i < 10 ? 20 : 900));
    assertTwoClusters("importance", i -> page(i).important(i < 10 ? 1 : 7));
    assertTwoClusters(
        "depth", i -> RecordedPage.of("http://s/a%s%02d".formatted(i < 10 ? "/" : "-", i)));
    assertTwoClusters("length", i -> RecordedPage.of("http://s/" + (i < 10 ? 10 + i : 1000 + i)));
  }

  /** 30 is nearer to 1 than to 100, but its logarithm is nearer to that of 100. */
  @Test
  void lengthViewsAndImportanceCountByTheirLogarithms() {
    assertTwoClusters("words", i -> page(i).worded(oneOrMore(i) - 1));
    assertTwoClusters("views", i -> page(i).viewed(oneOrMore(i) - 1));
    assertTwoClusters("importance", i -> page(i).important(oneOrMore(i)));
  }

  private static int oneOrMore(int i) {
    return i < 10 ? 1 : i % 2 == 0 ? 30 : 100;
  }

  private static RecordedPage page(int i) {
    return RecordedPage.of("http://s/%02d".formatted(i));
  }

  /** The first ten of twenty pages change every week, the others twice in ten weeks. */
  private static void assertTwoClusters(String feature, IntFunction<RecordedPage> page) {
    RecordedPage[] pages = new RecordedPage[20];
    Arrays.setAll(pages, page);
    for (int i = 0; i < pages.length; i++) {
      for (int week = 1; week <= 10; week++) {
        int changes = i < 10 ? week : week / 5;
        pages[i].visit(7 * week, 0.01 * changes, 0);
      }
    }
    // a quarter of 16 are two samples of each of two clusters; they changed 2·10 and 2·2 times in
    // 2·70 days; half a change and a week more
    double often = 20.5 / 147;
    double seldom = 4.5 / 147;
    Map<String, Double> chances = RecordedPage.priorities(new ClusterSampling(2, 1), 80, 16, pages);
    List<Double> lively = new ArrayList<>();
    List<Double> quiet = new ArrayList<>();
    for (int i = 0; i < pages.length; i++) {
      (i < 10 ? lively : quiet).add(chances.get(pages[i].page()));
    }
    // samples come before all chances; the others were last seen ten days ago
    assertThat(lively).as(feature).filteredOn(chance -> chance > 1).hasSize(2);
    assertThat(quiet).as(feature).filteredOn(chance -> chance > 1).hasSize(2);
    assertThat(lively)
        .as(feature)
        .filteredOn(chance -> chance <= 1)
        .allSatisfy(c -> assertThat(c).isCloseTo(1 - Math.exp(-10 * often), within(1e-6)));
    assertThat(quiet)
        .as(feature)
        .filteredOn(chance -> chance <= 1)
        .allSatisfy(c -> assertThat(c).isCloseTo(1 - Math.exp(-10 * seldom), within(1e-6)));
  }
}
