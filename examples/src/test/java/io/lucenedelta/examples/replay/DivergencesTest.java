// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.divergence.Eagerness;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.scorer.divergence.SampledCurve;
import io.lucenedelta.scorer.refresh.Foresight;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DivergencesTest {
  private final long seed = System.nanoTime();
  private final RandomCrawl crawl = new RandomCrawl(seed, 40, 9).whosePagesComeLater();
  private final ReplayCorpus corpus = crawl.corpus();
  private final Divergences exact = divergences(Divergences.EXACT);

  private Divergences divergences(int hashes) {
    return Divergences.of(corpus, hashes, ReplayProgress.NONE);
  }

  @ParameterizedTest
  @ValueSource(ints = {Divergences.EXACT, 4})
  void betweenTwoVersionsTheyAreThoseOfTheirFragments(int hashes) {
    Divergences divergences = divergences(hashes);
    for (int page = 0; page < corpus.pageCount(); page++) {
      Fragments[] fragments = corpus.fragments(page);
      for (int a = 0; a < fragments.length; a++) {
        assertThat(divergences.between(page, a, a)).as("seed %s", seed).isZero();
        assertThat(divergences.between(page, ReplayCorpus.ABSENT, a))
            .as("seed %s", seed)
            .isEqualTo(1);
        assertThat(divergences.between(page, a, ReplayCorpus.ABSENT))
            .as("seed %s", seed)
            .isEqualTo(1);
        for (int b = a + 1; b < fragments.length; b++) {
          double expected =
              hashes == Divergences.EXACT
                  ? fragments[a].divergence(fragments[b])
                  : fragments[a].smallest(hashes).divergence(fragments[b].smallest(hashes));
          assertThat(divergences.between(page, a, b))
              .as("page %s, versions %s and %s, seed %s", page, a, b, seed)
              .isEqualTo((float) expected)
              .isEqualTo(divergences.between(page, b, a));
        }
      }
      assertThat(divergences.between(page, ReplayCorpus.ABSENT, ReplayCorpus.ABSENT))
          .as("seed %s", seed)
          .isZero();
    }
    assertThat(divergences.pageCount()).as("seed %s", seed).isEqualTo(corpus.pageCount());
  }

  @Test
  void eagernessIsOfTheWeeksInWhichThePageIsThereAndAHalfWithoutAChange() {
    for (int page = 0; page < corpus.pageCount(); page++) {
      int number = page;
      int first = corpus.since(page, 0);
      double expected =
          corpus.versionCount(page) == 1
              ? 0.5
              : Eagerness.of(
                  corpus.weeks() - first,
                  (a, b) ->
                      exact.between(
                          number,
                          corpus.liveVersion(number, first + a),
                          corpus.liveVersion(number, first + b)));
      assertThat(exact.eagerness(page))
          .as("page %s, seed %s", page, seed)
          .isEqualTo((float) expected);
    }
  }

  @Test
  void foresightIsTheDriftUpToNowAndWhatARefreshIsWorthNow() {
    Repository repository = new EveryChange(crawl.matches(), rank -> 1.0 / rank).synchronised(2);
    while (repository.week() < 6) {
      repository.advance(repository.week() + 1);
    }
    Foresight foresight = new RunForesight(repository, exact, corpus);
    for (int page = 0; page < corpus.pageCount(); page++) {
      String key = corpus.page(page);
      assertThat(foresight.qualityGain(key)) // sums kept after some questions are rounded otherwise
          .as("seed %s", seed)
          .isCloseTo(repository.qualityGain(page), within(1e-9));
      for (int since = corpus.since(page, 0); since <= 6; since++) {
        SampledCurve drift = foresight.drift(key, corpus.time(since));
        SampledCurve holistic = foresight.holisticDrift(key, corpus.time(since));
        int base = corpus.liveVersion(page, since);
        boolean still = base == repository.live(page);
        for (int week = since; week <= 8; week++) {
          int live = corpus.liveVersion(page, Math.min(week, 6));
          double expected = still ? 0 : exact.between(page, base, live);
          double days = corpus.days(since, week);
          assertThat(drift.at(days))
              .as("page %s from week %s to %s, seed %s", page, since, week, seed)
              .isCloseTo(expected, within(1e-12));
          assertThat(holistic.at(days)).as("seed %s", seed).isEqualTo(expected > 0 ? 1 : 0);
        }
      }
    }
  }
}
