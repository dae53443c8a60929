// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import org.junit.jupiter.api.Test;

class PassedPagesTest implements QualityChangeLaws {
  @Override
  public QualityChange estimate() {
    return withViews(PowerLawViews.PAPER);
  }

  @Override
  public QualityChange withViews(ViewingLikelihood views) {
    return new PassedPages(views);
  }

  @Override
  public double scorePassed(LogLogRankFunction f, double rank, boolean falls) {
    if (falls) {
      return f.scoreAt(rank < RankTable.KNOWN ? Math.floor(rank) + 1 : rank);
    }
    return f.scoreAt(rank < RankTable.KNOWN + 1 ? Math.floor(rank) : rank);
  }

  /** F counts the page itself: the page that takes a place stands one further down than before. */
  @Override
  public double slack(LogLogRankFunction f) {
    double sum = 0;
    for (int rank = 1; rank <= RankTable.KNOWN; rank++) {
      double views = PowerLawViews.PAPER.at(rank) - PowerLawViews.PAPER.at(rank + 1);
      sum += views * (f.scoreAt(rank) - f.scoreAt(rank + 1));
    }
    return sum;
  }

  @Test
  void amongTheFirstPositionsTheEstimateIsTheExactChange() {
    double[] others = {9, 7};
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(others.length + 1);
    for (int place = 0; place <= others.length; place++) {
      float[] scores = {9, 7, moving(others, place)};
      table.put(place, KnotSample.of(scores, place == others.length ? 2 : 3));
    }
    RankTable built = table.build();
    ExactShift exact = new ExactShift(PowerLawViews.PAPER);
    for (int place = 0; place <= others.length; place++) {
      for (double after : new double[] {11, 8, 5, 0}) {
        double before = place == others.length ? 0 : moving(others, place);
        exact.begin(before, after);
        for (double other : others) {
          exact.other(other, false);
        }
        double estimated =
            estimate().effect(LogLogRankFunction.of(built, place), before, after).total();
        assertThat(estimated)
            .as("from %s to %s", before, after)
            .isCloseTo(exact.change(), within(2e-3)); // scores are coded
      }
    }
  }

  /** Where the curve alone would put it at 1.38 and 2.5. */
  @Test
  void aPageWithAScoreThatNobodyHadStartsHalfWayBetweenTwoPositions() {
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
    table.put(0, KnotSample.of(new float[] {9, 7, 5, 4}, 4));
    LogLogRankFunction f = LogLogRankFunction.of(table.build(), 0);
    ShiftEffect leaves = estimate().effect(f, 8, 0);
    assertThat(leaves.rankBefore()).isEqualTo(1.5);
    assertThat(leaves.total())
        .isCloseTo(
            7 * (views(1.5) - views(2)) + 5 * (views(2) - views(3)) + 4 * (views(3) - views(4)),
            within(2e-3)); // scores are coded
    ShiftEffect rises = estimate().effect(f, 6, 10);
    assertThat(rises.rankBefore()).isEqualTo(2.5);
    assertThat(rises.own()).isCloseTo(10 * (views(1) - views(2.5)), within(1e-9));
  }

  @Test
  void aPageThatTakesTheLastKnownPositionStandsThere() {
    float[] scores = new float[30];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = 30 - i;
    }
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(1);
    table.put(0, KnotSample.of(scores, scores.length));
    LogLogRankFunction f = LogLogRankFunction.of(table.build(), 0);
    ShiftEffect enters = estimate().effect(f, 0, 31 - RankTable.KNOWN);
    assertThat(enters.rankAfter()).isEqualTo(RankTable.KNOWN);
    assertThat(enters.own())
        .isCloseTo((31 - RankTable.KNOWN) * views(RankTable.KNOWN), within(1e-9));
    ShiftEffect falls = estimate().effect(f, 30, 31 - RankTable.KNOWN);
    assertThat(falls.rankAfter()).isEqualTo(RankTable.KNOWN);
  }

  @Test
  void fewerThanNoKnownPositionsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PassedPages(PowerLawViews.PAPER, -1))
        .withMessage("known positions must be 0 or more, was -1");
    assertThat(new PassedPages(PowerLawViews.PAPER, 0).known()).isZero();
  }

  private static double views(double rank) {
    return PowerLawViews.PAPER.at(rank);
  }

  /** A score just above another page's. */
  private static float moving(double[] others, int place) {
    return place == others.length ? 0 : (float) others[place] + 0.5f;
  }
}
