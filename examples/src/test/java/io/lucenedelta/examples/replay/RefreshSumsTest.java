// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against sums over what a crawler sees that looks at every page in every week. */
class RefreshSumsTest {
  private static final int PAGES = 60;
  private static final int WEEKS = 12;

  @ParameterizedTest
  @CsvSource({"0, 11", "0, 5", "5, 11", "4, 4", "0, 0", "11, 11"})
  void everyChangeThatWasWatchedCountsAndTheTimeSinceThePageIsKnown(int first, int last) {
    long seed = System.nanoTime();
    RandomCrawl crawl = new RandomCrawl(seed, PAGES, WEEKS).whosePagesComeLater();
    ReplayCorpus corpus = crawl.corpus();
    World world =
        World.of(
            corpus,
            ReplayRequest.of(crawl.workload),
            EnumSet.of(Estimate.MULTI_TERM),
            ReplayProgress.NONE);
    GainTable gains = world.gains(Estimate.MULTI_TERM);
    BitSet unseen = new BitSet();
    unseen.set(0, PAGES, false);
    unseen.set(7);
    RefreshSums sums =
        RefreshSums.atEveryChange(corpus, gains, first, last, unseen, ReplayProgress.NONE);
    for (int page = 0; page < PAGES; page++) {
      String as = "page %s, seed %s".formatted(corpus.page(page), seed);
      List<Integer> weeks = new ArrayList<>();
      List<Double> rates = new ArrayList<>();
      double gain = 0;
      double roots = 0;
      int refreshed = Math.max(first, corpus.since(page, 0));
      boolean watched = page != 7 && refreshed <= last;
      double days = watched ? corpus.days(refreshed, last) : 0;
      for (int version = 1; version < corpus.versionCount(page); version++) {
        int week = corpus.since(page, version);
        if (watched && week > refreshed && week <= last) {
          double gained = gains.gain(page, version - 1, version);
          gain += gained;
          roots += Math.sqrt(gained);
          weeks.add(week);
          rates.add(gained / corpus.days(refreshed, week));
          refreshed = week;
        }
      }
      double sumOfRates = rates.stream().mapToDouble(Double::doubleValue).sum();
      assertThat(sums.days(page)).as(as).isCloseTo(days, within(1e-9));
      assertThat(sums.gains(page)).as(as).isEqualTo(gain);
      assertThat(sums.rootGains(page)).as(as).isEqualTo(roots);
      assertThat(sums.changes(page)).as(as).isEqualTo(weeks.size());
      assertThat(sums.refreshes(page)).as(as).isEqualTo(weeks.size());
      assertThat(sums.rates(page)).as(as).isCloseTo(sumOfRates, within(1e-9));
      assertThat(sums.meanRate(page))
          .as(as)
          .isCloseTo(weeks.isEmpty() ? 0 : sumOfRates / weeks.size(), within(1e-9));
      for (int refresh = 0; refresh < weeks.size(); refresh++) {
        assertThat(sums.week(page, refresh)).as(as).isEqualTo(weeks.get(refresh));
        assertThat(sums.rate(page, refresh)).as(as).isEqualTo(rates.get(refresh));
      }
    }
  }

  @Test
  void aLossAddsNoRootOfAGainAndARefreshThatFoundNoChangeIsNone() {
    RefreshSums sums = new RefreshSums(1);
    sums.add(0, 1, -4, 7, true);
    sums.add(0, 2, 9, 7, true);
    sums.add(0, 3, 0, 7, false);
    assertThat(sums.changes(0)).isEqualTo(2);
    assertThat(sums.rootGains(0)).isEqualTo(3);
    assertThat(sums.gains(0)).isEqualTo(5);
  }
}
