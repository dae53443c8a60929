// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RecordedPage;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SiteSamplingFirstSamplesTest {
  private static final int SITES = 15;

  private static List<String> first(int budget) {
    RecordedPage[] pages = new RecordedPage[20 * SITES];
    Arrays.setAll(pages, i -> RecordedPage.of("https://s%d.test/%d".formatted(i % SITES, i)));
    return RecordedPage.order(new SiteSampling(5, SiteSampling.SampleBy.SITE, 1), 7, budget, pages);
  }

  private static long sites(List<String> pages) {
    return pages.stream().map(PageFacts::siteOf).distinct().count();
  }

  @Test
  void theyTakeHalfOfTheBudgetAtMostWhereThatPaysForAPageOfEverySite() {
    assertThat(first(30)).hasSize(15);
    assertThat(first(60)).hasSize(30);
    assertThat(first(149)).hasSize(60);
    assertThat(first(1000)).hasSize(75);
  }

  @Test
  void aPageOfEverySiteIsTakenWhereSitesOutnumberHalfOfTheBudget() {
    assertThat(first(20)).hasSize(15);
    assertThat(sites(first(20))).isEqualTo(15);
    assertThat(first(8)).hasSize(8);
    assertThat(sites(first(8))).isEqualTo(8);
  }

  @Test
  void theyAreOtherSitesAndOtherPagesOfASiteInEveryPeriod() {
    RecordedPage[] pages = new RecordedPage[20 * SITES];
    Arrays.setAll(pages, i -> RecordedPage.of("https://s%d.test/%d".formatted(i % SITES, i)));
    Set<String> sites = new HashSet<>();
    Set<String> ofOne = new HashSet<>();
    for (int week = 1; week <= 40; week++) {
      for (String page :
          RecordedPage.order(
              new SiteSampling(5, SiteSampling.SampleBy.SITE, 1), 7 * week, 5, pages)) {
        sites.add(PageFacts.siteOf(page));
      }
      RecordedPage[] one = Arrays.copyOf(pages, 20);
      Arrays.setAll(one, i -> pages[i * SITES]);
      ofOne.addAll(
          RecordedPage.order(new SiteSampling(1, SiteSampling.SampleBy.SITE, 1), 7 * week, 5, one));
    }
    // of 15 sites 5 a week; of 20 pages of a site one a week: 17 are to be expected after 40
    assertThat(sites).hasSize(SITES);
    assertThat(ofOne).hasSizeGreaterThan(10);
  }
}
