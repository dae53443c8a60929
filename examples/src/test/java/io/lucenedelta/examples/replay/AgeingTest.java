// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.scorer.quality.PowerLawViews;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Against rank functions that are built anew for every refresh, as of the week they would be of.
 */
class AgeingTest {
  private final long seed = System.nanoTime();

  @ParameterizedTest
  @ValueSource(ints = {2, 5, 7})
  void estimatesAreByTheRankFunctionsOfTheLastRebuildBeforeTheirWeek(int weeks) {
    RandomCrawl crawl = new RandomCrawl(seed, 30, weeks).whosePagesComeLater();
    ReplayCorpus corpus = crawl.corpus();
    compare(crawl, corpus, Scoring.BM25, RandomCrawl.noImportance(corpus), false, true);
  }

  /** Whatever the terms of a query are worth, the same pages match it in the same order. */
  @Test
  void whereImportanceRanksNoStatisticsGrowOld() {
    RandomCrawl crawl = new RandomCrawl(seed, 30, 6).whosePagesComeLater();
    ReplayCorpus corpus = crawl.corpus();
    float[] importance = RandomCrawl.noImportance(corpus);
    Random random = new Random(seed);
    for (int page = 0; page < importance.length; page++) {
      importance[page] = 1 + random.nextInt(9);
    }
    compare(crawl, corpus, Scoring.IMPORTANCE, importance, false);
  }

  @Test
  void aLongCrawlIsRebuiltAsSeldomAsUpToHalfAYearAndNeverAgain() {
    assertThat(rows(new RandomCrawl(seed, 3, 26)))
        .extracting(AgeRow::rebuiltEvery)
        .containsExactly(1, 4, 12, 24, 25, 1, 4, 12, 24, 25);
  }

  @Test
  void whereNothingChangesNothingGrowsOld() {
    assertThat(rows(new RandomCrawl(seed, 1, 3))).extracting(AgeRow::changed).containsOnly(0.0);
  }

  private static List<AgeRow> rows(RandomCrawl crawl) {
    ReplayCorpus corpus = crawl.corpus();
    EstimateAudit.Question question =
        new EstimateAudit.Question(
            corpus, Scoring.BM25, RandomCrawl.noImportance(corpus), PowerLawViews.PAPER);
    return new Ageing(question, crawl.workload).rows(ReplayProgress.NONE);
  }

  private void compare(
      RandomCrawl crawl,
      ReplayCorpus corpus,
      Scoring scoring,
      float[] importance,
      boolean... settings) {
    int weeks = corpus.weeks();
    EstimateAudit.Question question =
        new EstimateAudit.Question(corpus, scoring, importance, PowerLawViews.PAPER);
    List<AgeRow> expected = new ArrayList<>();
    for (boolean statistics : settings) {
      for (int every : new int[] {1, 4, weeks - 1}) {
        if (every < weeks - 1 || every == weeks - 1 && expected(expected, every, statistics)) {
          expected.add(row(question, crawl, every, statistics));
        }
      }
    }
    List<AgeRow> rows = new Ageing(question, crawl.workload).rows(ReplayProgress.NONE);
    assertThat(rows).as("seed %s", seed).hasSameSizeAs(expected);
    for (int i = 0; i < rows.size(); i++) {
      AgeRow row = rows.get(i);
      AgeRow slow = expected.get(i);
      assertThat(row.frozen()).as("seed %s", seed).isEqualTo(slow.frozen());
      assertThat(row.rebuiltEvery()).as("seed %s", seed).isEqualTo(slow.rebuiltEvery());
      assertThat(row.agreement()).as("row %s, seed %s", row, seed).isEqualTo(slow.agreement());
      assertThat(row.changed())
          .as("row %s, seed %s", row, seed)
          .isCloseTo(slow.changed(), within(1e-12));
    }
  }

  private static boolean expected(List<AgeRow> rows, int every, boolean statistics) {
    return rows.stream()
        .noneMatch(row -> row.rebuiltEvery() == every && row.frozen().equals(name(statistics)));
  }

  private static String name(boolean statistics) {
    return statistics ? "rank functions and statistics" : "rank functions";
  }

  private static AgeRow row(
      EstimateAudit.Question question, RandomCrawl crawl, int every, boolean statistics) {
    ReplayCorpus corpus = question.corpus();
    List<Double> estimates = new ArrayList<>();
    List<Double> exact = new ArrayList<>();
    double since = 0;
    for (int week = 1; week < corpus.weeks(); week++) {
      int built = (week - 1) / every * every;
      Matches then = question.matches(crawl.workload, statistics ? built : 0);
      Repository old = new EveryChange(then, question.views()).synchronised(built);
      GainFormula.Meter meter = question.product(then).over(old.rankings());
      Matches now = question.matches(crawl.workload, statistics ? week - 1 : 0);
      Repository repository = new EveryChange(now, question.views()).synchronised(week - 1);
      repository.advance(week);
      for (int page = 0; page < corpus.pageCount(); page++) {
        int to = corpus.liveVersion(page, week);
        int from = corpus.liveVersion(page, week - 1);
        if (from == to) {
          continue;
        }
        if (from != ReplayCorpus.ABSENT) {
          exact.add(repository.qualityGain(page));
          estimates.add(meter.gain(page, from, to));
          since += changes(corpus, built, week - 1);
        }
        repository.refresh(page);
      }
    }
    return new AgeRow(
        name(statistics),
        every,
        since / Math.max(1, exact.size()) / corpus.pageCount(),
        EstimateAgreement.of(
            estimates.stream().mapToDouble(Double::doubleValue).toArray(),
            exact.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  /** How often pages changed after one week and up to another. */
  private static int changes(ReplayCorpus corpus, int after, int upTo) {
    int changes = 0;
    for (int page = 0; page < corpus.pageCount(); page++) {
      for (int version = 1; version < corpus.versionCount(page); version++) {
        int week = corpus.since(page, version);
        changes += week > after && week <= upTo ? 1 : 0;
      }
    }
    return changes;
  }
}
