// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.PowerLawViews;
import io.lucenedelta.scorer.quality.QualityChange;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every row is of the estimate that its name tells. */
class EstimateLadderTest {
  private final RandomCrawl crawl = new RandomCrawl(11, 60, 5);
  private final ReplayCorpus corpus = crawl.corpus();
  private final EstimateAudit.Question question =
      new EstimateAudit.Question(
          corpus, Scoring.BM25, RandomCrawl.noImportance(corpus), PowerLawViews.PAPER);
  private final EstimateLadder ladder =
      new EstimateLadder(question, crawl.workload, ReplayProgress.NONE);
  private final EstimateWalk multi =
      new EstimateWalk(question, question.matches(crawl.workload, 0), ReplayProgress.NONE);
  private final EstimateWalk single =
      new EstimateWalk(
          question, question.matches(crawl.workload.singleTerm(), 0), ReplayProgress.NONE);

  @Test
  void theLadderGoesFromThePapersEstimateToFullKnowledge() {
    QualityChange paper = new PaperSum(PowerLawViews.PAPER);
    QualityChange integral = new IntegralSum(PowerLawViews.PAPER);
    CurveVariant three = CurveVariant.PAPER;
    double[] exact = multi.exact();
    String pieces = ", three equal pieces of week 0, ";
    Map<String, EstimateAgreement> expected = new LinkedHashMap<>();
    expected.put("single-term" + pieces + "whole ranks", of(single.frozen(three, paper), exact));
    expected.put("single-term" + pieces + "integral", of(single.frozen(three, integral), exact));
    expected.put("single-term exact", of(single.exact(), exact));
    expected.put("multi-term" + pieces + "whole ranks", of(multi.frozen(three, paper), exact));
    expected.put("multi-term" + pieces + "integral", of(multi.frozen(three, integral), exact));
    expected.put(
        "multi-term" + pieces + "passed pages",
        of(multi.frozen(three, new PassedPages(PowerLawViews.PAPER, 1)), exact));
    expected.put(
        "multi-term, product's knots of week 0",
        of(multi.frozen(CurveVariant.PRODUCT, new PassedPages(PowerLawViews.PAPER)), exact));
    expected.put(
        "product: its knots, rebuilt when a tenth of the pages changed",
        of(multi.product(), exact));
    expected.put("all scores of the repository known", of(multi.known(), exact));
    assertThat(expected.values()).as("so that none is taken for another").doesNotHaveDuplicates();
    List<EstimateRow> rows = ladder.rows();
    assertThat(rows.subList(0, 9))
        .containsExactlyElementsOf(
            expected.entrySet().stream()
                .map(row -> new EstimateRow(row.getKey(), "queries as asked", row.getValue()))
                .toList());
    assertThat(rows.subList(9, rows.size()))
        .containsExactly(
            new EstimateRow(
                "product on single terms", "single terms", of(single.product(), single.exact())));
  }

  @Test
  void everyFormOfRankFunctionHasItsErrorsAndWhatAnEstimateByItIsWorth() {
    double[] exact = multi.exact();
    List<CurveRow> rows = ladder.curves();
    assertThat(rows).hasSameSizeAs(CurveVariant.all());
    for (int i = 0; i < rows.size(); i++) {
      CurveVariant variant = CurveVariant.all().get(i);
      PassedPages passed = new PassedPages(PowerLawViews.PAPER, variant.known());
      assertThat(rows.get(i))
          .isEqualTo(
              new CurveRow(
                  variant.label(),
                  variant.bytes(),
                  multi.errors(variant).means(),
                  of(multi.renewed(variant, passed), exact)));
    }
  }

  private static EstimateAgreement of(double[] estimates, double[] exact) {
    return EstimateAgreement.of(estimates, exact);
  }
}
