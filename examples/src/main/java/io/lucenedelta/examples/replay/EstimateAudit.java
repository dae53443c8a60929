// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.workload.Workload;
import java.util.List;

/**
 * How good ΔQ_A and the ways to make it are on a crawl: rank functions, estimates, ageing. Every
 * change is refreshed in the week it happens, and every refresh is measured exactly as well
 * (equation 6's numerator, complete results of the whole workload, true live scores).
 */
public final class EstimateAudit {
  private EstimateAudit() {}

  /**
   * A way to draw rank functions.
   *
   * @param curve what it is
   * @param bytes bytes a query
   * @param errors mean of |ln(F(s)/rank)| over results of week 0: by band of the true rank (1, 2 to
   *     3, 4 to 10, 11 to 100, more), of pages that share their score, and of results of up to 3,
   *     12, 100 and more pages; NaN where there is none
   * @param agreement of ΔQ_A over such functions, built anew as on a live index, see {@link
   *     RankAge}
   */
  public record CurveRow(
      String curve, int bytes, List<Double> errors, EstimateAgreement agreement) {}

  /**
   * A way to estimate.
   *
   * @param estimate what it is
   * @param against the exact change it is compared with: of which workload
   */
  public record EstimateRow(String estimate, String against, EstimateAgreement agreement) {}

  /**
   * How estimates age.
   *
   * @param frozen what is only renewed at a rebuild
   * @param rebuiltEvery weeks between rebuilds
   * @param changed page changes since the rebuild, as a share of the pages, in the mean over the
   *     refreshes
   */
  public record AgeRow(
      String frozen, int rebuiltEvery, double changed, EstimateAgreement agreement) {}

  /**
   * The three tables.
   *
   * @param matchingQueries how many queries of the workload match a page in some week
   */
  public record Result(
      List<CurveRow> curves,
      List<EstimateRow> estimates,
      List<AgeRow> ageing,
      int matchingQueries) {
    /** Whether a refresh moved a result, so that there is a change to estimate. */
    public boolean isComparable() {
      return estimates.stream().anyMatch(row -> row.agreement().refreshes() > 0);
    }
  }

  /** What is audited. */
  record Question(
      ReplayCorpus corpus, Scoring scoring, float[] importance, ViewingLikelihood views) {
    /** With the statistics of week 0; every page is a step. */
    Matches matches(Workload workload, ReplayProgress progress) {
      progress.begin("matching pages and queries", corpus.pageCount());
      return Matches.of(corpus, workload, scoring, importance, 0, progress);
    }

    Matches matches(Workload workload, int statisticsWeek) {
      return Matches.of(corpus, workload, scoring, importance, statisticsWeek, ReplayProgress.NONE);
    }

    GainFormula product(Matches matches) {
      return GainFormula.of(matches, Estimate.MULTI_TERM, scoring, importance, views);
    }
  }

  /**
   * Audits a crawl.
   *
   * @param request tells workload, scoring and in-link counts; the rest of it is not looked at
   * @throws IllegalArgumentException if the crawl has fewer than two snapshots
   */
  public static Result run(ReplayCorpus corpus, ReplayRequest request, ReplayProgress progress) {
    if (corpus.weeks() < 2) {
      throw new IllegalArgumentException(
          "the crawl has %d snapshot: an audit needs at least 2".formatted(corpus.weeks()));
    }
    float[] importance = request.importance(corpus);
    Question question = new Question(corpus, request.scoring(), importance, PowerLawViews.PAPER);
    Workload workload = request.workload();
    EstimateLadder ladder = new EstimateLadder(question, workload, progress);
    progress.begin("comparing estimates", ladder.steps());
    List<EstimateRow> estimates = ladder.rows();
    List<CurveRow> curves = ladder.curves();
    List<AgeRow> ageing = new Ageing(question, workload).rows(progress);
    return new Result(curves, estimates, ageing, ladder.matchingQueries());
  }
}
