// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.rank.EqualPieces;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EstimateTest {
  private final long seed = System.nanoTime();
  private final RandomCrawl crawl = new RandomCrawl(seed, 80, 5);
  private final World world =
      World.of(
          crawl.corpus(),
          ReplayRequest.of(crawl.workload).withSeed(seed),
          EnumSet.allOf(Estimate.class),
          ReplayProgress.NONE);

  @Test
  void thatOfThePaperSumsOverWholeRanksOfSingleTerms() {
    assertMeasures(Estimate.PAPER, new PaperSum(PowerLawViews.PAPER));
  }

  @Test
  void realRanksDifferFromThatOfThePaperByTheIntegralAlone() {
    assertMeasures(Estimate.REAL_RANKS, new IntegralSum(PowerLawViews.PAPER));
    assertThat(steps(Estimate.REAL_RANKS)).allMatch(gain -> gain >= 0, "seed " + seed);
    assertThat(steps(Estimate.REAL_RANKS)).isNotEqualTo(steps(Estimate.PAPER));
  }

  /** As on a live index, where only the product's own formula ranks by the place in an order. */
  @Test
  void anotherFormulaThanTheProductsIsNotIgnoredWherePagesRankByImportance() {
    ReplayCorpus corpus = world.corpus();
    float[] importance = RandomCrawl.noImportance(corpus);
    for (int page : pages()) {
      importance[page] = 1 + page % 9;
    }
    Matches matches =
        Matches.of(corpus, crawl.workload, Scoring.IMPORTANCE, importance, 0, ReplayProgress.NONE);
    QualityChange other = new IntegralSum(PowerLawViews.PAPER);
    QualityChange product = new PassedPages(PowerLawViews.PAPER);
    List<Double> byOther = byImportance(matches, other, importance);
    assertThat(byOther)
        .as("seed %s", seed)
        .isNotEqualTo(byImportance(matches, product, importance));
  }

  private List<Double> byImportance(Matches matches, QualityChange change, float[] importance) {
    GainFormula formula =
        GainFormula.ofQueries(matches, change, Scoring.IMPORTANCE, importance, PowerLawViews.PAPER);
    return steps(GainTable.of(formula, new BitSet()));
  }

  /** Worked out shift by shift: Q′, three equal pieces of the first week. */
  private void assertMeasures(Estimate estimate, QualityChange change) {
    Matches matches = world.gains(estimate).formula().matches();
    assertThat(matches.workload().queryCount()).isEqualTo(crawl.workload.termCount());
    Repository repository = Repository.empty(matches, world.web());
    repository.advance(0);
    repository.refreshAll(pages());
    Rankings rankings = repository.rankings();
    List<Double> expected = new ArrayList<>();
    for (int page : pages()) {
      for (int version = 1; version < world.corpus().versionCount(page); version++) {
        double[] sum = new double[1];
        matches.shifts(
            page,
            version - 1,
            version,
            (slot, before, after) -> {
              int query = matches.query(slot);
              float[] scores = new float[rankings.size(query)];
              for (int rank = 0; rank < scores.length; rank++) {
                scores[rank] = rankings.score(rankings.slotAt(query, rank));
              }
              sum[0] +=
                  matches.workload().frequency(query)
                      * change.effect(EqualPieces.of(scores, scores.length), before, after).total();
            });
        expected.add(sum[0]);
      }
    }
    List<Double> steps = steps(estimate);
    assertThat(steps).hasSameSizeAs(expected).hasSizeGreaterThan(20);
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i)).as("seed %s", seed).isCloseTo(expected.get(i), within(1e-9));
    }
  }

  private int[] pages() {
    return IntStream.range(0, world.corpus().pageCount()).toArray();
  }

  /** From every version to the next. */
  private List<Double> steps(Estimate estimate) {
    return steps(world.gains(estimate));
  }

  private List<Double> steps(GainTable table) {
    List<Double> gains = new ArrayList<>();
    for (int page : pages()) {
      for (int version = 1; version < world.corpus().versionCount(page); version++) {
        gains.add(table.gain(page, version - 1, version));
      }
    }
    return gains;
  }
}
