// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import static io.lucenedelta.scorer.refresh.RecordedPage.order;
import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.RecordedPage;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterSamplingTest {
  @Test
  void samplesTakeAtMostAQuarterOfTheSmallestBudgets() {
    int weeks = 120;
    for (int budget = 1; budget <= 5; budget++) {
      RecordedPage[] pages = new RecordedPage[10];
      Arrays.setAll(pages, i -> RecordedPage.of("page-" + i));
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
}
