// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.workload.Workload;
import java.util.ArrayList;
import java.util.List;

/** Every way to estimate the change of a refresh, from the paper's to full knowledge. */
final class EstimateLadder {
  private static final String MULTI = "queries as asked";
  private static final String SINGLE = "single terms";

  /** How often {@link #rows} walks through the crawl; {@link #curves} does once more a curve. */
  private static final int WALKS = 11;

  private final EstimateAudit.Question question;
  private final EstimateWalk multi;
  private final EstimateWalk single; // of Q′

  EstimateLadder(EstimateAudit.Question question, Workload workload, ReplayProgress progress) {
    this.question = question;
    this.multi = new EstimateWalk(question, question.matches(workload, progress), progress);
    this.single =
        new EstimateWalk(question, question.matches(workload.singleTerm(), progress), progress);
  }

  /** Steps of rows and curves: every week of every walk is one. */
  long steps() {
    return (long) (WALKS + 1 + CurveVariant.all().size()) * (question.corpus().weeks() - 1);
  }

  /** How many queries match a page in some week. */
  int matchingQueries() {
    return multi.matchingQueries();
  }

  /** The ladder. */
  List<EstimateRow> rows() {
    QualityChange paper = new PaperSum(question.views());
    QualityChange integral = new IntegralSum(question.views());
    QualityChange passed = new PassedPages(question.views(), CurveVariant.PAPER.known());
    QualityChange whole = new PassedPages(question.views());
    double[] exact = multi.exact();
    double[] exactSingle = single.exact();
    List<EstimateRow> rows = new ArrayList<>();
    CurveVariant three = CurveVariant.PAPER;
    CurveVariant product = CurveVariant.PRODUCT;
    String curve = ", three equal pieces of week 0, ";
    rows.add(row("single-term" + curve + "whole ranks", single.frozen(three, paper), exact));
    rows.add(row("single-term" + curve + "integral", single.frozen(three, integral), exact));
    rows.add(row("single-term exact", exactSingle, exact));
    rows.add(row("multi-term" + curve + "whole ranks", multi.frozen(three, paper), exact));
    rows.add(row("multi-term" + curve + "integral", multi.frozen(three, integral), exact));
    rows.add(row("multi-term" + curve + "passed pages", multi.frozen(three, passed), exact));
    rows.add(row("multi-term, product's knots of week 0", multi.frozen(product, whole), exact));
    rows.add(
        row(
            "product: its knots, rebuilt when a tenth of the pages changed",
            multi.product(),
            exact));
    rows.add(row("all scores of the repository known", multi.known(), exact));
    rows.add(
        new EstimateRow(
            "product on single terms",
            SINGLE,
            EstimateAgreement.of(single.product(), exactSingle)));
    return rows;
  }

  private static EstimateRow row(String estimate, double[] estimates, double[] exact) {
    return new EstimateRow(estimate, MULTI, EstimateAgreement.of(estimates, exact));
  }

  /** Every way to draw rank functions, with what it does to the estimate. */
  List<CurveRow> curves() {
    double[] exact = multi.exact();
    List<CurveRow> rows = new ArrayList<>();
    for (CurveVariant variant : CurveVariant.all()) {
      PassedPages passed = new PassedPages(question.views(), variant.known());
      double[] estimates = multi.renewed(variant, passed);
      rows.add(
          new CurveRow(
              variant.label(),
              variant.bytes(),
              multi.errors(variant).means(),
              EstimateAgreement.of(estimates, exact)));
    }
    return rows;
  }
}
