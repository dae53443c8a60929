// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.scorer.divergence.MinHashes;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.workload.Workload;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

  /** Or of a crawl of long pages they would take more than all runs before. */
  @Test
  void ofTheFragmentsOfAPageOnlyCountsAreKept() throws IllegalAccessException {
    FragmentLives lives = FragmentLives.of(corpus(6, Map.of("long", scroll(500, 1, 99))), 0);
    assertThat(lives.lifelines(1000)).hasSizeGreaterThan(500);
    for (Field field : FragmentLives.class.getDeclaredFields()) {
      field.setAccessible(true);
      Object kept = field.get(lives);
      assertThat(kept).as(field.getName()).isNotInstanceOf(Collection.class);
      if (kept.getClass().isArray()) {
        assertThat(Array.getLength(kept)).as(field.getName()).isLessThanOrEqualTo(6 + 1);
      }
    }
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

  /** The text of a page in a week, null before it is there. */
  private interface Page {
    String in(int week);
  }

  /** In weeks that are a multiple of {@code every} a word goes and one comes, up to a week. */
  private static Page scroll(int words, int every, int lastChange) {
    return week ->
        IntStream.range(0, words)
            .mapToObj(word -> "w" + (Math.min(week, lastChange) / every + word))
            .collect(Collectors.joining(" ", "head ", ""));
  }

  private static ReplayCorpus corpus(int weeks, Map<String, Page> pages) {
    Workload workload = Workload.builder().add(List.of("head"), 1).build();
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(workload, analyzer, 1);
      for (int week = 0; week < weeks; week++) {
        corpus.week(RandomCrawl.time(week));
        for (Map.Entry<String, Page> page : pages.entrySet()) {
          String text = page.getValue().in(week);
          if (text != null) {
            corpus.add(page.getKey(), text);
          }
        }
      }
      return corpus.build();
    }
  }

  @Test
  void tellingAreThePagesThatChangeMostOftenWithMostlyOneAndWithMoreThanTwoUpdatesALife() {
    Page three = scroll(3, 1, 99);
    ReplayCorpus corpus =
        corpus(
            12,
            new TreeMap<>(
                Map.of(
                    "a: one, slow", scroll(1, 2, 99),
                    "b: one, fast", scroll(1, 1, 99),
                    "c: two", scroll(2, 1, 99),
                    "c: one change", scroll(2, 6, 99),
                    "d: four, slow", scroll(4, 2, 99),
                    "e: three, fast but late", week -> week < 2 ? null : three.in(week))));
    Longevity measured = Longevity.of(corpus, ReplayProgress.NONE);
    assertThat(measured.pages())
        .as("of one change no whole life is seen")
        .extracting(Longevity.PageLongevity::page)
        .hasSize(5)
        .doesNotContain("c: one change");
    assertThat(measured.lifelines().stream().map(Longevity.Lifeline::page).distinct())
        .containsExactly("b: one, fast", "e: three, fast but late");
    assertThat(measured.lifetimes().stream().map(Longevity.Lifetime::group).distinct())
        .containsExactly("K=1", "K=2", "K>2");
    List<Longevity.Drift> late =
        measured.drifts().stream().filter(drift -> drift.page().startsWith("e")).toList();
    // of four words one, two, three and then all but the head are others: 2/5, 4/6, 6/7
    assertThat(late).extracting(Longevity.Drift::week).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(late.get(0).divergence()).isCloseTo(0.4, within(1e-12));
    assertThat(late.get(8).divergence()).isCloseTo(6 / 7.0, within(1e-12));
    // days × divergence, less the area below the line from 0
    assertThat(late.get(0).utility()).isCloseTo(7 * 0.4 / 2, within(1e-9));
    assertThat(late.get(1).utility())
        .isCloseTo(14 * 2 / 3.0 - 7 * 0.4 / 2 - 7 * (0.4 + 2 / 3.0) / 2, within(1e-9));
  }

  @Test
  void aPageOfEquallyCommonLivesBelongsToTheGroupOfTheShorter() {
    // K: b 1, d 2
    assertThat(
            Longevity.of(corpus(List.of("a", "b d", "c d", "c e", "f")), ReplayProgress.NONE)
                .lifetimes())
        .extracting(Longevity.Lifetime::group)
        .containsOnly("K=1");
  }

  /** Ten pages that change in 15 to 35 % of the weeks, and two that do so less and more often. */
  @Test
  void lifetimesAreThoseOfPagesThatChangeInAboutAQuarterOfTheWeeksIfThereAreTen() {
    Map<String, Page> pages = new TreeMap<>();
    pages.put("15 %", scroll(1, 5, 15)); // two lives of 5 weeks
    pages.put("35 %", scroll(1, 2, 14)); // six of 2
    for (int i = 0; i < 8; i++) {
      pages.put("20 %, " + i, scroll(1, 4, 16)); // three of 4 each
    }
    pages.put("10 %", scroll(1, 8, 16)); // one of 8
    pages.put("50 %", scroll(1, 1, 10)); // nine of 1
    List<Longevity.Lifetime> alike =
        Longevity.of(corpus(21, pages), ReplayProgress.NONE).lifetimes();
    assertThat(alike).hasSize(20).extracting(Longevity.Lifetime::group).containsOnly("K=1");
    double[] gone = {0, 6, 6, 30, 32, 32, 32, 32};
    for (int i = 0; i < gone.length; i++) {
      assertThat(alike.get(i).weeks()).isEqualTo(i + 1);
      assertThat(alike.get(i).measured()).isCloseTo(gone[i] / 32, within(1e-12));
      assertThat(alike.get(i).modelled())
          .isCloseTo(1 - Math.exp(-0.21 * (i + 1)), within(1e-9)); // 21 % in the mean
    }
    pages.remove("35 %");
    assertThat(Longevity.of(corpus(21, pages), ReplayProgress.NONE).lifetimes().get(0).measured())
        .as("of nine pages alike, so of all")
        .isCloseTo(9.0 / (2 + 24 + 1 + 9), within(1e-12));
  }

  @Test
  void errorsOfSummariesAreThoseOfAllLaterVersionsAgainstTheFirst() {
    ReplayCorpus corpus = corpus(7, Map.of("a", scroll(50, 1, 99), "b", scroll(20, 2, 99)));
    for (Longevity.SummaryError row : Longevity.of(corpus, ReplayProgress.NONE).summaries()) {
      List<Double> errors = new ArrayList<>();
      for (int page = 0; page < corpus.pageCount(); page++) {
        Fragments[] versions = corpus.fragments(page);
        for (int later = 1; later < versions.length; later++) {
          MinHashes first = versions[0].smallest(row.hashes());
          errors.add(
              versions[later].smallest(row.hashes()).divergence(first)
                  - versions[later].divergence(versions[0]));
        }
      }
      assertThat(row.pairs()).isEqualTo(errors.size());
      assertThat(row.rootMeanSquare() > 0)
          .as("below the number of fragments they are estimates")
          .isEqualTo(row.hashes() < 64);
      assertThat(row.mean())
          .isCloseTo(errors.stream().mapToDouble(e -> e).average().orElseThrow(), within(1e-6));
      assertThat(row.rootMeanSquare())
          .isCloseTo(
              Math.sqrt(errors.stream().mapToDouble(e -> e * e).average().orElseThrow()),
              within(1e-6));
    }
  }
}
