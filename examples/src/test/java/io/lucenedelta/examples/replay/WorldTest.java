// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.refresh.TopPages;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorldTest {
  private static final int WEEKS = 9;

  private final long seed = System.nanoTime();

  @ParameterizedTest
  @CsvSource({"0, 0", "0, 0.4", "1, 0.4", "5, 0.4", "8, 0.4", "5, 1"})
  void theRepositoryIsSynchronisedInTheLastLearnedWeekButForHiddenPages(
      int learned, double hidden) {
    RandomCrawl crawl = new RandomCrawl(seed, 40, WEEKS).whosePagesComeLater();
    ReplayCorpus corpus = crawl.corpus();
    World world =
        World.of(
            corpus,
            ReplayRequest.of(crawl.workload)
                .withSeed(seed)
                .withHidden(hidden)
                .withLearnWeeks(learned),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    int first = Math.max(0, learned - 1);
    int recordedUpTo = learned == 0 ? WEEKS - 1 : first;
    Repository start = world.start();
    assertThat(world.firstWeek()).as("seed %s", seed).isEqualTo(first).isEqualTo(start.week());
    int held = 0;
    int missing = 0;
    for (int page = 0; page < corpus.pageCount(); page++) {
      String as = "page %s, seed %s".formatted(corpus.page(page), seed);
      boolean isHidden = TopPages.fraction(seed ^ 0x41DD, corpus.page(page)) < hidden;
      int live = corpus.liveVersion(page, first);
      assertThat(start.held(page)).as(as).isEqualTo(isHidden ? ReplayCorpus.ABSENT : live);
      assertThat(start.live(page)).as(as).isEqualTo(live);
      held += start.held(page) == ReplayCorpus.ABSENT ? 0 : 1;
      missing += start.held(page) == live ? 0 : 1;
      boolean unrecorded = isHidden && learned > 0;
      int visits = unrecorded ? 0 : Math.max(0, recordedUpTo - corpus.since(page, 0) + 1);
      assertThat(world.recordedVisits().size(page)).as(as).isEqualTo(visits);
      assertThat(world.recordedSums(Estimate.MULTI_TERM).days(page))
          .as(as)
          .isEqualTo(visits == 0 ? 0 : 7.0 * (visits - 1));
      assertThat(world.facts(0.5).expectedViews(page))
          .as(as)
          .isCloseTo(expectedViews(start, page), within(1e-9));
    }
    assertThat(start.pages()).as("seed %s", seed).isEqualTo(held);
    if (missing
        == 0) { // of the pages of a first week none may be hidden, or none that is asked for
      assertThat(start.quality()).as("seed %s", seed).isEqualTo(1);
    }
  }

  @Test
  void eachRunHasARepositoryOfItsOwn() {
    RandomCrawl crawl = new RandomCrawl(seed, 40, WEEKS);
    World world =
        World.of(
            crawl.corpus(),
            ReplayRequest.of(crawl.workload).withSeed(seed),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    world.start().advance(1);
    assertThat(world.start().week()).isZero();
    assertThat(world.start().quality()).as("seed %s", seed).isEqualTo(1);
  }

  /** Query by query, rank by rank. */
  private static double expectedViews(Repository repository, int page) {
    Rankings rankings = repository.rankings();
    Matches matches = repository.matches();
    double expectedViews = 0;
    for (int query = 0; query < matches.workload().queryCount(); query++) {
      for (int rank = 0; rank < rankings.size(query); rank++) {
        if (matches.page(rankings.slotAt(query, rank)) == page) {
          expectedViews += matches.workload().frequency(query) * PowerLawViews.PAPER.at(rank + 1);
        }
      }
    }
    return expectedViews;
  }
}
