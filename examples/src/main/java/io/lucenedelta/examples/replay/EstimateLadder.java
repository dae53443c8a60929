// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.replay.EstimateAudit.CurveRow;
import io.lucenedelta.examples.replay.EstimateAudit.EstimateRow;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import io.lucenedelta.scorer.quality.Integral;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.lucene.util.ArrayUtil;

/** Every way to estimate the change of a refresh, from the paper's to full knowledge. */
final class EstimateLadder {
  private static final String MULTI = "queries as asked";
  private static final String SINGLE = "single terms";

  /** How often {@link #rows} walks through the crawl; {@link #curves} does once more a curve. */
  private static final int WALKS = 11;

  private final EstimateAudit.Question question;
  private final Workload workload;
  private final Walk multi;
  private final Walk single; // of Q′
  private final ReplayProgress progress;

  EstimateLadder(EstimateAudit.Question question, Workload workload, ReplayProgress progress) {
    this.question = question;
    this.workload = workload;
    this.progress = progress;
    this.multi = new Walk(question.matches(workload, progress));
    this.single = new Walk(question.matches(workload.singleTerm(), progress));
  }

  /** Steps of rows and curves: every week of every walk is one. */
  long steps() {
    return (long) (WALKS + 1 + CurveVariant.all().size()) * (question.corpus().weeks() - 1);
  }

  /** How many queries match a page in some week. */
  int matchingQueries() {
    return multi.matches.matchingQueries();
  }

  /** The ladder. */
  List<EstimateRow> rows() {
    QualityChange paper = new PaperSum(question.views());
    QualityChange integral = new Integral(question.views());
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
              errors(variant).means(),
              EstimateAgreement.of(estimates, exact)));
    }
    return rows;
  }

  private RankErrors errors(CurveVariant variant) {
    RankErrors errors = new RankErrors();
    Rankings rankings = multi.start().rankings();
    float[] scores = new float[multi.matches.longestResult()];
    for (int query = 0; query < workload.queryCount(); query++) {
      int n = scores(rankings, query, scores);
      if (n > 0) {
        errors.add(variant.draw(scores, n), scores, n);
      }
    }
    return errors;
  }

  private static int scores(Rankings rankings, int query, float[] scores) {
    int n = rankings.size(query);
    for (int rank = 0; rank < n; rank++) {
      scores[rank] = rankings.score(rankings.slotAt(query, rank));
    }
    return n;
  }

  /** Walks through the crawl with one workload. */
  private final class Walk {
    private final Matches matches;
    private final EveryChange changes;
    private final int lastWeek = question.corpus().weeks() - 1;

    Walk(Matches matches) {
      this.matches = matches;
      this.changes = new EveryChange(matches, question.views());
    }

    Repository start() {
      return changes.synchronised(0);
    }

    double[] exact() {
      return walk(event -> event.repository().qualityGain(event.page()), (week, repository) -> {});
    }

    /** What the exact change would be if no other page had changed meanwhile. */
    double[] known() {
      return walk(event -> event.repository().knownGain(event.page()), (week, repository) -> {});
    }

    double[] product() {
      GainFormula formula = question.product(matches);
      GainFormula.Meter[] meter = new GainFormula.Meter[1];
      RankAge age = RankAge.byChanges();
      return walk(
          event -> {
            age.changed();
            return meter[0].gain(event.page(), event.from(), event.to());
          },
          (week, repository) -> {
            if (age.due(repository.pages())) {
              meter[0] = formula.over(repository.rankings());
            }
          });
    }

    double[] frozen(CurveVariant variant, QualityChange formula) {
      return estimates(variant, formula, RankAge.once());
    }

    double[] renewed(CurveVariant variant, QualityChange formula) {
      return estimates(variant, formula, RankAge.byChanges());
    }

    private double[] estimates(CurveVariant variant, QualityChange formula, RankAge age) {
      LogLogRankFunction[] functions = new LogLogRankFunction[matches.workload().queryCount()];
      return walk(
          event -> {
            age.changed();
            return gain(event, functions, formula);
          },
          (week, repository) -> {
            if (age.due(repository.pages())) {
              draw(variant, repository.rankings(), functions);
            }
          });
    }

    private void draw(CurveVariant variant, Rankings rankings, LogLogRankFunction[] functions) {
      float[] scores = new float[matches.longestResult()];
      LogLogRankFunction none = variant.draw(scores, 0);
      for (int query = 0; query < functions.length; query++) {
        int n = scores(rankings, query, scores);
        functions[query] = n == 0 ? none : variant.draw(scores, n);
      }
    }

    private double gain(Event event, LogLogRankFunction[] functions, QualityChange formula) {
      double[] sum = new double[1];
      matches.shifts(
          event.page(),
          event.from(),
          event.to(),
          (slot, before, after) -> {
            int query = matches.query(slot);
            sum[0] +=
                matches.workload().frequency(query)
                    * formula.effect(functions[query], before, after).total();
          });
      return sum[0];
    }

    private double[] walk(ToDoubleFunction<Event> estimate, Weekly weekly) {
      Collected collected = new Collected();
      changes.walk(
          start(),
          1,
          lastWeek,
          new EveryChange.Visitor() {
            @Override
            public void week(int week, Repository repository) {
              progress.step();
              weekly.begins(week, repository);
            }

            @Override
            public void refresh(int page, int from, int to, Repository repository) {
              collected.add(estimate.applyAsDouble(new Event(page, from, to, repository)));
            }
          });
      return collected.values();
    }
  }

  /** A refresh about to happen. */
  private record Event(int page, int from, int to, Repository repository) {}

  /** Hears of weeks. */
  private interface Weekly {
    void begins(int week, Repository repository);
  }

  /** Grows. */
  private static final class Collected {
    private double[] values = new double[1024];
    private int count;

    void add(double value) {
      values = ArrayUtil.grow(values, count + 1);
      values[count++] = value;
    }

    double[] values() {
      return ArrayUtil.copyOfSubArray(values, 0, count);
    }
  }
}
