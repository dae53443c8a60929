// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static io.lucenedelta.scorer.quality.CloseNumbers.assertClose;
import static io.lucenedelta.scorer.quality.CloseNumbers.assertSame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.LogLogRankFunction;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.scorer.rank.RankTable;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Meters made for speed against the plain form of the same estimate. */
class ShiftMeterTest {
  @Test
  void theFastMeterOfThePaperViewsAgreesWithThePlainForm() {
    compare(PowerLawViews.PAPER);
  }

  @Test
  void theFastMeterOfAnyPowerLawAgreesWithThePlainForm() {
    compare(new PowerLawViews(0.3, 0.9));
    compare(new PowerLawViews(1, PowerLawViews.STEEPEST));
  }

  private static void compare(PowerLawViews views) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RankTable table = RandomShifts.table(random, 500);
    PassedPages plain = new PassedPages(views);
    ShiftMeter fast = plain.over(table);
    assertThat(fast).isInstanceOf(PassedPagesMeter.class);
    for (int round = 0; round < 30_000; round++) {
      int query = random.nextInt(table.size());
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      double before = (float) RandomShifts.score(random, f);
      double after = (float) RandomShifts.score(random, f);
      ShiftEffect effect = plain.effect(f, before, after);
      String shift = "%s from %s to %s, seed %s";
      double change = fast.change(query, before, after);
      double tolerance = 1e-9 * effect.total() + 1e-12 * (before + after);
      assertClose(change, effect.total(), tolerance, shift, f, before, after, seed);
      if (!(change > 0)) {
        assertThat(change).as(shift, f, before, after, seed).isNotNegative();
      }
      compare(f, fast.effect(query, before, after), effect, seed);
      double entry = fast.entry(query, after);
      double own = plain.effect(f, 0, after).own();
      assertClose(entry, own, 1e-9 * after, "entry of %s at %s, seed %s", f, after, seed);
      ShiftParts parts = new ShiftParts();
      assertSame(fast.change(query, before, after, parts), change, shift, f, before, after, seed);
      compare(f, parts.effect(), effect, seed);
      double precision = 1e-12 * (before + after);
      double left = fast.entry(query, before);
      assertClose(parts.entryBefore(), left, precision, shift, f, before, after, seed);
      assertClose(parts.entryAfter(), entry, precision, shift, f, before, after, seed);
    }
  }

  @Test
  void scoresTooSmallForAllBitsOfAFloatAreMeasuredLikeOthers() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    float[] scores = new float[1000];
    for (int i = 0; i < scores.length; i++) {
      scores[i] = 1e-39f * (1 + random.nextFloat());
    }
    RankTable table =
        OnHeapRankTable.builder(1).put(0, KnotSample.of(scores, scores.length)).build();
    PassedPages plain = new PassedPages(PowerLawViews.PAPER);
    ShiftMeter fast = plain.over(table);
    LogLogRankFunction f = LogLogRankFunction.of(table, 0);
    for (int round = 0; round < 1000; round++) {
      double before = scores[random.nextInt(scores.length)];
      double after = scores[random.nextInt(scores.length)];
      double expected = plain.effect(f, before, after).total();
      assertThat(fast.change(0, before, after))
          .as("%s from %s to %s, seed %s", f, before, after, seed)
          .isCloseTo(expected, within(1e-9 * expected + 1e-12 * (before + after)));
    }
  }

  private static void compare(
      LogLogRankFunction f, ShiftEffect fast, ShiftEffect plain, long seed) {
    double tolerance = 1e-9 * (1 + f.results());
    String effect = "%s: %s and not %s, seed %s";
    assertClose(fast.rankBefore(), plain.rankBefore(), tolerance, effect, f, plain, fast, seed);
    assertClose(fast.rankAfter(), plain.rankAfter(), tolerance, effect, f, plain, fast, seed);
    assertClose(fast.own(), plain.own(), tolerance, effect, f, plain, fast, seed);
    assertClose(fast.total(), plain.total(), tolerance, effect, f, plain, fast, seed);
  }

  @ParameterizedTest
  @MethodSource("otherCurves")
  void theMeterOfAnyOtherCurveIsThePlainForm(ViewingLikelihood views) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RankTable table = RandomShifts.table(random, 100);
    PassedPages plain = new PassedPages(views);
    ShiftMeter meter = plain.over(table);
    ShiftParts parts = new ShiftParts();
    for (int round = 0; round < 3_000; round++) {
      int query = random.nextInt(table.size());
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      double before = (float) RandomShifts.score(random, f);
      double after = (float) RandomShifts.score(random, f);
      ShiftEffect expected = plain.effect(f, before, after);
      assertThat(meter.effect(query, before, after)).as("seed %d", seed).isEqualTo(expected);
      assertThat(meter.change(query, before, after, parts))
          .as("seed %d", seed)
          .isEqualTo(expected.total());
      compare(f, parts.effect(), expected, seed);
      double entryBefore = plain.effect(f, 0, before).own();
      double entryAfter = plain.effect(f, 0, after).own();
      assertThat(parts.entryBefore()).as("seed %s", seed).isEqualTo(entryBefore);
      assertThat(parts.entryAfter()).as("seed %s", seed).isEqualTo(entryAfter);
      assertThat(meter.entry(query, after)).as("seed %s", seed).isEqualTo(entryAfter);
    }
  }

  private static Stream<ViewingLikelihood> otherCurves() {
    return Stream.of(
        new LogarithmicViews(1), new GeometricViews(0.2, 0.8), TabulatedViews.of(0.5, 0.3, 0.1));
  }

  /** What users get from a page is asked for all queries of all pages. */
  @Test
  void anEntryAsksForTheViewsOfOneRank() {
    int[] asked = {0};
    ViewingLikelihood counting =
        rank -> {
          asked[0]++;
          return 1 / (1 + Math.log(rank));
        };
    ShiftMeter meter = new PassedPages(counting).over(RandomShifts.table(new Random(7), 50));
    for (int query = 0; query < 50; query++) {
      meter.entry(query, 30); // the best of all: it passes every page
    }
    assertThat(asked[0]).isEqualTo(50);
  }

  @Test
  void theEffectOfAMeterIsTheEffectOfTheEstimate() {
    RankTable table = RandomShifts.table(new Random(7), 50);
    PassedPages plain = new PassedPages(PowerLawViews.PAPER);
    for (int query = 0; query < table.size(); query++) {
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      compare(f, plain.over(table).effect(query, 0, 3), plain.effect(f, 0, 3), 7);
    }
  }

  /** The sum of the 2005 paper, whose estimates may be negative, has no meter of its own. */
  @Test
  void thePartsThatAMeterTellsAreThoseOfTheEstimateBeItNegative() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    RankTable table = RandomShifts.table(random, 200);
    PaperSum plain = new PaperSum(PowerLawViews.PAPER);
    ShiftMeter meter = plain.over(table);
    ShiftParts parts = new ShiftParts();
    int negative = 0;
    for (int round = 0; round < 2_000; round++) {
      int query = random.nextInt(table.size());
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      double before = (float) RandomShifts.score(random, f);
      double after = (float) RandomShifts.score(random, f);
      ShiftEffect expected = plain.effect(f, before, after);
      assertThat(meter.change(query, before, after, parts)).isEqualTo(expected.total());
      assertThat(parts.effect().others())
          .as("%s from %s to %s, seed %s", f, before, after, seed)
          .isCloseTo(expected.others(), within(1e-12 * (before + after)));
      negative += expected.total() < 0 ? 1 : 0;
    }
    assertThat(negative).as("negative ones, seed %s", seed).isPositive();
  }

  @Test
  void aMeterWithAChangeOfItsOwnTellsTheSameWithParts() {
    ShiftMeter plain =
        new IntegralSum(PowerLawViews.PAPER).over(RandomShifts.table(new Random(17), 1));
    ShiftMeter doubled =
        new ShiftMeter() {
          @Override
          public ShiftEffect effect(int query, double before, double after) {
            return plain.effect(query, before, after);
          }

          @Override
          public double change(int query, double before, double after) {
            return 2 * plain.change(query, before, after);
          }

          @Override
          public double entry(int query, double score) {
            return 3 * plain.entry(query, score);
          }
        };
    ShiftParts parts = new ShiftParts();
    double change = doubled.change(0, 0, 2, parts);
    ShiftEffect effect = plain.effect(0, 0, 2);
    assertThat(change).isEqualTo(doubled.change(0, 0, 2)).isEqualTo(2 * effect.total());
    assertThat(parts.effect().total()).isCloseTo(change, within(1e-12));
    assertThat(parts.effect().own()).isEqualTo(effect.own()).isPositive();
    assertThat(parts.effect().rankAfter()).isEqualTo(effect.rankAfter());
    assertThat(parts.entryBefore()).isZero();
    assertThat(parts.entryAfter()).isEqualTo(3 * effect.own());
  }

  @Test
  void anEstimateIsAskedOnceForAShiftAndOnceForEachEntry() {
    AtomicInteger asked = new AtomicInteger();
    QualityChange counted =
        new QualityChange() {
          @Override
          public ViewingLikelihood views() {
            return PowerLawViews.PAPER;
          }

          @Override
          public ShiftEffect effect(LogLogRankFunction function, double before, double after) {
            asked.incrementAndGet();
            return new IntegralSum(views()).effect(function, before, after);
          }
        };
    ShiftMeter meter = counted.over(RandomShifts.table(new Random(19), 1));
    meter.change(0, 1, 2, new ShiftParts());
    assertThat(asked).hasValue(3);
  }

  @Test
  void aShiftOfNothingHasTheRankOfThePlainFormAndWhatIsNoScoreIsRefused() {
    RankTable table = RandomShifts.table(new Random(13), 50);
    PassedPages plain = new PassedPages(PowerLawViews.PAPER);
    ShiftMeter fast = plain.over(table);
    for (int query = 0; query < table.size(); query++) {
      LogLogRankFunction f = LogLogRankFunction.of(table, query);
      assertThat(fast.effect(query, 3, 3)).isEqualTo(plain.effect(f, 3, 3));
      for (double bad : new double[] {-1, Double.NaN, Double.POSITIVE_INFINITY}) {
        for (double other : new double[] {0, 1}) {
          assertThatIllegalArgumentException().isThrownBy(() -> fast.effect(0, bad, other));
          assertThatIllegalArgumentException().isThrownBy(() -> fast.effect(0, other, bad));
        }
      }
    }
  }

  @Test
  void otherCurvesAreMeasuredByThePlainForm() {
    RankTable table = RandomShifts.table(new Random(11), 50);
    ViewingLikelihood steps = rank -> rank <= 10 ? 1 : rank <= 20 ? 0.1 : 0;
    PassedPages plain = new PassedPages(steps);
    for (int query = 0; query < table.size(); query++) {
      double expected = plain.effect(LogLogRankFunction.of(table, query), 0, 3).total();
      assertThat(plain.over(table).change(query, 0, 3)).isEqualTo(expected);
    }
  }
}
