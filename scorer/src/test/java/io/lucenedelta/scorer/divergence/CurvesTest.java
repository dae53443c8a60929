// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;

class CurvesTest {
  private static final List<DivergenceCurve> CURVES =
      List.of(
          ChurnCurve.holistic(0.1),
          new ChurnCurve(0.5, 0.3),
          new ScrollCurve(0.25, 10, 0.8),
          new ScrollCurve(2, 3, 1),
          SampledCurve.of(new double[] {3, 7, 20}, new double[] {0.1, 0.4, 0.5}));

  @Test
  void integralsAreTheAreaUnderTheCurve() {
    for (DivergenceCurve curve : CURVES) {
      double area = 0;
      double step = 0.001;
      for (double t = 0; t < 25; t += step) {
        area += curve.at(t + step / 2) * step;
      }
      assertThat(curve.integral(25)).as("%s", curve).isCloseTo(area, within(1e-3));
    }
  }

  @Test
  void curvesStartAtZeroAndNeverFall() {
    for (DivergenceCurve curve : CURVES) {
      assertThat(curve.at(0)).isZero();
      assertThat(curve.utility(0)).isZero();
      for (double t = 0; t < 30; t += 0.5) {
        assertThat(curve.at(t + 0.5)).isBetween(curve.at(t) - 1e-12, 1.0);
        assertThat(curve.utility(t + 0.5)).isGreaterThanOrEqualTo(curve.utility(t) - 1e-9);
      }
    }
  }

  @Test
  void holisticUtilityHasTheClosedFormOfAppendixA() {
    double rate = 0.13;
    for (double t : new double[] {0.5, 3, 20, 100}) {
      double closed = 1 / rate - (t + 1 / rate) * Math.exp(-rate * t);
      assertThat(ChurnCurve.holistic(rate).utility(t)).isCloseTo(closed, within(1e-9));
    }
    assertThat(ChurnCurve.holistic(0).utility(5)).isZero();
    // λ = ½: U(2) = 2 − 4/e, U(4) = 2 − 6/e²; worked out by hand
    assertThat(ChurnCurve.holistic(0.5).utility(2)).isCloseTo(0.528482, within(1e-6));
    assertThat(ChurnCurve.holistic(0.5).utility(4)).isCloseTo(1.187988, within(1e-6));
    // in the limit a refresh gains 1/λ
    assertThat(ChurnCurve.holistic(0.5).utility(1000)).isCloseTo(2, within(1e-9));
  }

  @Test
  void utilityIsTimeTimesDivergenceLessTheArea() {
    SampledCurve linear = SampledCurve.of(new double[] {10}, new double[] {0.5});
    // a line: t·D − t·D/2
    assertThat(linear.utility(10)).isCloseTo(2.5, within(1e-12));
    assertThat(linear.utility(20)).isCloseTo(20 * 0.5 - (2.5 + 5), within(1e-12));
  }

  @Test
  void thePeriodIsWhenUtilityReachesTheThreshold() {
    DivergenceCurve churn = new ChurnCurve(0.2, 0.9);
    double period = churn.period(1.5, 1000);
    assertThat(churn.utility(period)).isCloseTo(1.5, within(1e-3));
    assertThat(churn.period(1e9, 50)).isEqualTo(50);
    assertThat(new ChurnCurve(0, 0).period(0, 50)).as("reached at once").isLessThan(1e-4);
  }

  @Test
  void aScrollOfOneItemIsChurn() {
    for (double t : new double[] {0.1, 2, 9}) {
      assertThat(new ScrollCurve(0.4, 1, 0.7).at(t))
          .isCloseTo(new ChurnCurve(0.4, 0.7).at(t), within(1e-12));
    }
  }

  @Test
  void aScrollOfTwoItemsCountsOneEventAsHalf() {
    // at a mean of 1: no event 1/e, one 1/e, more 1 − 2/e; half of it and all of it drifted
    assertThat(new ScrollCurve(0.25, 2, 0.8).at(4))
        .isCloseTo(0.8 * (0.5 / Math.E + 1 - 2 / Math.E), within(1e-12));
  }

  @Test
  void aScrollOfFewOrManyItemsIsWhatTheIncompleteGammaFunctionGives() {
    double days = 7;
    for (int items : new int[] {1, 2, 3, 10, 99, 100, 101}) {
      for (double mean = 1e-9; mean < 1e4; mean *= 1.07) {
        double few = items == 1 ? 0 : mean * Gamma.regularizedGammaQ(items - 1.0, mean);
        double replaced = few + items * Gamma.regularizedGammaP(items, mean);
        double expected = 0.8 * replaced / items;
        assertThat(new ScrollCurve(mean / days, items, 0.8).at(days))
            .as("%d items, %s events", items, mean)
            .isCloseTo(expected, within(1e-12 * expected));
      }
    }
  }

  @Test
  void lifetimesFollowThePapersDistributions() {
    // churn: 1 − e^(−λt)
    assertThat(ScrollCurve.goneWithin(4, 0.25, 1)).isCloseTo(1 - Math.exp(-1), within(1e-12));
    // scroll with K = 2 at λt = 1: 1 − 2/e
    assertThat(ScrollCurve.goneWithin(4, 0.25, 2)).isCloseTo(1 - 2 / Math.E, within(1e-12));
    assertThat(ScrollCurve.goneWithin(0, 0.25, 10)).isZero();
    // figure 4, λ = 0.25: after 12 days churn 1 − e^(−3); K = 3: 1 − (1 + 3 + 4.5)·e^(−3)
    assertThat(ScrollCurve.goneWithin(12, 0.25, 1)).isCloseTo(0.950213, within(1e-6));
    assertThat(ScrollCurve.goneWithin(12, 0.25, 3)).isCloseTo(0.576810, within(1e-6));
    // ten updates in 12 days are unlikely, in 60 nearly certain
    assertThat(ScrollCurve.goneWithin(12, 0.25, 10)).isCloseTo(0.001102, within(1e-6));
    assertThat(ScrollCurve.goneWithin(60, 0.25, 10)).isCloseTo(0.930146, within(1e-6));
  }

  /** So many that the chance of no event at all is no number any more. */
  @Test
  void aScrollOfThousandsOfItemsFillsAsEventsCome() {
    ScrollCurve curve = new ScrollCurve(1, 2000, 0.8);
    assertThat(curve.at(1000)).isCloseTo(0.8 * 1000 / 2000, within(1e-9));
    assertThat(curve.integral(1000)).isCloseTo(0.8 * 1000 * 1000 / 2 / 2000, within(1e-6));
    assertThat(curve.at(2000))
        .isCloseTo(0.8 * (1 - Math.sqrt(1 / (2 * Math.PI * 2000))), within(1e-5));
    assertThat(curve.at(4000)).isCloseTo(0.8, within(1e-9));
    assertThat(ScrollCurve.goneWithin(1000, 1, 2000)).isCloseTo(0, within(1e-9));
    assertThat(ScrollCurve.goneWithin(2000, 1, 2000)).isCloseTo(0.5, within(0.01));
  }

  @Test
  void aScrollIsReplacedAsAWholeWhereEventsAreTooManyToCount() {
    double days = 7;
    for (double rate : new double[] {1e50, 1e99, 1e101, 1e160, 1e300, Double.MAX_VALUE}) {
      for (int items : new int[] {1, 2, 10, 1000, Integer.MAX_VALUE}) {
        ScrollCurve curve = new ScrollCurve(rate, items, 0.8);
        assertThat(curve.at(days)).as("%s", curve).isCloseTo(0.8, within(1e-12));
        assertThat(curve.integral(days)).as("%s", curve).isCloseTo(0.8 * days, within(1e-12));
        assertThat(ScrollCurve.goneWithin(days, rate, items)).as("%s", curve).isEqualTo(1);
      }
    }
    for (int items : new int[] {1, 10}) {
      assertThat(new ScrollCurve(0.4, items, 0.7).at(Double.POSITIVE_INFINITY)).isEqualTo(0.7);
      assertThat(ScrollCurve.goneWithin(Double.POSITIVE_INFINITY, 0.4, items)).isEqualTo(1);
    }
  }

  @Test
  void aScrollMayHaveAsManyItemsAsAnIntCounts() {
    ScrollCurve curve = new ScrollCurve(1000, Integer.MAX_VALUE, 0.8);
    // half of what was replaced in the end: 0.8·1000·3²/2 items
    assertThat(curve.integral(3) * Integer.MAX_VALUE).isCloseTo(3600, within(1e-6));
  }

  @Test
  void fragmentsAreOfRegionsThatHaveItems() {
    for (int bad : new int[] {0, -1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ScrollCurve.goneWithin(1, 1, bad))
          .withMessage("items must be at least 1, were " + bad);
    }
  }

  @Test
  void simulatedScrollRegionsDivergeAsTheCurveSays() {
    Random random = new Random(12);
    ScrollCurve curve = new ScrollCurve(0.25, 10, 1);
    for (double t : new double[] {8, 30, 60}) {
      double sum = 0;
      int trials = 40_000;
      for (int trial = 0; trial < trials; trial++) {
        int events = 0;
        for (double at = -Math.log(1 - random.nextDouble()) / 0.25;
            at <= t;
            at -= Math.log(1 - random.nextDouble()) / 0.25) {
          events++;
        }
        sum += Math.min(events, 10) / 10.0;
      }
      assertThat(curve.at(t)).isCloseTo(sum / trials, within(0.006));
    }
  }

  @Test
  void theFitTellsChurnFromScroll() {
    double[] days = {7, 14, 21, 28, 35, 42, 49, 56};
    assertThat(fit(new ChurnCurve(0.15, 0.4), days)).isInstanceOf(ChurnCurve.class);
    assertThat(fit(new ScrollCurve(0.3, 10, 0.6), days)).isInstanceOf(ScrollCurve.class);
    assertThat(fit(new ChurnCurve(0, 0), days).at(100)).isZero();
  }

  @Test
  void aFittedScrollRegionHasTenItems() {
    double[] days = {7, 14, 21, 28, 35, 42, 49, 56};
    assertThat(fit(new ScrollCurve(0.3, 10, 0.6), days))
        .isInstanceOfSatisfying(
            ScrollCurve.class, fitted -> assertThat(fitted.items()).isEqualTo(10));
  }

  @Test
  void theFitComesNearTheMeasuredCurve() {
    double[] days = {7, 14, 21, 28, 35, 42, 49, 56};
    for (DivergenceCurve true1 :
        List.of(new ChurnCurve(0.05, 0.9), new ScrollCurve(0.12, 10, 0.5))) {
      DivergenceCurve fitted = fit(true1, days);
      for (double day : days) {
        assertThat(fitted.at(day)).isCloseTo(true1.at(day), within(0.03));
      }
    }
  }

  /** Divergences that rise faster than any curve whose share is below 1. */
  @Test
  void noCurveOfAFineSearchIsMuchNearerThanTheFit() {
    double[][] days = {{1, 2}, {7, 14, 21}, {7, 14, 21, 28}};
    double[][] divergence = {{0.1, 1}, {0.2, 0.6, 1}, {0, 0.2, 0.7, 1}};
    for (int i = 0; i < days.length; i++) {
      double least = Double.POSITIVE_INFINITY;
      for (int items : new int[] {1, 10}) {
        for (double rate = 1e-3; rate < 30; rate *= 1.02) {
          for (int percent = 1; percent <= 100; percent++) {
            DivergenceCurve curve = new ScrollCurve(rate, items, percent / 100.0);
            least = Math.min(least, squares(curve, days[i], divergence[i]));
          }
        }
      }
      DivergenceCurve fitted = CurveFit.of(days[i], divergence[i]);
      assertThat(squares(fitted, days[i], divergence[i])).as("%s", fitted).isLessThan(1.02 * least);
    }
  }

  @Test
  void aRegionInWhichNothingIsReplacedNeverDiverges() {
    for (DivergenceCurve curve : List.of(new ScrollCurve(0, 10, 1), new ChurnCurve(0, 1))) {
      assertThat(curve.at(7)).isZero();
      assertThat(curve.integral(7)).isZero();
      assertThat(curve.utility(7)).isZero();
    }
  }

  @Test
  void aRateOfTheGridAndOneBesideItAreFound() {
    double[] days = {7, 14, 21, 28};
    double fromFourthOn = 0.05 / 28 * 1.6 * 1.6 * 1.6; // lower ones are hardly told apart
    for (double onGrid = fromFourthOn; onGrid < 5.0 / 7; onGrid *= 1.6) {
      for (double factor : new double[] {0.85, 1, 1.18}) {
        ChurnCurve churn = new ChurnCurve(onGrid * factor, 0.5);
        double[] divergence = Arrays.stream(days).map(churn::at).toArray();
        assertThat(CurveFit.of(days, divergence))
            .as("%s times %s", onGrid, factor)
            .isInstanceOfSatisfying(
                ChurnCurve.class,
                fit -> assertThat(fit.rate()).isCloseTo(churn.rate(), within(1e-9)));
      }
    }
  }

  /** Powers of 2, by which numbers change without rounding. */
  @Test
  void theFitDependsNeitherOnTheUnitOfTimeNorOnHowMuchOfThePageChanges() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 20; round++) {
      double[] days = {1 + random.nextInt(3), 7, 14, 60 + random.nextInt(9)};
      // few enough that no share reaches 1, even of the slowest curve
      double[] divergence = random.doubles(days.length, 0, 0.04).toArray();
      DivergenceCurve fitted = CurveFit.of(days, divergence);
      for (double unit : new double[] {0x1p-10, 0x1p10}) {
        DivergenceCurve other = CurveFit.of(times(unit, days), divergence);
        for (double day : days) {
          assertThat(other.at(day * unit)).as("seed %d", seed).isEqualTo(fitted.at(day));
        }
      }
      DivergenceCurve less = CurveFit.of(days, times(0x1p-10, divergence));
      for (double day : days) {
        assertThat(less.at(day)).as("seed %d", seed).isEqualTo(fitted.at(day) * 0x1p-10);
      }
    }
  }

  private static double[] times(double factor, double[] values) {
    return Arrays.stream(values).map(value -> factor * value).toArray();
  }

  private static double squares(DivergenceCurve curve, double[] days, double[] divergence) {
    double sum = 0;
    for (int i = 0; i < days.length; i++) {
      sum += Math.pow(curve.at(days[i]) - divergence[i], 2);
    }
    return sum;
  }

  private static DivergenceCurve fit(DivergenceCurve curve, double[] days) {
    double[] divergence = new double[days.length];
    for (int i = 0; i < days.length; i++) {
      divergence[i] = curve.at(days[i]);
    }
    return CurveFit.of(days, divergence);
  }

  @Test
  void pointsThatNoCurveCanBeFittedToAreRefusedWithTheirValues() {
    double infinite = Double.POSITIVE_INFINITY;
    for (double days : new double[] {0, -1, infinite, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CurveFit.of(new double[] {7, days}, new double[] {0.1, 0.5}))
          .withMessageEndingWith("point 1 has " + days + " and 0.5");
    }
    for (double divergence : new double[] {-0.1, 1.1, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CurveFit.of(new double[] {7}, new double[] {divergence}))
          .withMessageEndingWith("point 0 has 7.0 and " + divergence);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CurveFit.of(new double[] {7, 14}, new double[] {0.5}))
        .withMessageEndingWith("got 2 times and 1 divergences");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CurveFit.of(new double[0], new double[0]));
  }

  @Test
  void timesMustAscend() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SampledCurve.of(new double[] {2, 2}, new double[] {0, 0}))
        .withMessage("times must ascend from above 0: 2.0 follows 2.0");
  }

  @Test
  void aPageThatJumpsAtOnceIsEagerAndOneThatWaitsIsNot() {
    // snapshots 0, 1, 2: all of the drift by 1, none of it, half of it
    assertThat(eagerness(0, 0.4, 0.4)).isEqualTo(1);
    assertThat(eagerness(0, 0, 0.4)).isZero();
    assertThat(eagerness(0, 0.2, 0.4)).isCloseTo(0.5, within(1e-12));
    assertThat(eagerness(0, 0, 0)).isEqualTo(0.5);
    // further off in the middle than at the end: what was there returned
    assertThat(eagerness(0, 0.6, 0.4)).isEqualTo(1);
    assertThat(eagerness(0, 0.6, 0.4, 0.4)).as("mean of 1 and 1").isEqualTo(1);
    assertThat(Eagerness.interpolate(0.25, 0.1, 0.5)).isCloseTo(0.2, within(1e-12));
  }

  @Test
  void eagernessIsTheMeanOverTheTriplesThatDiverge() {
    // 0.4 of 0.4, nothing of nothing, nothing of 0.4
    assertThat(eagerness(0, 0.4, 0.4, 0.4, 0.8)).isCloseTo(0.5, within(1e-12));
    assertThat(eagerness(0, 0.4, 0.4, 0.4, 0.4)).as("two triples say nothing").isEqualTo(1);
  }

  private static double eagerness(double... level) {
    return Eagerness.of(level.length, (a, b) -> Math.abs(level[a] - level[b]));
  }

  @Test
  void roundingChoosesNoCurve() {
    // a curve of any rate goes through one point: the lowest of the search with a share in [0, 1]
    for (double divergence : new double[] {0.3, 0.9}) {
      DivergenceCurve curve = CurveFit.of(new double[] {28}, new double[] {divergence});
      assertThat(curve).isInstanceOf(ChurnCurve.class);
      for (int i = 1; i < 200; i++) {
        double near = divergence * (1 + i * 1e-13);
        DivergenceCurve other = CurveFit.of(new double[] {28}, new double[] {near});
        assertThat(other.period(8, 56))
            .as("%s and %s", divergence, near)
            .isCloseTo(curve.period(8, 56), within(1e-6));
      }
    }
  }
}
