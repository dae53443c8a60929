// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import org.apache.commons.math3.util.ResizableDoubleArray;

/**
 * Estimates every change of a crawl with one workload, each time by another formula. What it
 * returns is by event, in the order of {@link EveryChange}; every week of a walk is a step.
 */
final class EstimateWalk {
  private final EstimateAudit.Question question;
  private final Matches matches;
  private final ReplayProgress progress;
  private final EveryChange changes;

  EstimateWalk(EstimateAudit.Question question, Matches matches, ReplayProgress progress) {
    this.question = question;
    this.matches = matches;
    this.progress = progress;
    this.changes = new EveryChange(matches, question.views());
  }

  /** Estimates what a refresh will change, just before it happens. */
  private interface Estimator {
    /** A week begins: rank functions may be due. */
    default void week(Repository repository) {}

    double change(int page, int from, int to, Repository repository);
  }

  /** How many queries match a page in some week. */
  int matchingQueries() {
    return matches.matchingQueries();
  }

  /** What the refresh does change, equation 6's numerator. */
  double[] exact() {
    return walk((page, from, to, repository) -> repository.qualityGain(page));
  }

  /** What the exact change would be if no other page had changed meanwhile. */
  double[] known() {
    return walk((page, from, to, repository) -> repository.knownGain(page));
  }

  /** As the product does it. */
  double[] product() {
    return walk(new Product());
  }

  /** With rank functions of week 0. */
  double[] frozen(CurveVariant variant, QualityChange formula) {
    return walk(new Drawn(variant, formula, RankAge.once()));
  }

  /** With rank functions drawn anew when they are due. */
  double[] renewed(CurveVariant variant, QualityChange formula) {
    return walk(new Drawn(variant, formula, RankAge.byChanges()));
  }

  /** How far rank functions are from the ranks of week 0. */
  RankErrors errors(CurveVariant variant) {
    RankErrors errors = new RankErrors();
    Rankings rankings = changes.synchronised(0).rankings();
    float[] scores = new float[matches.longestResult()];
    for (int query = 0; query < matches.workload().queryCount(); query++) {
      int n = scores(rankings, query, scores);
      errors.add(variant.draw(scores, n), scores, n);
    }
    return errors;
  }

  /** Copies the scores of a query's results; returns how many. */
  private static int scores(Rankings rankings, int query, float[] scores) {
    int n = rankings.size(query);
    for (int rank = 0; rank < n; rank++) {
      scores[rank] = rankings.score(rankings.slotAt(query, rank));
    }
    return n;
  }

  private double[] walk(Estimator estimator) {
    ResizableDoubleArray estimates = new ResizableDoubleArray(); // nobody knows how many there are
    changes.walk(
        changes.synchronised(0),
        1,
        question.corpus().weeks() - 1,
        new EveryChange.Visitor() {
          @Override
          public void week(int week, Repository repository) {
            progress.step();
            estimator.week(repository);
          }

          @Override
          public void refresh(int page, int from, int to, Repository repository) {
            estimates.addElement(estimator.change(page, from, to, repository));
          }
        });
    return estimates.getElements();
  }

  private final class Product implements Estimator {
    private final GainFormula formula = question.product(matches);
    private final RankAge age = RankAge.byChanges();
    private GainFormula.Meter meter;

    @Override
    public void week(Repository repository) {
      if (age.due(repository.pages())) {
        meter = formula.over(repository.rankings());
      }
    }

    @Override
    public double change(int page, int from, int to, Repository repository) {
      age.changed();
      return meter.gain(page, from, to);
    }
  }

  /** By a formula over rank functions that are drawn in one of the ways to do so. */
  private final class Drawn implements Estimator {
    private final CurveVariant variant;
    private final QualityChange formula;
    private final RankAge age;
    private ShiftMeter meter;
    private double sum;

    Drawn(CurveVariant variant, QualityChange formula, RankAge age) {
      this.variant = variant;
      this.formula = formula;
      this.age = age;
    }

    @Override
    public void week(Repository repository) {
      if (age.due(repository.pages())) {
        draw(repository.rankings());
      }
    }

    private void draw(Rankings rankings) {
      float[] scores = new float[matches.longestResult()];
      LogLogRankFunction[] functions = new LogLogRankFunction[matches.workload().queryCount()];
      for (int query = 0; query < functions.length; query++) {
        functions[query] = variant.draw(scores, scores(rankings, query, scores));
      }
      meter = formula.over(functions);
    }

    @Override
    public double change(int page, int from, int to, Repository repository) {
      age.changed();
      sum = 0;
      matches.shifts(page, from, to, this::add);
      return sum;
    }

    private void add(int slot, float before, float after) {
      int query = matches.query(slot);
      sum += matches.workload().frequency(query) * meter.effect(query, before, after).total();
    }
  }
}
