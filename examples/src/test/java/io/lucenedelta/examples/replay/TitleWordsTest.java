// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.workload.Workload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
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

  /** A page and how useful it was found, fetched once. */
  private record Fetched(String page, double usefulness) implements PageHistory {
    @Override
    public Instant lastRefresh() {
      return RandomCrawl.time(0);
    }

    @Override
    public int refreshes() {
      return 0;
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
      return 0;
    }
  }

  /** Some pages, each fetched once. */
  private record FetchedPages(List<Fetched> pages) implements KnownPages {
    @Override
    public long size() {
      return pages.size();
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      pages.forEach(page -> reader.accept(new SummedPage(page)));
    }
  }

  @Test
  void pagesAloneOnTheirSitesTeachAllThatTheirTitlesPromised() {
    List<Fetched> pages = new ArrayList<>();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder builder = ReplayCorpus.builder(QUERIES, analyzer, 1);
      builder.week(RandomCrawl.time(0));
      for (int page = 0; page < 220; page++) {
        boolean alone = page < 20;
        String key = alone ? "https://h%d.test/a/b/" : "https://other.test/%d";
        pages.add(new Fetched(key.formatted(page), alone ? 10 : 0.1));
        builder.adding(pages.get(page).page(), alone ? "wanted" : " ", "wanted").run();
      }
      ReplayCorpus corpus = builder.build();
      Matches matches = Matches.of(corpus, QUERIES, Scoring.BM25, null, 0, ReplayProgress.NONE);
      GainFormula formula =
          GainFormula.of(matches, Estimate.PAPER, Scoring.BM25, null, PowerLawViews.PAPER);
      TitleWords titles = new TitleWords(corpus, GainTable.of(formula, new BitSet()));
      titles.learn(new FetchedPages(pages), RandomCrawl.time(0));
      double usual = 210 / 219.0; // the mean without the one page
      double factor = titles.factor(corpus.number("https://h7.test/a/b/"));
      assertThat(factor).isCloseTo((200 + 5 * usual) / (25 * usual), within(1e-5));
    }
  }
}
