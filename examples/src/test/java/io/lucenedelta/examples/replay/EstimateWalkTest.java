// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.delta.DeltaConfig;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against repositories that are synchronised anew for every week. */
class EstimateWalkTest {
  private static final QualityChange PASSED = new PassedPages(PowerLawViews.PAPER);

  private final long seed = System.nanoTime();
  private final RandomCrawl crawl = new RandomCrawl(seed, 100, 6).whosePagesComeLater();
  private final Matches matches = crawl.matches();
  private final ReplayCorpus corpus = matches.corpus();
  private final EstimateAudit.Question question =
      new EstimateAudit.Question(
          corpus, Scoring.BM25, RandomCrawl.noImportance(corpus), PowerLawViews.PAPER);
  private final EstimateWalk walk = new EstimateWalk(question, matches, ReplayProgress.NONE);

  /** Estimates a page's step from one version to another. */
  private interface Estimate {
    double change(Repository repository, int page, int from, int to);
  }

  @Test
  void exactChangesAreThoseOfTheRepositoryJustBeforeARefresh() {
    compare(walk.exact(), slow(true, start -> (now, page, from, to) -> now.qualityGain(page)));
    compare(walk.known(), slow(true, start -> (now, page, from, to) -> now.knownGain(page)));
  }

  @Test
  void rankFunctionsAreDrawnOnceOrWhenSoManyPagesChanged() {
    QualityChange paper = new PaperSum(PowerLawViews.PAPER);
    for (CurveVariant variant : List.of(CurveVariant.PAPER, CurveVariant.PRODUCT)) {
      for (QualityChange formula : List.of(PASSED, paper)) {
        compare(
            walk.frozen(variant, formula), slow(false, start -> drawn(start, variant, formula)));
        compare(
            walk.renewed(variant, formula), slow(true, start -> drawn(start, variant, formula)));
      }
    }
    compare(walk.product(), slow(true, start -> drawn(start, CurveVariant.PRODUCT, PASSED)));
  }

  @Test
  void errorsAreOfTheRanksInTheFirstWeek() {
    Rankings first = start(0).rankings();
    RankErrors errors = new RankErrors();
    for (int query = 0; query < crawl.workload.queryCount(); query++) {
      float[] scores = scores(first, query);
      errors.add(CurveVariant.PAPER.draw(scores, scores.length), scores, scores.length);
    }
    assertThat(walk.errors(CurveVariant.PAPER).means())
        .as("seed %s", seed)
        .isEqualTo(errors.means());
  }

  @Test
  void queriesMatchWhichMatchAPageInSomeWeek() {
    assertThat(walk.matchingQueries())
        .as("seed %s", seed)
        .isEqualTo(matches.matchingQueries())
        .isPositive();
  }

  /** The repository that is synchronised in a week. */
  private Repository start(int week) {
    return new EveryChange(matches, PowerLawViews.PAPER).synchronised(week);
  }

  /** Estimates of every change by what is made of the repository of the week before. */
  private double[] slow(boolean renewed, Function<Repository, Estimate> maker) {
    List<Double> estimates = new ArrayList<>();
    Estimate estimate = null;
    double changes = 0;
    for (int week = 1; week < corpus.weeks(); week++) {
      Repository repository = start(week - 1);
      if (estimate == null
          || renewed && changes >= DeltaConfig.REBUILD_SHARE * repository.pages()) {
        estimate = maker.apply(start(week - 1));
        changes = 0;
      }
      repository.advance(week);
      for (int page = 0; page < corpus.pageCount(); page++) {
        int from = corpus.liveVersion(page, week - 1);
        int to = corpus.liveVersion(page, week);
        if (from != to && from != ReplayCorpus.ABSENT) {
          estimates.add(estimate.change(repository, page, from, to));
          changes++;
        }
        repository.refresh(page);
      }
    }
    return estimates.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private Estimate drawn(Repository start, CurveVariant variant, QualityChange formula) {
    LogLogRankFunction[] functions =
        IntStream.range(0, crawl.workload.queryCount())
            .mapToObj(query -> scores(start.rankings(), query))
            .map(scores -> variant.draw(scores, scores.length))
            .toArray(LogLogRankFunction[]::new);
    return (now, page, from, to) -> {
      List<Double> parts = new ArrayList<>();
      matches.shifts(
          page,
          from,
          to,
          (slot, before, after) -> {
            int query = matches.query(slot);
            double total = formula.effect(functions[query], before, after).total();
            parts.add(crawl.workload.frequency(query) * total);
          });
      return parts.stream().mapToDouble(Double::doubleValue).sum();
    };
  }

  private static float[] scores(Rankings rankings, int query) {
    float[] scores = new float[rankings.size(query)];
    for (int rank = 0; rank < scores.length; rank++) {
      scores[rank] = rankings.score(rankings.slotAt(query, rank));
    }
    return scores;
  }

  private void compare(double[] walked, double[] slow) {
    assertThat(walked).as("seed %s", seed).containsExactly(slow, within(1e-8));
    assertThat(slow).as("seed %s", seed).hasSizeGreaterThan(20);
  }
}
