// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.ShiftEffect;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;

/**
 * ΔQ_A of one page's refresh (2005, section 5.1): old vector against new vector, score shifts, the
 * sum of f_q times what each shift does. Reusable, for one thread.
 */
final class PageMeasure {
  private final Workload workload;
  private final TermScores scores;
  private final Importance importance;
  private final ShiftMeter meter;
  private final Costs costs;
  private final QueriesByTerm.Matcher matcher;
  private final AffectedQueries.Comparison affected;
  private final ShiftBuffer shifts = new ShiftBuffer();
  private final ScoredVector before = new ScoredVector();
  private final ScoredVector after = new ScoredVector();
  private final VectorBuffer nothing = new VectorBuffer();
  private final TopShifts top = new TopShifts(RefreshDetails.SHOWN);

  PageMeasure(Ranks ranks, DeltaConfig config, Costs costs) {
    this.workload = config.workload();
    this.scores = ranks.scores();
    this.importance = config.importance();
    this.meter = ranks.meter();
    this.matcher = ranks.queries().matcher();
    this.affected = ranks.affected().comparison();
    this.costs = costs;
  }

  /** Fills the buffer with the page's score shifts and returns it; it is reused. */
  ShiftBuffer shifts(String page, VectorBuffer oldVector, VectorBuffer newVector) {
    shifts.clear();
    if (importance == null && affected.compare(oldVector, newVector, scores, shifts::add)) {
      return shifts;
    }
    boolean matchOnly = importance != null && !importance.usesSimilarity();
    before.score(oldVector, scores, matchOnly);
    after.score(newVector, scores, matchOnly);
    double weight = importance == null ? 0 : importance.of(page);
    matcher.compare(
        before.terms(),
        before.scores(),
        before.length(),
        after.terms(),
        after.scores(),
        after.length(),
        (query, s1, s2) -> {
          if (importance == null) {
            shifts.add(query, s1, s2);
          } else {
            shifts.add(
                query,
                s1 > 0 ? importance.score(s1, weight) : 0,
                s2 > 0 ? importance.score(s2, weight) : 0);
          }
        });
    return shifts;
  }

  /** ΔQ_A of a refresh; {@code details} gets the queries that counted most. */
  double measure(
      String page, VectorBuffer oldVector, VectorBuffer newVector, RefreshDetails details) {
    long begin = costs.begin();
    shifts(page, oldVector, newVector);
    begin = costs.end(Costs.Step.SHIFT, begin);
    top.clear();
    double sum = 0;
    for (int i = 0; i < shifts.size(); i++) {
      int query = shifts.query(i);
      double change =
          workload.frequency(query) * meter.change(query, shifts.before(i), shifts.after(i));
      sum += change;
      top.offer(i, Math.abs(change));
    }
    describe(details);
    costs.end(Costs.Step.QUALITY, begin);
    return sum;
  }

  /** What users get from a page: its own part of the change if it entered the results now. */
  double usefulness(String page, VectorBuffer vector) {
    shifts(page, nothing, vector);
    double sum = 0;
    for (int i = 0; i < shifts.size(); i++) {
      int query = shifts.query(i);
      sum += workload.frequency(query) * meter.effect(query, 0, shifts.after(i)).own();
    }
    return sum;
  }

  private void describe(RefreshDetails details) {
    details.shown = top.size();
    details.further = shifts.size() - details.shown;
    for (int i = top.size() - 1; i >= 0; i--) {
      int shift = top.removeSmallest();
      int query = shifts.query(shift);
      ShiftEffect effect = meter.effect(query, shifts.before(shift), shifts.after(shift));
      float[] numbers = details.numbers[i];
      details.query[i] = query;
      numbers[0] = (float) shifts.before(shift);
      numbers[1] = (float) shifts.after(shift);
      numbers[2] = (float) effect.rankBefore();
      numbers[3] = (float) effect.rankAfter();
      numbers[4] = (float) effect.own();
      numbers[5] = (float) effect.others();
    }
  }
}
