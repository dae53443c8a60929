// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.PowerLawViews;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PassedSumsTest {
  private static final int PAGES = 80;
  private static final int WEEKS = 8;

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final RandomCrawl crawl = new RandomCrawl(seed, PAGES, WEEKS);
  private final Matches matches = crawl.matches();
  private final LiveWeb web = LiveWeb.of(matches, PowerLawViews.PAPER, ReplayProgress.NONE);

  @Test
  void aDifferenceOfTwoSumsIsTheRanksBetweenThemAddedUp() {
    Rankings rankings = new Rankings(matches);
    float[] live = new float[matches.slotCount()];
    for (int slot = 0; slot < live.length; slot++) {
      rankings.move(slot, random.nextFloat() + 0.01f);
      live[slot] = random.nextInt(5) == 0 ? 0 : random.nextFloat();
    }
    PassedSums sums = new PassedSums(matches, rankings, web.views(), live);
    for (int query = 0; query < crawl.workload.queryCount(); query++) {
      int n = rankings.size(query);
      double[] behind = new double[n + 1]; // what moving up is worth from a rank to the last
      for (int rank = n - 1; rank >= 1; rank--) {
        double score = live[rankings.slotAt(query, rank)];
        behind[rank] = behind[rank + 1] + (web.views()[rank - 1] - web.views()[rank]) * score;
      }
      for (int i = 0; i < 3; i++) { // by the third time all results were asked for
        sums.worth(query, 1, Math.max(1, n), -1);
      }
      for (int end = 1; end <= n; end++) {
        for (int first = 1; first < end; first++) {
          double up = 0;
          double down = 0;
          for (int rank = first; rank < end; rank++) {
            double score = live[rankings.slotAt(query, rank)];
            up += (web.views()[rank - 1] - web.views()[rank]) * score;
            down += (web.views()[rank + 1] - web.views()[rank]) * score;
          }
          double[] worth = {sums.worth(query, first, end, -1), sums.worth(query, first, end, 1)};
          double tolerance = 2e-14 * behind[first];
          boolean close =
              Math.abs(worth[0] - up) <= tolerance && Math.abs(worth[1] - down) <= tolerance;
          if (!close) { // so many that agree take AssertJ seconds; NaN is not close
            assertThat(worth)
                .as("ranks %s to %s of %s, query %s, seed %s", first, end, n, query, seed)
                .containsExactly(new double[] {up, down}, within(tolerance));
          }
        }
      }
    }
  }

  /** A copy has asked for nothing yet, so it adds up ranks one by one. */
  @Test
  void gainsOfManyPagesAreThoseOfOneAskedForAlone() {
    Repository repository = Repository.empty(matches, web);
    repository.advance(0);
    for (int page = 0; page < PAGES; page++) {
      repository.refresh(page);
    }
    int above = 0;
    for (int week = 1; week < WEEKS; week++) {
      repository.advance(week);
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 2 * PAGES; i++) {
          repository.qualityGain(i % PAGES);
        }
        for (int page = 0; page < PAGES; page += 5) { // of every rate of change at least two
          double alone = repository.copy().qualityGain(page);
          above += alone > 0 ? 1 : 0;
          assertThat(repository.qualityGain(page))
              .as("page %s, week %s, round %s, seed %s", page, week, round, seed)
              .isCloseTo(alone, within(1e-12));
        }
        repository.refresh(random.nextInt(PAGES));
      }
    }
    assertThat(above).as("pages worth something, seed %s", seed).isPositive();
  }
}
