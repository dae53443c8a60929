// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.workload.Workload;
import java.util.BitSet;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;

/** One page, six weeks, fragments of one word: "head" stays, the rest comes and goes. */
class LongevityTest {
  private static final List<String> WEEKS =
      List.of("head a", "head b", "head b", "head c d", "head d", "head e");

  private final Longevity longevity = Longevity.of(corpus(WEEKS), ReplayProgress.NONE);

  private static ReplayCorpus corpus(List<String> weeks) {
    Workload workload = Workload.builder().add(List.of("head"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 1);
      for (int week = 0; week < weeks.size(); week++) {
        corpus.week(RandomCrawl.time(week)).add("page", weeks.get(week));
      }
      return corpus.build();
    }
  }

  /** A page that appears late and changes every week, beside one that does so all the time. */
  private static ReplayCorpus late() {
    Workload workload = Workload.builder().add(List.of("head"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 1);
      for (int week = 0; week < 12; week++) {
        corpus.week(RandomCrawl.time(week)).add("early", "head e" + week);
        if (week >= 8) {
          corpus.add("late", "head l" + week);
        }
      }
      return corpus.build();
    }
  }

  @Test
  void weeksBeforeAPageAppearedAreNoWeeksWithoutAChange() {
    ReplayCorpus corpus = late();
    Divergences exact = Divergences.of(corpus, Divergences.EXACT, ReplayProgress.NONE);
    assertThat(exact.eagerness(1)).isEqualTo(exact.eagerness(0));
    assertThat(Longevity.of(corpus, ReplayProgress.NONE).pages())
        .extracting(Longevity.PageLongevity::changeFrequency)
        .containsExactly(1.0, 1.0);
    GainFormula formula =
        GainFormula.of(
            Matches.of(corpus, corpus.workload(), Scoring.BM25, null, 0, ReplayProgress.NONE),
            Estimate.PAPER,
            Scoring.BM25,
            null,
            PowerLawViews.PAPER);
    RefreshSums sums =
        RefreshSums.atEveryChange(
            corpus, GainTable.of(formula, new BitSet()), 0, 11, new BitSet(), ReplayProgress.NONE);
    assertThat(sums.days(0)).isEqualTo(11 * 7.0);
    assertThat(sums.days(1)).isEqualTo(3 * 7.0);
  }

  @Test
  void lifelinesSayWhenFragmentsCameAndWent() {
    assertThat(longevity.lifelines())
        .containsExactlyInAnyOrder(
            new Longevity.Lifeline("page", 0, 0, 0), // a
            new Longevity.Lifeline("page", 1, 0, 5), // head
            new Longevity.Lifeline("page", 2, 1, 2), // b
            new Longevity.Lifeline("page", 3, 3, 3), // c
            new Longevity.Lifeline("page", 4, 3, 4), // d
            new Longevity.Lifeline("page", 5, 5, 5)); // e
  }

  @Test
  void onlyLivesSeenFromBothEndsCountForLongevity() {
    // b two weeks, c one, d two; changed in four of five weeks
    Longevity.PageLongevity page = longevity.pages().get(0);
    assertThat(page.changeFrequency()).isCloseTo(0.8, within(1e-12));
    assertThat(page.weeks()).isCloseTo(5 / 3.0, within(1e-12));
    assertThat(page.fragments()).isEqualTo(3);
  }

  @Test
  void lifetimesAreMeasuredAndModelled() {
    // K: b 1, c 1, d 2; the page's change rate is 0.8 a week
    assertThat(longevity.lifetimes()).extracting(Longevity.Lifetime::group).containsOnly("K=1");
    Longevity.Lifetime one = longevity.lifetimes().get(0);
    assertThat(one.measured()).isCloseTo(1 / 3.0, within(1e-12));
    double gone = 1 - Math.exp(-0.8);
    double goneOfTwo = 1 - 1.8 * Math.exp(-0.8);
    assertThat(one.modelled()).isCloseTo((2 * gone + goneOfTwo) / 3, within(1e-12));
    assertThat(longevity.lifetimes().get(1).measured()).isCloseTo(1, within(1e-12));
  }

  @Test
  void aPageBelongsToTheGroupOfItsMostCommonKHoweverManyFragmentsHaveOtherLargerOnes() {
    List<String> weeks =
        List.of(
            "head z",
            "head a c d e",
            "head b c d e",
            "head c d e",
            "head d e",
            "head e",
            "head",
            "head y");
    // K: a 1, b 1, c 3, d 4, e 5
    assertThat(Longevity.of(corpus(weeks), ReplayProgress.NONE).lifetimes())
        .extracting(Longevity.Lifetime::group)
        .containsOnly("K=1");
  }

  @Test
  void driftIsMeasuredFromTheFirstVersion() {
    // {head a} against {head b}: one shared of three
    assertThat(longevity.drifts().get(0).divergence()).isCloseTo(2 / 3.0, within(1e-12));
    assertThat(longevity.drifts().get(2).divergence()).isCloseTo(3 / 4.0, within(1e-12));
    assertThat(longevity.drifts()).hasSize(5);
  }

  @Test
  void summariesOfSmallPagesAreExact() {
    assertThat(longevity.summaries()).allMatch(e -> e.pairs() == 4);
    Longevity.SummaryError eight = longevity.summaries().get(1);
    assertThat(eight.hashes()).isEqualTo(8);
    assertThat(eight.rootMeanSquare()).isCloseTo(0, within(1e-6));
  }
}
