// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.quality.ExactQuality;
import io.lucenedelta.scorer.quality.PowerLawViews;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is kept up to date incrementally is what the exact evaluator computes from scratch. */
class RepositoryAgainstExactQualityTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final RandomCrawl crawl = new RandomCrawl(seed, 40, 12);
  private final ExactQuality exact = new ExactQuality(PowerLawViews.PAPER);
  private Matches matches;
  private Repository repository;

  @BeforeEach
  void synchronise() {
    matches = crawl.matches();
    repository =
        Repository.empty(matches, LiveWeb.of(matches, PowerLawViews.PAPER, ReplayProgress.NONE));
    repository.advance(0);
    for (int page = 0; page < matches.corpus().pageCount(); page++) {
      repository.refresh(page);
    }
  }

  @Test
  void aSynchronisedRepositoryHasQualityOneExactly() {
    for (int week = 1; week < 12; week++) {
      repository.advance(week);
      for (int page = 0; page < matches.corpus().pageCount(); page++) {
        repository.refresh(page);
      }
      assertThat(repository.quality()).as("seed %s", seed).isEqualTo(1);
    }
  }

  @Test
  void pagesFetchedAtOnceRankAsTheSamePagesFetchedOneByOne() {
    Repository filled =
        Repository.empty(matches, LiveWeb.of(matches, PowerLawViews.PAPER, ReplayProgress.NONE));
    Repository fetched =
        Repository.empty(matches, LiveWeb.of(matches, PowerLawViews.PAPER, ReplayProgress.NONE));
    for (int week = 0; week < 6; week++) {
      filled.advance(week);
      fetched.advance(week);
    }
    int[] pages =
        random.ints(0, matches.corpus().pageCount()).distinct().limit(25).sorted().toArray();
    filled.refreshAll(pages);
    for (int page : pages) {
      fetched.refresh(page);
    }
    assertThat(filled.pages()).as("seed %s", seed).isEqualTo(fetched.pages());
    for (int query = 0; query < matches.workload().queryCount(); query++) {
      assertThat(ranked(filled.rankings(), query))
          .as("query %s, seed %s", query, seed)
          .isEqualTo(ranked(fetched.rankings(), query));
    }
    assertThat(filled.usefulness()).as("seed %s", seed).isEqualTo(fetched.usefulness());
    filled.advance(6);
    fetched.advance(6);
    for (int page : pages) {
      filled.refresh(page);
      fetched.refresh(page);
    }
    assertThat(filled.usefulness()).as("seed %s", seed).isEqualTo(fetched.usefulness());
  }

  @Test
  void manyRefreshesAtOnceAreTheSameOnesOneByOne() {
    for (int week = 1; week < 12; week++) {
      repository.advance(week);
      Repository single = repository.copy();
      int[] pages =
          random.ints(0, matches.corpus().pageCount()).distinct().limit(1 + 3L * week).toArray();
      for (int page : pages) {
        single.refresh(page);
      }
      repository.refreshAll(pages);
      for (int query = 0; query < matches.workload().queryCount(); query++) {
        assertThat(ranked(repository.rankings(), query))
            .as("query %s in week %s, seed %s", query, week, seed)
            .isEqualTo(ranked(single.rankings(), query));
      }
      assertThat(repository.usefulness()).as("seed %s", seed).isEqualTo(single.usefulness());
    }
  }

  private static List<Integer> ranked(Rankings rankings, int query) {
    return IntStream.range(0, rankings.size(query))
        .mapToObj(rank -> rankings.slotAt(query, rank))
        .toList();
  }

  @Test
  void qualityIsThatOfTheExactEvaluator() {
    for (int week = 1; week < 12; week++) {
      repository.advance(week);
      for (int i = 0; i < 5; i++) {
        repository.refresh(random.nextInt(matches.corpus().pageCount()));
      }
      assertThat(repository.quality())
          .as("week %s, seed %s", week, seed)
          .isCloseTo(exact.quality(fromScratch()), within(1e-12));
    }
  }

  @Test
  void theGainOfARefreshIsWhatItAddsToUsefulness() {
    for (int week = 1; week < 12; week++) {
      repository.advance(week);
      for (int i = 0; i < 8; i++) {
        int page = random.nextInt(matches.corpus().pageCount());
        double before = repository.usefulness();
        double gain = repository.qualityGain(page);
        assertThat(repository.usefulness()).as("seed %s", seed).isEqualTo(before);
        repository.refresh(page);
        assertThat(gain)
            .as("page %s in week %s, seed %s", page, week, seed)
            .isCloseTo(repository.usefulness() - before, within(1e-9));
      }
    }
  }

  /** Other pages are worth what is held of them, before as after. */
  @Test
  void whatIsKnownOfAGainGoesByTheCopiesOfOtherPages() {
    for (int week = 1; week < 12; week++) {
      repository.advance(week);
      for (int page = 0; page < matches.corpus().pageCount(); page += 3) {
        Repository after = repository.copy();
        after.refresh(page);
        double expected =
            worth(after.rankings(), after.rankings())
                - worth(repository.rankings(), after.rankings());
        assertThat(repository.knownGain(page))
            .as("page %s in week %s, seed %s", page, week, seed)
            .isCloseTo(expected, within(1e-9));
      }
      repository.refresh(week);
    }
  }

  private double worth(Rankings order, Rankings scores) {
    double sum = 0;
    for (int query = 0; query < matches.workload().queryCount(); query++) {
      for (int rank = 0; rank < order.size(query); rank++) {
        sum +=
            matches.workload().frequency(query)
                * PowerLawViews.PAPER.at(rank + 1)
                * scores.score(order.slotAt(query, rank));
      }
    }
    return sum;
  }

  @Test
  void onlyPagesThatAreThereCountAsFetched() {
    Matches later = new RandomCrawl(seed, 40, 12).whosePagesComeLater().matches();
    Repository growing =
        Repository.empty(later, LiveWeb.of(later, PowerLawViews.PAPER, ReplayProgress.NONE));
    for (int week = 0; week < 12; week++) {
      growing.advance(week);
      int there = 0;
      int[] all = new int[later.corpus().pageCount()];
      for (int page = 0; page < all.length; page++) {
        all[page] = page;
        there += growing.live(page) == ReplayCorpus.ABSENT ? 0 : 1;
        if (week % 2 == 0) {
          growing.refresh(page);
        }
      }
      growing.refreshAll(all);
      assertThat(growing.pages()).as("seed %s", seed).isEqualTo(there);
      assertThat(growing.quality()).as("seed %s", seed).isEqualTo(1);
    }
  }

  @Test
  void whereNoQueryHasAnAnswerNothingIsMissed() {
    RandomCrawl silent = new RandomCrawl(seed, 5, 3);
    silent.weeks.forEach(pages -> pages.replaceAll((page, text) -> "none of these"));
    Matches none = silent.matches();
    Repository empty =
        Repository.empty(none, LiveWeb.of(none, PowerLawViews.PAPER, ReplayProgress.NONE));
    empty.advance(0);
    assertThat(empty.quality()).isEqualTo(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> empty.advance(2))
        .withMessage("week 2 does not follow week 0");
  }

  @Test
  void aCopyGoesItsOwnWay() {
    for (int week = 1; week < 12 && repository.quality() == 1; week++) {
      repository.advance(week); // in one crawl of 650 no page changes in the first week
    }
    double quality = repository.quality();
    Repository copy = repository.copy();
    assertThat(copy.pages()).as("seed %s", seed).isEqualTo(repository.pages()).isPositive();
    for (int page = 0; page < matches.corpus().pageCount(); page++) {
      copy.refresh(page);
    }
    assertThat(copy.quality()).as("seed %s", seed).isEqualTo(1);
    assertThat(repository.quality()).as("seed %s", seed).isEqualTo(quality).isLessThan(1);
    double[] gains = gains();
    for (int week = copy.week() + 1; week < 12; week++) {
      copy.advance(week);
    }
    assertThat(gains()).as("seed %s", seed).containsExactly(gains, within(1e-9));
  }

  /** What refreshing each page would add. */
  private double[] gains() {
    return IntStream.range(0, matches.corpus().pageCount())
        .mapToDouble(repository::qualityGain)
        .toArray();
  }

  private List<ExactQuality.QueryScores> fromScratch() {
    ReplayCorpus corpus = matches.corpus();
    List<ExactQuality.QueryScores> queries = new ArrayList<>();
    for (int query = 0; query < crawl.workload.queryCount(); query++) {
      double[] held = new double[corpus.pageCount()];
      double[] live = new double[corpus.pageCount()];
      int wanted = query;
      for (int page = 0; page < corpus.pageCount(); page++) {
        int number = page;
        matches.shifts(
            page,
            ReplayCorpus.ABSENT,
            repository.held(page),
            (slot, before, after) -> put(held, number, wanted, slot, after));
        matches.shifts(
            page,
            ReplayCorpus.ABSENT,
            repository.live(page),
            (slot, before, after) -> put(live, number, wanted, slot, after));
      }
      queries.add(new ExactQuality.QueryScores(crawl.workload.frequency(query), held, live));
    }
    return queries;
  }

  private void put(double[] scores, int page, int query, int slot, float score) {
    if (matches.query(slot) == query) {
      scores[page] = score;
    }
  }
}
