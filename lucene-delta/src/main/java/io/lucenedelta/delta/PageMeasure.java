// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.PageShifts;
import io.lucenedelta.scorer.quality.ShiftEffect;
import io.lucenedelta.scorer.quality.ShiftMeter;
import io.lucenedelta.scorer.quality.ShiftParts;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;

/**
 * ΔQ_A of one page's refresh (2005, section 5.1): old vector against new vector, score shifts, the
 * sum of f_q times what each shift does. Reusable, for one thread.
 */
final class PageMeasure {
  private static final double INFINITE = Double.POSITIVE_INFINITY;

  private final TermScores scores; // null when every term scores 1
  private final Importance importance;
  private final ShiftMeter meter;
  private final Standings standings; // null where pages rank by their scores
  private final Costs.Loop costs;
  private final AffectedQueries.Comparison affected;
  private final PageShifts shifts;
  private final PageShifts entering;
  private final VectorBuffer nothing = new VectorBuffer();
  private final TopShifts top = new TopShifts(RefreshDetails.SHOWN);
  private ShiftParts[] parts = new ShiftParts[0]; // by shift
  private double usefulness;
  private double standing; // that of the page whose shifts are in the buffer

  PageMeasure(Ranks ranks, TermScores scores, DeltaConfig config, Costs.Loop costs) {
    this.shifts = new PageShifts(ranks.frequencies());
    this.entering = new PageShifts(ranks.frequencies());
    this.importance = config.importance();
    this.scores = importance != null && !importance.usesSimilarity() ? null : scores;
    this.meter = ranks.meter();
    this.standings = ranks.standings();
    this.affected = ranks.affected().comparison();
    this.costs = costs;
  }

  /** Fills a buffer with the page's score shifts and returns it; it is reused. */
  PageShifts shifts(String page, VectorBuffer oldVector, VectorBuffer newVector) {
    return shifts(page, oldVector, newVector, shifts);
  }

  private PageShifts shifts(
      String page, VectorBuffer oldVector, VectorBuffer newVector, PageShifts target) {
    target.clear();
    standing = standings == null ? 0 : standings.of(page);
    if (importance == null) {
      affected.compare(oldVector, newVector, scores, target::add);
    } else {
      double weight = importance.of(page);
      affected.compare(
          oldVector,
          newVector,
          scores,
          (query, s1, s2) ->
              target.add(
                  query,
                  s1 > 0 ? importance.score(s1, weight) : 0,
                  s2 > 0 ? importance.score(s2, weight) : 0));
    }
    return target;
  }

  /** The shifts of the page measured last. */
  PageShifts shifts() {
    return shifts;
  }

  /** The shifts, all from 0, of the page whose usefulness was asked for last. */
  PageShifts entering() {
    return entering;
  }

  /**
   * ΔQ_A of a refresh of a page whose vector changed; {@code details} gets the queries that counted
   * most. What users get from the page now is then in {@link #usefulness()}. Where a score is not
   * finite, the change is not either; nor is usefulness where the score is one of the new text.
   */
  double measure(PageEntry page, VectorBuffer newVector, RefreshDetails details) {
    shifts(page.page, page.vector, newVector);
    costs.step(Costs.Step.SHIFT);
    boolean anew = affected.everyScoreMoved();
    meter.measureDistant(shifts);
    measureNear();
    top.clear();
    for (int i = 0; i < shifts.size(); i++) {
      top.offer(i, Math.abs(shifts.change(i)));
    }
    measureShown();
    double useful = shifts.entriesAfter() + (anew ? 0 : page.usefulness - shifts.entriesBefore());
    describe(details);
    boolean carriedOn = useful >= 0 && Double.isFinite(useful) && (anew || page.usefulness >= 0);
    costs.step(Costs.Step.QUALITY);
    if (!carriedOn) {
      useful = usefulness(page, newVector);
      costs.step(Costs.Step.QUALITY);
    }
    usefulness = useful;
    return shifts.sum();
  }

  /**
   * What users get from the page measured last: see {@link #usefulness(PageEntry, VectorBuffer)}.
   * Unless every query of the page moved, the sum known before is carried on by those that did: the
   * others keep what they added by the rank functions of that time, as pages do that do not change.
   * What those that moved added then may be more or less than what they would today, so the sum
   * drifts until {@link PageUsefulness} finds it anew; where it would fall below 0 it is found now.
   */
  double usefulness() {
    return usefulness;
  }

  /** What users get from a page: its own part of the change if it entered the results now. */
  double usefulness(PageEntry page, VectorBuffer vector) {
    shifts(page.page, nothing, vector, entering);
    costs.step(Costs.Step.SHIFT);
    meter.measureDistant(entering);
    prefetchNear(entering);
    for (int i = 0; i < entering.nearCount(); i++) {
      int shift = entering.near(i);
      double entry =
          isFinite(entering, shift)
              ? meter.entry(entering.query(shift), ranked(entering.after(shift)))
              : INFINITE;
      entering.measured(shift, 0, 0, entry);
    }
    return entering.entriesAfter();
  }

  private void measureNear() {
    prefetchNear(shifts);
    makeParts(shifts.size());
    for (int i = 0; i < shifts.nearCount(); i++) {
      int shift = shifts.near(i);
      if (isFinite(shifts, shift)) {
        double change = change(shift);
        shifts.measured(shift, change, parts[shift].entryBefore(), parts[shift].entryAfter());
      } else {
        shifts.measured(shift, INFINITE, INFINITE, INFINITE);
      }
    }
  }

  /**
   * Whether both scores of a shift are finite. Meters are not asked about others: some refuse them,
   * which would cost all refreshes of the batch. A shift that is not finite is never distant.
   */
  private static boolean isFinite(PageShifts all, int shift) {
    return all.before(shift) <= Float.MAX_VALUE && all.after(shift) <= Float.MAX_VALUE;
  }

  /** Measures one shift and its parts. */
  private double change(int shift) {
    return meter.change(
        shifts.query(shift),
        ranked(shifts.before(shift)),
        ranked(shifts.after(shift)),
        parts[shift]);
  }

  /** Measures what will be shown of distant shifts as exactly as of others. */
  private void measureShown() {
    boolean corrected = false;
    for (int i = 0; i < top.size(); i++) {
      int shift = top.number(i);
      if (!shifts.isNear(shift)) {
        shifts.corrected(shift, change(shift));
        corrected = true;
      }
    }
    if (corrected) {
      shifts.addUp();
    }
  }

  /** What the page ranks by. */
  private double ranked(double score) {
    return standings == null || score == 0 ? score : standing;
  }

  /**
   * Fetches what measuring will read of each shift; the check keeps that from being optimised away.
   */
  private void prefetchNear(PageShifts all) {
    double sum = 0;
    for (int i = 0; i < all.nearCount(); i++) {
      sum += meter.prefetch(all.query(all.near(i)));
    }
    if (Double.isNaN(sum)) {
      throw new IllegalStateException(
          "a rank function is not a number; call DeltaIndexWriter.rebuild to build them anew");
    }
  }

  private void makeParts(int count) {
    int made = parts.length;
    if (made < count) {
      parts = ArrayUtil.grow(parts, count);
      Arrays.setAll(parts, i -> i < made ? parts[i] : new ShiftParts());
    }
  }

  private void describe(RefreshDetails details) {
    details.shown = top.size();
    details.further = shifts.size() - details.shown;
    for (int i = top.size() - 1; i >= 0; i--) {
      int shift = top.removeSmallest();
      ShiftEffect effect = parts[shift].effect();
      float[] numbers = details.numbers[i];
      details.query[i] = shifts.query(shift);
      numbers[RefreshDetails.SCORE_BEFORE] = shifts.before(shift);
      numbers[RefreshDetails.SCORE_AFTER] = shifts.after(shift);
      numbers[RefreshDetails.RANK_BEFORE] = (float) effect.rankBefore();
      numbers[RefreshDetails.RANK_AFTER] = (float) effect.rankAfter();
      numbers[RefreshDetails.OWN_PART] = (float) effect.own();
      numbers[RefreshDetails.OTHERS_PART] = (float) effect.others();
    }
  }
}
