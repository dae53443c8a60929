// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.workload.ClickCounts;
import java.util.Random;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.math3.distribution.ChiSquaredDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ViewingLikelihoodFitTest {
  private static final int DEPTH = 50;

  @ParameterizedTest(name = "exponent {0}")
  @ValueSource(doubles = {0.8, 1.5, 2.4})
  void theTrueExponentLiesInTheIntervalAsOftenAsPromised(double exponent) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int covered = 0;
    int worlds = 60;
    for (int world = 0; world < worlds; world++) {
      ClickCounts clicks = clicks(random, 2_000, (rank, a) -> Math.pow(rank, -a), exponent);
      covered +=
          ViewingLikelihoodFit.powerLaw(clicks, 2_000).parameterRange().contains(exponent) ? 1 : 0;
    }
    // 95 % of 60 are 57; fewer than 47 happen less than once in a million runs.
    assertThat(covered).as("seed %d", seed).isGreaterThanOrEqualTo(47);
  }

  @Test
  void theIntervalNarrowsWithTheRootOfTheClicks() {
    double few = width(clicks(new Random(1), 1_000, (rank, a) -> Math.pow(rank, -a), 1.5));
    double many = width(clicks(new Random(1), 100_000, (rank, a) -> Math.pow(rank, -a), 1.5));

    assertThat(few / many).isBetween(8.0, 12.5);
  }

  @Test
  void theScaleIsTheClicksAQueryAtTheFirstRank() {
    ClickCounts clicks = clicks(new Random(2), 50_000, (rank, a) -> Math.pow(rank, -a), 1.5);
    ViewingLikelihoodFit fit = ViewingLikelihoodFit.powerLaw(clicks, 100_000);
    double expected = clicks.at(1) / 100_000.0;

    assertThat(fit.scale()).isBetween(0.98 * expected, 1.02 * expected);
    assertThat(fit.scaleRange().contains(expected)).isTrue();
    assertThat(fit.views().at(1)).isEqualTo(fit.scale());
  }

  @Test
  void theScaleIsAsUncertainAsTheNumberOfClicksAndTheExponentTogether() {
    ClickCounts clicks = new ClickCounts();
    for (int rank = 1; rank <= 10; rank++) {
      for (int i = 0; i < Math.round(1000 * Math.pow(rank, -0.7)); i++) {
        clicks.add(rank);
      }
    }
    ViewingLikelihoodFit fit = ViewingLikelihoodFit.powerLaw(clicks, 10_000);
    double sum = 0;
    double first = 0;
    double second = 0;
    for (int rank = 1; rank <= 10; rank++) {
      double weight = Math.pow(rank, -fit.parameter());
      sum += weight;
      first += weight * Math.log(rank);
      second += weight * Math.log(rank) * Math.log(rank);
    }
    double mean = first / sum;
    double variance = second / sum - mean * mean;
    // ln I(1) = ln n/queries − ln Σr^−a: 1/n for n, for a its slope E[ln r] squared times the
    // variance 1/(n·Var[ln r])
    double deviation = Math.sqrt((1 + mean * mean / variance) / clicks.total());
    double width = Math.log(fit.scaleRange().high() / fit.scaleRange().low());
    assertThat(width / (2 * 1.96)).isCloseTo(deviation, within(0.02 * deviation));
  }

  @Test
  void ranksArePooledUntilFiveClicksAreExpected() {
    ClickCounts clicks = new ClickCounts();
    int[] seen = {14, 8, 5, 6, 4, 3};
    double norm = 0;
    for (int rank = 1; rank <= seen.length; rank++) {
      for (int i = 0; i < seen[rank - 1]; i++) {
        clicks.add(rank);
      }
      norm += 1 / Math.log(1 + rank);
    }
    // 40/ln(1 + r) over the sum: 12.1, 7.6, 6.1 and 5.2 clicks, then 4.7 and 4.3, which are pooled
    double[] expected = new double[5];
    for (int rank = 1; rank <= seen.length; rank++) {
      expected[Math.min(rank, 5) - 1] += 40 / Math.log(1 + rank) / norm;
    }
    int[] pooled = {14, 8, 5, 6, 4 + 3};
    double chiSquare = 0;
    for (int cell = 0; cell < pooled.length; cell++) {
      chiSquare += Math.pow(pooled[cell] - expected[cell], 2) / expected[cell];
    }
    ViewingLikelihoodFit fit = ViewingLikelihoodFit.logarithmic(clicks, 100);
    assertThat(fit.degreesOfFreedom()).isEqualTo(4);
    assertThat(fit.chiSquare()).isCloseTo(chiSquare, within(1e-9));
  }

  @Test
  void aRankIsPooledWithTheLastWhenFewerThanFiveClicksAreExpectedBehindIt() {
    ClickCounts clicks = clicks(9, 6, 3);
    // 18/ln(1 + r) over the sum: 8.45, 5.33 and 4.22
    ViewingLikelihoodFit fit = ViewingLikelihoodFit.logarithmic(clicks, 100);
    double first = 18 / Math.log(2) / (1 / Math.log(2) + 1 / Math.log(3) + 1 / Math.log(4));
    assertThat(fit.degreesOfFreedom()).isEqualTo(1);
    assertThat(fit.chiSquare())
        .isCloseTo(Math.pow(9 - first, 2) * (1 / first + 1 / (18 - first)), within(1e-9));
  }

  @Test
  void anIntervalEndsWithTheDomainOfItsParameter() {
    ClickCounts few = clicks(3, 2);
    // a share s of the first rank is not rejected as long as 3·ln(s/0.6) + 2·ln((1 − s)/0.4) is
    // over −1.9207: from under a half up to 0.91927, where the second has 0.08782 times as many
    // clicks
    ViewingLikelihoodFit power = ViewingLikelihoodFit.powerLaw(few, 10);
    assertThat(power.parameter()).isCloseTo(Math.log(1.5) / Math.log(2), within(1e-6));
    assertThat(power.parameterRange().low()).isEqualTo(1e-3);
    assertThat(power.parameterRange().high()).isCloseTo(3.50929, within(1e-4));
    ViewingLikelihoodFit geometric = ViewingLikelihoodFit.geometric(few, 10);
    assertThat(geometric.parameterRange().low()).isCloseTo(0.08782, within(1e-4));
    assertThat(geometric.parameterRange().high()).isEqualTo(1 - 1e-9);
    assertThat(geometric.logLikelihood())
        .isCloseTo(3 * Math.log(0.6) + 2 * Math.log(0.4), within(1e-9));
    assertThat(geometric.degreesOfFreedom()).as("two ranks, one parameter").isZero();
    assertThat(geometric.pValue()).isNaN();
  }

  @Test
  void anIntervalHoldsItsEndsAndNothingBeyond() {
    ViewingLikelihoodFit.Range range = new ViewingLikelihoodFit.Range(1, 2);
    assertThat(range.contains(0.99)).isFalse();
    assertThat(range.contains(1)).isTrue();
    assertThat(range.contains(2)).isTrue();
    assertThat(range.contains(2.01)).isFalse();
  }

  @Test
  void aParameterCostsTwoPointsOfTheCriterion() {
    ClickCounts clicks = clicks(9, 6, 3);
    ViewingLikelihoodFit free = ViewingLikelihoodFit.powerLaw(clicks, 1);
    ViewingLikelihoodFit none = ViewingLikelihoodFit.logarithmic(clicks, 1);
    // likelier by less than the parameter costs
    assertThat(free.logLikelihood()).isGreaterThan(none.logLikelihood());
    assertThat(free.aic()).isGreaterThan(none.aic());
    assertThat(none.aic()).isCloseTo(-2 * none.logLikelihood(), within(1e-9));
    assertThat(free.aic()).isCloseTo(2 - 2 * free.logLikelihood(), within(1e-9));
  }

  @Test
  void aFittedParameterTakesADegreeOfFreedom() {
    ClickCounts clicks = new ClickCounts();
    int[] seen = {1000, 600, 450, 400, 300, 290, 250, 240, 200, 210};
    for (int rank = 1; rank <= seen.length; rank++) {
      for (int i = 0; i < seen[rank - 1]; i++) {
        clicks.add(rank);
      }
    }
    assertThat(ViewingLikelihoodFit.logarithmic(clicks, 1).degreesOfFreedom()).isEqualTo(9);
    ViewingLikelihoodFit fitted = ViewingLikelihoodFit.powerLaw(clicks, 1);
    assertThat(fitted.degreesOfFreedom()).isEqualTo(8);
    assertThat(fitted.pValue())
        .isCloseTo(
            1 - new ChiSquaredDistribution(8).cumulativeProbability(fitted.chiSquare()),
            within(1e-12));
    assertThat(ViewingLikelihoodFit.geometric(clicks, 1).degreesOfFreedom()).isEqualTo(8);
  }

  @Test
  void theRightCurveIsPreferredAndTheWrongOnesAreRejected() {
    ClickCounts power = clicks(new Random(3), 20_000, (rank, a) -> Math.pow(rank, -a), 1.5);
    ClickCounts geometric = clicks(new Random(3), 20_000, (rank, p) -> Math.pow(p, rank), 0.8);
    ClickCounts logarithmic =
        clicks(new Random(3), 20_000, (rank, none) -> 1 / Math.log1p(rank), 0);

    assertThat(ViewingLikelihoodFit.all(power, 1).get(0).curve()).isEqualTo("power law");
    assertThat(ViewingLikelihoodFit.all(geometric, 1).get(0).curve()).isEqualTo("geometric");
    assertThat(ViewingLikelihoodFit.all(logarithmic, 1).get(0).curve()).isEqualTo("logarithmic");
    assertThat(ViewingLikelihoodFit.powerLaw(power, 1).pValue()).isGreaterThan(0.001);
    assertThat(ViewingLikelihoodFit.powerLaw(geometric, 1).pValue()).isLessThan(1e-6);
    assertThat(ViewingLikelihoodFit.geometric(geometric, 1).parameterRange().contains(0.8))
        .isTrue();
    assertThat(ViewingLikelihoodFit.powerLaw(power, 1).largestDeviation()).isLessThan(0.02);
    assertThat(ViewingLikelihoodFit.powerLaw(geometric, 1).largestDeviation()).isGreaterThan(0.05);
  }

  @Test
  void oneClickInAThousandMayLieDeeperThanTheFit() {
    int[] seen = new int[50];
    seen[0] = 1_000;
    seen[49] = 2;
    seen[1] = 997;
    assertThat(ViewingLikelihoodFit.powerLaw(clicks(seen), 1).deepestRank()).isEqualTo(50);
    seen[1] = 998;
    assertThat(ViewingLikelihoodFit.powerLaw(clicks(seen), 1).deepestRank()).isEqualTo(2);
  }

  @Test
  void theLargestDeviationIsThatOfTheSharesDownToARankMoreOrLess() {
    double[] weights = {1 / Math.log(2), 1 / Math.log(3), 1 / Math.log(4)};
    double norm = weights[0] + weights[1] + weights[2];
    // 1/2 and 5/6 of the clicks, of which the curve expects .469 and .765
    assertThat(ViewingLikelihoodFit.logarithmic(clicks(9, 6, 3), 1).largestDeviation())
        .isCloseTo(5 / 6.0 - (weights[0] + weights[1]) / norm, within(1e-12));
    // 1/6 and 1/2
    assertThat(ViewingLikelihoodFit.logarithmic(clicks(3, 6, 9), 1).largestDeviation())
        .isCloseTo(weights[0] / norm - 1 / 6.0, within(1e-12));
  }

  @Test
  void clicksAtOneRankOnlyFitNothing() {
    ClickCounts clicks = new ClickCounts();
    clicks.add(1);
    clicks.add(1);

    assertThatThrownBy(() -> ViewingLikelihoodFit.powerLaw(clicks, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 clicks down to rank 1")
        .hasMessageContaining("use a log with clicked ranks");
    assertThatThrownBy(() -> ViewingLikelihoodFit.powerLaw(new ClickCounts(), 10))
        .hasMessageContaining("0 clicks");
    ClickCounts deep = new ClickCounts();
    deep.add(5);
    deep.add(5);
    assertThatThrownBy(() -> ViewingLikelihoodFit.powerLaw(deep, 10))
        .hasMessageContaining("2 clicks down to rank 5");
    deep.add(1);
    assertThatThrownBy(() -> ViewingLikelihoodFit.powerLaw(deep, Double.POSITIVE_INFINITY))
        .hasMessage("queries must be over 0 and finite, were Infinity");
    assertThatThrownBy(() -> ViewingLikelihoodFit.powerLaw(deep, 0))
        .hasMessage("queries must be over 0 and finite, were 0.0");
  }

  @ParameterizedTest(name = "{0} clicks at the first rank")
  @ValueSource(ints = {2_518, 100}) // 10,000 and 397 in all
  void oneLineWithAWildRankDecidesNoFit(int first) {
    ClickCounts clicks = new ClickCounts();
    for (int rank = 1; rank <= 10; rank++) {
      for (int i = 0; i < Math.round(first * Math.pow(rank, -0.7)); i++) {
        clicks.add(rank);
      }
    }
    ViewingLikelihoodFit tame = ViewingLikelihoodFit.powerLaw(clicks, 10_000);
    assertThat(tame.parameter()).isCloseTo(0.7, within(0.05));
    clicks.add(999_999_999);
    assertThat(ViewingLikelihoodFit.powerLaw(clicks, 10_000)).isEqualTo(tame);
    for (ViewingLikelihoodFit fit : ViewingLikelihoodFit.all(clicks, 10_000)) {
      assertThat(fit.deepestRank()).as(fit.curve()).isEqualTo(10);
      assertThat(fit.clicks()).as(fit.curve()).isEqualTo(clicks.total() - 1);
    }
  }

  @Test
  void whatIsLeftOutIsOneClickInAThousandOrOne() {
    assertThat(deepestRank(3_000, 996, 4)).as("4 of 4,000").isEqualTo(2);
    assertThat(deepestRank(3_000, 996, 3, 0, 1)).as("4 of 4,000").isEqualTo(2);
    assertThat(deepestRank(3_000, 996, 5)).as("5 of 4,001").isEqualTo(3);
    assertThat(deepestRank(3_000, 996, 4, 0, 1)).as("5 of 4,001, 1 of them deeper").isEqualTo(3);
    assertThat(deepestRank(9, 6, 0, 1)).isEqualTo(2);
    assertThat(deepestRank(9, 6, 0, 2)).isEqualTo(4);
    assertThat(deepestRank(9, 0, 0, 1)).as("two ranks are needed").isEqualTo(4);
  }

  private static int deepestRank(int... seen) {
    return ViewingLikelihoodFit.logarithmic(clicks(seen), 1).deepestRank();
  }

  private static ClickCounts clicks(int... seen) {
    ClickCounts clicks = new ClickCounts();
    for (int rank = 1; rank <= seen.length; rank++) {
      for (int i = 0; i < seen[rank - 1]; i++) {
        clicks.add(rank);
      }
    }
    return clicks;
  }

  private static double width(ClickCounts clicks) {
    ViewingLikelihoodFit.Range range = ViewingLikelihoodFit.powerLaw(clicks, 1).parameterRange();
    return range.high() - range.low();
  }

  private static ClickCounts clicks(
      Random random, int count, DoubleBinaryOperator weight, double parameter) {
    double[] cumulative = new double[DEPTH + 1];
    for (int rank = 1; rank <= DEPTH; rank++) {
      cumulative[rank] = cumulative[rank - 1] + weight.applyAsDouble(rank, parameter);
    }
    ClickCounts clicks = new ClickCounts();
    for (int i = 0; i < count; i++) {
      double at = random.nextDouble() * cumulative[DEPTH];
      int rank = 1;
      while (rank < DEPTH && cumulative[rank] < at) {
        rank++;
      }
      clicks.add(rank);
    }
    return clicks;
  }
}
