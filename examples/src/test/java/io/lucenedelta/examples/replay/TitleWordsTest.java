// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.workload.Workload;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;

class TitleWordsTest {
  private static final int PAGES = 200;
  private static final Workload QUERIES =
      Workload.builder().add(List.of("wanted"), 10_000).add(List.of("other"), 1).build();

  /** Every tenth page is what users want, and its title says so unless titles are of no use. */
  private static ReplayCorpus corpus(boolean titled) {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(QUERIES, analyzer, 3);
      for (int week = 0; week < 6; week++) {
        corpus.week(RandomCrawl.time(week));
        for (int page = 0; page < PAGES; page++) {
          String key = "https://site.test/%03d".formatted(page);
          String word = page % 10 == 3 ? "wanted" : "words";
          corpus.adding(key, titled ? word : " ", word + " of week " + week).run();
        }
      }
      return corpus.build();
    }
  }

  private static double gapClosed(boolean titled, boolean known) {
    ReplayRequest request =
        ReplayRequest.of(QUERIES)
            .withPolicies(List.of("user-utility"))
            .withBudgets(List.of(Budget.of("10")))
            .withKnowledge(Knowledge.ONLINE, null)
            .withHidden(0.5)
            .withTitles(known);
    ReplayResult result = Replay.run(corpus(titled), request, ReplayProgress.NONE);
    return result.gapClosed(result.runs().get(1));
  }

  @Test
  void hiddenPagesWithTellingTitlesAreFetchedFirst() {
    assertThat(gapClosed(true, true)).isGreaterThan(1.5 * gapClosed(true, false));
  }

  @Test
  void pagesWithoutATitleAreOrderedAsIfTitlesWereNotKnown() {
    assertThat(gapClosed(false, true)).isEqualTo(gapClosed(false, false));
  }
}
