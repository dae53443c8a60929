// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GainTableTest {
  /** What is hidden would tell how far its pages will push the others. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ranksAreThoseAmongThePagesThatTheRepositoryHoldsAtTheStart(boolean later) {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, 80, 5);
    crawl = later ? crawl.whosePagesComeLater() : crawl;
    ReplayRequest request = ReplayRequest.of(crawl.workload).withHidden(0.5).withSeed(seed);
    World world =
        World.of(crawl.corpus(), request, EnumSet.of(Estimate.MULTI_TERM), ReplayProgress.NONE);
    GainTable gains = world.gains(Estimate.MULTI_TERM);
    ReplayCorpus corpus = world.corpus();
    Rankings start = world.start().rankings();
    GainFormula.Meter meter = gains.formula().over(start);
    int[] terms = IntStream.range(0, crawl.workload.termCount()).filter(t -> t % 3 > 0).toArray();
    assertThat(gains.evidence(terms))
        .as("evidence of a title, seed %s", seed)
        .isEqualTo(gains.formula().words(start).of(terms))
        .isPositive();
    for (int page = 0; page < corpus.pageCount(); page++) {
      gains.usefulness(page, 0);
      for (int version = 0; version < corpus.versionCount(page); version++) {
        assertThat(gains.usefulness(page, version))
            .as("usefulness of page %s in version %s, seed %s", page, version, seed)
            .isEqualTo(meter.usefulness(page, version));
        assertThat(gains.gain(page, version, version)).as("seed %s", seed).isZero();
        assertThat(gains.gain(page, ReplayCorpus.ABSENT, version))
            .as("page %s appears in version %s, seed %s", page, version, seed)
            .isEqualTo(meter.gain(page, ReplayCorpus.ABSENT, version));
        for (int earlier = 0; earlier < version; earlier++) {
          double gain = meter.gain(page, earlier, version);
          for (int time = 0; time < 2; time++) { // the second time it is known
            assertThat(gains.gain(page, earlier, version))
                .as("page %s from version %s to %s, seed %s", page, earlier, version, seed)
                .isEqualTo(gain);
          }
        }
      }
    }
  }
}
