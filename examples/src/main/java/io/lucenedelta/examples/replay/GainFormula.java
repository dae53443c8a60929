// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.ImportanceOrder;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.scorer.quality.WordEvidence;
import io.lucenedelta.scorer.rank.EqualPieces;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.QueriesByTerm;
import java.util.function.Function;

/**
 * ΔQ_A as the product computes it, but for the rank functions: give it the rankings of a moment and
 * it builds them. Immutable, safe for several threads.
 */
final class GainFormula {
  private final Matches matches;
  private final Function<Results, ShiftMeter> fit;
  private final float[] standing; // by page, or null where pages rank by their scores

  private GainFormula(Matches matches, Function<Results, ShiftMeter> fit, float[] standing) {
    this.matches = matches;
    this.fit = fit;
    this.standing = standing;
  }

  /**
   * The formula of an estimate.
   *
   * @param importance score by page for {@link Scoring#IMPORTANCE}, else ignored
   */
  static GainFormula of(
      Matches matches,
      Estimate estimate,
      Scoring scoring,
      float[] importance,
      ViewingLikelihood views) {
    QualityChange change = estimate.formula(views);
    return estimate.ofSingleTerms()
        ? new GainFormula(matches, results -> results.equalPieces(change), null)
        : ofQueries(matches, change, scoring, importance, views);
  }

  /**
   * A formula over the rank functions of the product: as there, by pages passed and {@link
   * Scoring#IMPORTANCE} pages rank by their place in the order of importance, else by their scores.
   */
  static GainFormula ofQueries(
      Matches matches,
      QualityChange change,
      Scoring scoring,
      float[] importance,
      ViewingLikelihood views) {
    if (scoring != Scoring.IMPORTANCE || !(change instanceof PassedPages)) {
      return new GainFormula(matches, results -> change.over(results.knots()), null);
    }
    ReplayCorpus corpus = matches.corpus();
    ImportanceOrder.Builder pages = ImportanceOrder.builder();
    for (int page = 0; page < importance.length; page++) {
      // of what appears later nothing is known yet, not even that it will be there
      if (corpus.liveVersion(page, 0) != ReplayCorpus.ABSENT) {
        pages.add(corpus.page(page), importance[page]);
      }
    }
    ImportanceOrder order = pages.build();
    float[] standing = new float[importance.length];
    for (int page = 0; page < standing.length; page++) {
      standing[page] = order.standing(corpus.page(page), importance[page]);
    }
    return new GainFormula(matches, results -> order.over(results.knots(), views), standing);
  }

  Matches matches() {
    return matches;
  }

  /** The formula over rank functions of the results as they are now. */
  Meter over(Rankings rankings) {
    return new Meter(fit.apply(new Results(rankings)));
  }

  /** What words let expect of pages, by the results as they are now. */
  WordEvidence words(Rankings rankings) {
    int[] results = new int[matches.workload().termCount()];
    for (int query = 0; query < matches.workload().queryCount(); query++) {
      for (int i = 0; i < matches.workload().queryLength(query); i++) {
        int term = matches.workload().queryTerm(query, i);
        results[term] = Math.max(results[term], rankings.size(query));
      }
    }
    QueriesByTerm queries = QueriesByTerm.of(matches.workload(), results);
    return new WordEvidence(matches.workload(), queries, new Results(rankings).knots());
  }

  /** What a page ranks by. */
  private float ranked(int slot, float score) {
    return standing == null || score == 0 ? score : standing[matches.page(slot)];
  }

  /** What users get for every query at one moment, as rank functions. */
  private final class Results {
    private final Rankings rankings;
    private final float[] scores = new float[matches.longestResult()];

    Results(Rankings rankings) {
      this.rankings = rankings;
    }

    /** Copies what ranks a query's results; returns how many. */
    private int read(int query) {
      int results = rankings.size(query);
      for (int rank = 0; rank < results; rank++) {
        int slot = rankings.slotAt(query, rank);
        scores[rank] = ranked(slot, rankings.score(slot));
      }
      return results;
    }

    /** As the product keeps them. */
    RankTable knots() {
      int queries = matches.workload().queryCount();
      OnHeapRankTable.Builder table = OnHeapRankTable.builder(queries);
      for (int query = 0; query < queries; query++) {
        int results = read(query);
        table.put(query, KnotSample.of(scores, results));
      }
      return table.build();
    }

    /** As the 2005 paper has them. */
    ShiftMeter equalPieces(QualityChange change) {
      LogLogRankFunction[] functions = new LogLogRankFunction[matches.workload().queryCount()];
      for (int query = 0; query < functions.length; query++) {
        int results = read(query);
        functions[query] = EqualPieces.of(scores, results);
      }
      return change.over(functions);
    }
  }

  /** Measures with rank functions of one moment. */
  final class Meter {
    private final ShiftMeter meter;

    private Meter(ShiftMeter meter) {
      this.meter = meter;
    }

    /** ΔQ_A of a page's step from one version to a later one. */
    double gain(int page, int from, int to) {
      double[] sum = new double[1];
      matches.shifts(
          page,
          from,
          to,
          (slot, before, after) -> {
            int query = matches.query(slot);
            sum[0] +=
                matches.workload().frequency(query)
                    * meter.change(query, ranked(slot, before), ranked(slot, after));
          });
      return sum[0];
    }

    /** The page's own part of the change when a version of it enters the results: 0 or more. */
    double usefulness(int page, int version) {
      double[] sum = new double[1];
      matches.shifts(
          page,
          ReplayCorpus.ABSENT,
          version,
          (slot, before, after) -> {
            int query = matches.query(slot);
            sum[0] += matches.workload().frequency(query) * meter.entry(query, ranked(slot, after));
          });
      return sum[0];
    }
  }
}
