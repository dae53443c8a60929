// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.examples.replay.EstimateAudit.AgeRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.workload.Workload;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.junit.jupiter.api.Test;

class EstimateAuditTest {
  private static final long SEED = 5;
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private static final Workload QUERIES =
      Workload.builder()
          .add(List.of("alpha"), 7)
          .add(List.of("beta", "gamma"), 4)
          .add(List.of("gamma"), 2)
          .add(List.of("delta", "alpha"), 3)
          .build();

  private static ReplayCorpus corpus(int weeks) {
    Random random = new Random(SEED);
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(QUERIES, analyzer, 5);
      for (int week = 0; week < weeks; week++) {
        corpus.week(START.plus(Duration.ofDays(7L * week)));
        for (int page = 0; page < 80; page++) {
          boolean late = page >= 75 && week < 3; // pages that appear later
          if (!late && (week == 0 || random.nextInt(4) == 0)) {
            corpus.add("page" + page, text(random));
          }
        }
      }
      return corpus.build();
    }
  }

  private static String text(Random random) {
    String[] words = {"alpha", "beta", "gamma", "delta", "some", "other", "words"};
    StringBuilder text = new StringBuilder();
    for (int word = 5 + random.nextInt(40); word >= 0; word--) {
      text.append(words[random.nextInt(words.length)]).append(' ');
    }
    return text.toString();
  }

  @Test
  void theProductsRowIsWhatTheReplayMeasures() {
    ReplayCorpus corpus = corpus(9);
    for (Scoring scoring : Scoring.values()) {
      ReplayRequest request =
          ReplayRequest.of(QUERIES)
              .withScoring(scoring, java.util.Map.of("page3", 9, "page7", 2))
              .withPolicies(List.of("uniform"))
              .withBudgets(List.of(Budget.of("100%")))
              .withAudit(true);
      EstimateAudit.Result result = EstimateAudit.run(corpus, request, ReplayProgress.NONE);
      List<Measurement> replayed = new ArrayList<>();
      for (RunResult run : Replay.run(corpus, request, ReplayProgress.NONE).runs()) {
        replayed.addAll(run.measurements());
      }
      Agreement expected = Agreement.of(replayed);
      EstimateRow product =
          result.estimates().stream()
              .filter(row -> row.estimate().startsWith("product: "))
              .findFirst()
              .orElseThrow();
      assertThat(product.agreement().refreshes())
          .as("%s, seed %d", scoring, SEED)
          .isCloseTo(expected.refreshes(), within(3));
      assertThat(product.agreement().spearman()).isCloseTo(expected.spearman(), within(0.02));
      AgeRow weekly = result.ageing().get(0); // a quarter of the pages changes in a week
      assertThat(weekly.rebuiltEvery()).isEqualTo(1);
      assertThat(weekly.agreement().spearman())
          .isCloseTo(product.agreement().spearman(), within(0.02));
    }
  }

  @Test
  void aCrawlOfOneSnapshotCannotBeAudited() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> EstimateAudit.run(corpus(1), ReplayRequest.of(QUERIES), ReplayProgress.NONE))
        .withMessage("the crawl has 1 snapshot: an audit needs at least 2");
  }

  @Test
  void everyTaskTakesTheStepsThatItPromises() {
    ReplayCorpus corpus = corpus(6);
    CountedSteps progress = new CountedSteps();
    EstimateAudit.run(corpus, ReplayRequest.of(QUERIES), progress);
    assertThat(progress.taken).isEqualTo(progress.promised);
    assertThat(progress.promised)
        .containsEntry("matching pages and queries", 2L * corpus.pageCount());
    assertThat(progress.promised.get("comparing estimates")).isGreaterThan(5 * 30);
  }

  @Test
  void fullKnowledgeOfACrawlWhereOnePageChangesAWeekIsExact() {
    try (Analyzer analyzer = PageAnalysis.analyzer()) {
      Random random = new Random(SEED);
      ReplayCorpus.Builder corpus = ReplayCorpus.builder(QUERIES, analyzer, 5);
      for (int week = 0; week < 20; week++) {
        corpus.week(START.plus(Duration.ofDays(7L * week)));
        for (int page = 0; page < 30; page++) {
          if (week == 0 || page == week) {
            corpus.add("page" + page, text(random));
          }
        }
      }
      EstimateAudit.Result result =
          EstimateAudit.run(corpus.build(), ReplayRequest.of(QUERIES), ReplayProgress.NONE);
      EstimateRow known =
          result.estimates().stream()
              .filter(row -> row.estimate().startsWith("all scores"))
              .findFirst()
              .orElseThrow();
      assertThat(known.agreement().spearman()).isCloseTo(1, within(1e-12));
      assertThat(known.agreement().bias()).isCloseTo(1, within(1e-9));
    }
  }

  @Test
  void morePiecesAreMoreExactAndACurveThroughEveryRankIsExact() {
    float[] scores = new float[9];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = 10 - i - (i > 4 ? 0.7f : 0);
    }
    for (CurveVariant variant : CurveVariant.all()) {
      LogLogRankFunction curve = variant.draw(scores, scores.length);
      assertThat(curve.results()).isEqualTo(9);
      assertThat(curve.pieces()).as(variant.label()).isEqualTo(variant.pieces());
      RankErrors errors = new RankErrors();
      errors.add(curve, scores, scores.length);
      assertThat(errors.means().get(4)).as("no rank above 100").isNaN();
      if (variant.placement() == CurveVariant.Placement.DATA && variant.pieces() == 8) {
        assertThat(errors.means().subList(0, 3)).allMatch(error -> error < 1e-6);
      }
    }
  }

  @Test
  void tiedPagesShareTheMiddleOfTheirRanks() {
    float[] scores = {5, 3, 3, 3, 1};
    RankErrors errors = new RankErrors();
    errors.add(
        LogLogRankFunction.through(5, new double[] {1, 3, 5}, new double[] {5, 3, 1}), scores, 5);
    assertThat(errors.means().get(1)).as("ranks 2 to 4 count as 3").isCloseTo(0, within(1e-12));
  }

  @Test
  void leastSquaresFindsACurveThatIsThere() {
    float[] scores = new float[200];
    for (int rank = 1; rank <= scores.length; rank++) {
      scores[rank - 1] = (float) (8 * Math.pow(rank, -0.4));
    }
    LogLogRankFunction curve =
        new CurveVariant(3, CurveVariant.Placement.EQUAL, CurveVariant.Fit.LEAST_SQUARES)
            .draw(scores, scores.length);
    assertThat(curve.scoreAt(1)).isCloseTo(8, within(1e-3));
    assertThat(curve.scoreAt(70)).isCloseTo(8 * Math.pow(70, -0.4), within(1e-3));
  }
}
