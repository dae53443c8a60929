// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.FollowedRanks;
import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Shifts far down long results, measured roughly, against the same measured exactly. */
class DistantShiftsTest {
  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);

  /** Results as BM25 has them: the best score a few times that of most. */
  private float[] scores() {
    float[] scores = new float[(int) Math.exp(9 * random.nextDouble())];
    float best = 2 + 10 * random.nextFloat();
    for (int i = 0; i < scores.length; i++) {
      scores[i] = best * (float) Math.pow(1 - random.nextDouble(), 0.3);
    }
    return scores;
  }

  private RankTable results(int queries) {
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(queries);
    for (int query = 0; query < queries; query++) {
      float[] scores = scores();
      table.put(query, KnotSample.of(scores, scores.length));
    }
    return table.build();
  }

  /** Fills a page's shifts: pages that stay, enter and leave, many of them far down. */
  private void fill(PageShifts shifts, RankTable table) {
    shifts.clear();
    int most = 200 + random.nextInt(200); // what an earlier page left behind them counts not
    for (int i = 0; i < most; i++) {
      int query = random.nextInt(table.size());
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      double rank = Math.exp(Math.log(f.results()) * Math.sqrt(random.nextDouble()));
      double before = f.scoreAt(Math.max(1, Math.min(f.results(), rank)));
      double after = before * Math.exp(0.2 * random.nextGaussian());
      if ((float) before == (float) after) {
        continue; // no shift
      }
      switch (random.nextInt(8)) {
        case 0 -> shifts.add(query, 0, after);
        case 1 -> shifts.add(query, before, 0);
        default -> shifts.add(query, before, after);
      }
    }
  }

  private static double[] once(int queries) {
    double[] frequencies = new double[queries];
    Arrays.fill(frequencies, 1);
    return frequencies;
  }

  @Test
  void distantShiftsAreMeasuredToAFewPercentAndTheOthersAreLeft() {
    for (double exponent : new double[] {1.5, 1, 2.5}) {
      compare(new PowerLawViews(0.7, exponent));
    }
  }

  /** Three of them are more than a float can hold. */
  @Test
  void scoresNearTheGreatestThereAreAreMeasuredLikeOthers() {
    float[] scores = new float[1_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (1.2e38 * Math.pow(scores.length / (i + 1.0), 0.1));
    }
    RankTable table =
        OnHeapRankTable.builder(1).put(0, KnotSample.of(scores.clone(), scores.length)).build();
    ShiftMeter meter = new PassedPages(new PowerLawViews(1e-25, 1.5)).over(table);
    PageShifts shifts = new PageShifts(once(1));
    shifts.add(0, scores[900], scores[600]);
    meter.measureDistant(shifts);
    assertThat(shifts.isNear(0)).isFalse();
    double exact = meter.change(0, scores[900], scores[600]);
    assertThat(shifts.sum()).isCloseTo(exact, within(0.01 * exact));
  }

  private void compare(PowerLawViews views) {
    RankTable table = results(300);
    ShiftMeter meter = new PassedPages(views).over(table);
    double[] often = random.doubles(table.size(), 1, 9).toArray();
    PageShifts shifts = new PageShifts(often);
    int distant = 0;
    double sum = 0;
    double exact = 0;
    double errors = 0;
    double[] entries = new double[4]; // before and after, rough and exact
    for (int page = 0; page < 200; page++) {
      fill(shifts, table);
      meter.measureDistant(shifts);
      requireEachOnce(shifts);
      entries[0] += shifts.entriesBefore();
      entries[1] += shifts.entriesAfter();
      sum += shifts.sum();
      for (int i = 0; i < shifts.size(); i++) {
        if (!shifts.isNear(i)) {
          int query = shifts.query(i);
          double change = meter.change(query, shifts.before(i), shifts.after(i));
          double rough = shifts.change(i) / often[query];
          compareOne(views, LogLogRankFunction.of(table, query), shifts, i, change, rough);
          distant++;
          exact += often[query] * change;
          errors += often[query] * Math.abs(rough - change);
          entries[2] += often[query] * meter.entry(query, shifts.before(i));
          entries[3] += often[query] * meter.entry(query, shifts.after(i));
        }
      }
    }
    String what = "%s, seed %d".formatted(views, seed);
    assertThat(distant).as(what).isGreaterThan(8_000); // 13,900 ± 850 by lengths of results
    assertThat(sum).as(what).isCloseTo(exact, within(0.005 * exact));
    assertThat(errors).as(what).isLessThan(0.006 * exact);
    assertThat(entries[0]).as(what).isCloseTo(entries[2], within(0.05 * entries[2]));
    assertThat(entries[1]).as(what).isCloseTo(entries[3], within(0.05 * entries[3]));
  }

  /**
   * Every shift is left or measured, changes of the measured ones make the sum, and rank functions
   * are to be told of all but the pages that stay.
   */
  private void requireEachOnce(PageShifts shifts) {
    double sum = 0;
    List<Integer> left = new ArrayList<>();
    List<Integer> moving = new ArrayList<>();
    for (int shift = 0; shift < shifts.size(); shift++) {
      boolean stays = shifts.before(shift) > 0 && shifts.after(shift) > 0;
      if (shifts.isNear(shift)) {
        left.add(shift);
      } else {
        sum += shifts.change(shift);
      }
      if (shifts.isNear(shift) || !stays) {
        moving.add(shift);
      }
    }
    assertThat(IntStream.range(0, shifts.nearCount()).mapToObj(shifts::near))
        .as("left, seed %d", seed)
        .containsExactlyElementsOf(left);
    assertThat(IntStream.range(0, shifts.movingCount()).mapToObj(shifts::moving))
        .as("moving, seed %d", seed)
        .containsExactlyInAnyOrderElementsOf(moving);
    assertThat(shifts.sum()).as("seed %d", seed).isCloseTo(sum, within(1e-4 * sum));
  }

  private void compareOne(
      ViewingLikelihood views,
      LogLogRankFunction f,
      PageShifts shifts,
      int shift,
      double change,
      double rough) {
    double before = shifts.before(shift);
    double after = shifts.after(shift);
    String what = "%s from %s to %s, seed %d".formatted(f, before, after, seed);
    assertThat(Math.min(f.rankOf(before), f.rankOf(after)))
        .as(what)
        .isGreaterThan(DistantShifts.NEAREST * 0.999);
    assertThat(rough).as(what).isPositive();
    if (before > 0 && after > 0) {
      double apart = Math.log(views.at(f.rankOf(before)) / views.at(f.rankOf(after)));
      assertThat(Math.abs(apart))
          .as("views apart, %s", what)
          .isLessThan(2 / Math.log(2) + 0.05); // bits of a score tell its logarithm as roughly
    }
    double passed = Math.abs(f.rankOf(before) - f.rankOf(after));
    if (passed > 20) { // or half a position counts
      double entry =
          views.at(Math.min(f.rankOf(before), f.rankOf(after))) * Math.max(before, after);
      assertThat(rough).as(what).isCloseTo(change, within(0.3 * change + 0.02 * entry));
    }
  }

  /** A page moves as below; no number if it is left. */
  private static double measured(PowerLawViews views, double slope, double factor) {
    return parts(views, slope, factor)[0];
  }

  /**
   * A page moves from rank 10,000 of a result of 100,000 whose scores fall as r^-slope, for a query
   * asked three times: its change and what it gets before and after, each by that measured exactly.
   */
  private static double[] parts(PowerLawViews views, double slope, double factor) {
    float[] scores = new float[100_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (10 * Math.pow(i + 1, -slope));
    }
    RankTable table =
        OnHeapRankTable.builder(1).put(0, KnotSample.of(scores.clone(), scores.length)).build();
    double often = 3;
    PageShifts shifts = new PageShifts(new double[] {often});
    shifts.add(0, scores[9_999], factor * scores[9_999]);
    ShiftMeter meter = new PassedPages(views).over(table);
    meter.measureDistant(shifts);
    double exact = often * meter.change(0, shifts.before(0), shifts.after(0));
    return new double[] {
      shifts.nearCount() == 0 ? shifts.change(0) / exact : Double.NaN,
      shifts.entriesBefore() / (often * meter.entry(0, shifts.before(0))),
      shifts.entriesAfter() / (often * meter.entry(0, shifts.after(0)))
    };
  }

  @Test
  void whatAPageGetsBeforeAndAfterIsToldToHalfAPercentWhereItMovesByATwentieth() {
    for (double slope : new double[] {0.375, 0.5, 1, 1.5, 3}) {
      for (double factor : new double[] {0.95, 1.05}) {
        double[] parts = parts(PowerLawViews.PAPER, slope, factor);
        assertThat(parts)
            .as("slope %s, times %s", slope, factor)
            .containsExactly(new double[] {1, 1, 1}, within(0.005));
      }
    }
  }

  @Test
  void aMeterToldOfAnotherRankFunctionMeasuresAsOneMadeAnew() {
    FollowedRanks ranks = new FollowedRanks(ByteBuffer.allocate(2 * FollowedRanks.BYTES));
    PassedPages estimate = new PassedPages(PowerLawViews.PAPER);
    ShiftMeter renewed = estimate.over(ranks);
    float[] before = {}; // what was there before is asked for, too
    int distant = 0;
    for (int round = 0; round < 300; round++) {
      String what = "round %d, seed %d".formatted(round, seed);
      float[] scores = round % 3 == 0 ? Arrays.copyOf(scores(), random.nextInt(30)) : scores();
      Arrays.fill(scores, round % 7 == 0 ? 0 : scores.length, scores.length, 5); // all alike
      ranks.put(1, KnotSample.of(scores.clone(), scores.length));
      renewed.renew(1);
      ShiftMeter anew = estimate.over(ranks);
      PageShifts some = new PageShifts(once(2));
      PageShifts same = new PageShifts(once(2));
      for (int i = 0; i < 200 && before.length > 0; i++) {
        float[] from = scores.length == 0 || random.nextBoolean() ? before : scores;
        float score = from[random.nextInt(from.length)];
        float after = score * (float) Math.exp(0.1 * random.nextGaussian());
        some.add(1, score, after);
        same.add(1, score, after);
        assertThat(renewed.change(1, score, after))
            .as("%s to %s, %s", score, after, what)
            .isEqualTo(anew.change(1, score, after));
      }
      renewed.measureDistant(some);
      anew.measureDistant(same);
      assertThat(some.nearCount()).as(what).isEqualTo(same.nearCount());
      assertThat(some.sum()).as(what).isEqualTo(same.sum());
      distant += some.size() - some.nearCount();
      before = scores.length == 0 ? before : scores;
    }
    assertThat(distant).as("seed %d", seed).isGreaterThan(1_000);
  }

  @Test
  void farMovesAreMeasuredToHalfAPercentWhereverTheCurveIsAPowerOfTheRank() {
    // I is a power of the score with the exponent 4, 3, 1.5, 1 and 0.5
    for (double slope : new double[] {0.375, 0.5, 1, 1.5, 3}) {
      for (double factor : new double[] {0.7, 0.85, 1.15, 1.3}) {
        assertThat(measured(PowerLawViews.PAPER, slope, factor))
            .as("slope %s, times %s", slope, factor)
            .isCloseTo(1, within(0.005));
      }
    }
  }

  /** By the bits of scores, which are 1.31·2^-17 before and so tell 1.6 and 1.7 as .74 and .80. */
  @Test
  void shiftsToAScoreTooFarForOnePointAreLeft() {
    assertThat(measured(PowerLawViews.PAPER, 1.5, 1.6)).isCloseTo(1, within(0.05));
    assertThat(measured(PowerLawViews.PAPER, 1.5, 1.7)).isNaN();
  }

  @Test
  void whereViewsChangeTooFastByScoreOrAreTooFewShiftsAreLeft() {
    assertThat(measured(PowerLawViews.PAPER, 1.5 / 200, 0.995)).isCloseTo(1, within(0.05));
    assertThat(measured(PowerLawViews.PAPER, 1.5 / 300, 0.995)).isNaN();
    assertThat(measured(new PowerLawViews(1, 5), 1, 0.9)).isCloseTo(1, within(0.05));
    assertThat(measured(new PowerLawViews(1, 6.5), 1, 0.9)).isNaN();
  }

  @Test
  void whereViewsOrScoresAreTooManyForSinglePrecisionShiftsAreLeft() {
    assertThat(measured(new PowerLawViews(1e18, 1.5), 1, 0.9)).isCloseTo(1, within(0.05));
    for (double scale : new double[] {1e30, 1e38, 1e40, 1e300}) {
      assertThat(measured(new PowerLawViews(scale, 1.5), 1, 0.9)).as("scale %s", scale).isNaN();
    }
    float[] scores = new float[2_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (1e37 / Math.sqrt(i + 1));
    }
    PageShifts shifts = shifted(scores, scores[700], scores[800]);
    assertThat(shifts.nearCount()).isEqualTo(1);
  }

  @Test
  void whereScoresAreTooSmallForAllBitsOfAFloatShiftsAreLeft() {
    for (float best : new float[] {1e-38f, 1e-36f}) { // the last is 1e-40 or 1e-38
      float[] scores = new float[10_000];
      for (int i = 0; i < scores.length; i++) {
        scores[i] = (float) (best / Math.sqrt(i + 1));
      }
      PageShifts shifts = shifted(scores, scores[5_000], scores[6_000]);
      assertThat(shifts.nearCount()).as("best score %s", best).isEqualTo(1);
    }
  }

  @Test
  void theLargestScoresOfAQueryAskedAsOftenAsCanBeAreMeasuredToNumbers() {
    float[] scores = new float[2_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (1e21 / Math.pow(i + 1, 0.4));
    }
    RankTable table =
        OnHeapRankTable.builder(1).put(0, KnotSample.of(scores.clone(), scores.length)).build();
    ShiftMeter meter = new PassedPages(PowerLawViews.PAPER).over(table);
    for (int rank : new int[] {100, 250, 1_000}) {
      PageShifts shifts = new PageShifts(new double[] {Long.MAX_VALUE});
      shifts.add(0, scores[rank], scores[rank + rank / 3]);
      meter.measureDistant(shifts);
      double exact = meter.change(0, scores[rank], scores[rank + rank / 3]);
      assertThat(shifts.nearCount()).isZero();
      assertThat(shifts.sum() / Long.MAX_VALUE).isCloseTo(exact, within(0.05 * exact));
      assertThat(shifts.entriesBefore()).isFinite();
      assertThat(shifts.entriesAfter()).isFinite();
    }
  }

  /** A score that rounds to 0 is none: the page was in the result, at its end. */
  @Test
  void aPageWhoseScoreIsTheLeastThereIsNeitherEntersNorLeaves() {
    float[] scores = new float[2_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (10 * Math.pow(i + 1, -0.4));
    }
    for (float least : new float[] {Float.MIN_VALUE, 100 * Float.MIN_VALUE, 1e-30f}) {
      for (boolean rises : new boolean[] {true, false}) {
        PageShifts shifts =
            shifted(scores, rises ? least : scores[700], rises ? scores[700] : least);
        assertThat(shifts.nearCount()).as("%s, rises %s", least, rises).isEqualTo(1);
        assertThat(shifts.entriesBefore() + shifts.entriesAfter()).isZero();
      }
    }
    assertThat(shifted(scores, 0, scores[700]).nearCount()).isZero();
    assertThat(shifted(scores, scores[700], 0).nearCount()).isZero();
  }

  /** It passes one page, which is worth .00075 of it: less is lost in rounding. */
  @Test
  void aPageThatLeavesTheEndOfALongResultTakesAThousandthOfWhatItGotWithIt() {
    float[] scores = new float[2_000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = (float) (10 * Math.pow(i + 1, -0.4));
    }
    PageShifts shifts = shifted(scores, scores[1_998], 0);
    assertThat(shifts.nearCount()).isZero();
    assertThat(shifts.change(0) / shifts.entriesBefore()).isCloseTo(1e-3, within(1e-6));
  }

  /** One shift in a result of given scores, measured. */
  private static PageShifts shifted(float[] scores, float before, float after) {
    RankTable table =
        OnHeapRankTable.builder(1).put(0, KnotSample.of(scores.clone(), scores.length)).build();
    PageShifts shifts = new PageShifts(once(1));
    shifts.add(0, before, after);
    new PassedPages(PowerLawViews.PAPER).over(table).measureDistant(shifts);
    return shifts;
  }

  @Test
  void whatIsNotMovingLeavesRankFunctionsThatFollowAsTheyAreWhateverIsToldBefore() {
    FollowedRanks ranks = new FollowedRanks(ByteBuffer.allocate(FollowedRanks.BYTES));
    int still = 0;
    for (int round = 0; round < 300; round++) {
      float[] scores = scores();
      ranks.put(0, KnotSample.of(scores.clone(), scores.length));
      ShiftMeter meter = new PassedPages(PowerLawViews.PAPER).over(ranks);
      PageShifts shifts = new PageShifts(once(1));
      for (int batch = 0; batch < 3; batch++) {
        float[] now = scores.clone();
        float[] told = new float[scores.length]; // the score before of those to be told
        for (int page = 0; page < scores.length; page++) {
          now[page] = (float) (scores[page] * Math.exp(0.1 * random.nextGaussian()));
          now[page] = random.nextInt(20) == 0 ? 0 : now[page];
          shifts.clear();
          shifts.add(0, scores[page], now[page]);
          meter.measureDistant(shifts);
          told[page] = shifts.movingCount() == 0 ? -1 : scores[page];
        }
        for (int page = 0; page < scores.length; page++) {
          if (told[page] >= 0) {
            ranks.move(0, scores[page], now[page]);
          } else {
            assertThat(state(ranks, scores[page], now[page]))
                .as("%s to %s of %d, seed %d", scores[page], now[page], scores.length, seed)
                .isTrue();
            still++;
          }
        }
        ranks.renew(0);
        meter.renew(0);
        scores = now;
      }
    }
    assertThat(still).as("seed %d", seed).isGreaterThan(10_000);
  }

  /** Whether telling a shift changes nothing and asks for nothing. */
  private static boolean state(FollowedRanks ranks, float before, float after) {
    byte[] then = new byte[FollowedRanks.BYTES];
    byte[] now = new byte[FollowedRanks.BYTES];
    ranks.copyTo(0, then, 0);
    boolean asks = ranks.move(0, before, after);
    ranks.copyTo(0, now, 0);
    return !asks && Arrays.equals(then, now);
  }

  @Test
  void metersThatKnowNoOtherWayLeaveAllShifts() {
    RankTable table = results(10);
    ShiftMeter plain = new IntegralSum(PowerLawViews.PAPER).over(table);
    PageShifts shifts = new PageShifts(once(10));
    fill(shifts, table);
    int size = shifts.size();
    plain.measureDistant(shifts);
    assertThat(shifts.size()).isEqualTo(size);
    assertThat(shifts.nearCount()).isEqualTo(size);
    assertThat(shifts.movingCount()).isEqualTo(size);
    assertThat(shifts.sum()).isZero();
  }
}
