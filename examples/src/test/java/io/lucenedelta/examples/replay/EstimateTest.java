// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.rank.EqualPieces;
import java.util.ArrayList;
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
    List<Double> gains = new ArrayList<>();
    for (int page : pages()) {
      for (int version = 1; version < world.corpus().versionCount(page); version++) {
        gains.add(world.gains(estimate).gain(page, version - 1, version));
      }
    }
    return gains;
  }
}
