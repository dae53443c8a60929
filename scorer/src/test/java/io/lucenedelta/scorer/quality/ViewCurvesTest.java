// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of {@link ViewingLikelihood}, for every curve, and each curve's own values. */
class ViewCurvesTest {
  static Stream<ViewingLikelihood> curves() {
    return Stream.of(
        PowerLawViews.PAPER,
        new PowerLawViews(0.4, 0.7),
        new PowerLawViews(1, PowerLawViews.STEEPEST),
        new LogarithmicViews(1),
        new GeometricViews(0.2, 0.8),
        new GeometricViews(1, 0.01),
        TabulatedViews.of(0.5, 0.3, 0.3, 0.1),
        TabulatedViews.of(1));
  }

  @ParameterizedTest
  @MethodSource("curves")
  void attentionIsPositiveNeverIncreasesAndEndsAtNothing(ViewingLikelihood views) {
    double before = Double.POSITIVE_INFINITY;
    for (double rank = 1; rank < 1e6; rank *= 1.03) {
      double at = views.at(rank);
      assertThat(at).as("rank %s", rank).isPositive().isLessThanOrEqualTo(before * (1 + 1e-12));
      before = at;
    }
    assertThat(views.at(Double.POSITIVE_INFINITY)).isZero();
  }

  @Test
  void whatMeasuresWithACurveRefusesNoneWhenItIsMadeAndNotWhenItMeasures() {
    Stream.<ThrowingCallable>of(
            () -> new PassedPages(null),
            () -> new PaperSum(null),
            () -> new IntegralSum(null),
            () -> new ExactQuality(null),
            () -> new ExactShift(null))
        .forEach(
            maker ->
                assertThatThrownBy(maker)
                    .isInstanceOf(NullPointerException.class)
                    .hasMessageStartingWith("a curve of views is needed, was null; "));
  }

  @ParameterizedTest
  @MethodSource("curves")
  void lostViewsWithEqualScoresAreTheFallOfAttention(ViewingLikelihood views) {
    for (double to : new double[] {1, 1.5, 2, 10, 300}) {
      assertThat(views.lostViews(1, to, 2, 0))
          .isCloseTo(2 * (views.at(1) - views.at(to)), within(1e-9));
    }
  }

  /** Adds up the falls of attention over narrow steps, each with the score in its middle. */
  @ParameterizedTest
  @MethodSource("curves")
  void lostViewsCountByTheScoresThatTheyAreLostAt(ViewingLikelihood views) {
    double from = 2;
    double to = 11;
    double step = 1e-4;
    for (double exponent : new double[] {0.4, 2.5}) {
      double sum = 0;
      for (double rank = from; rank < to - step / 2; rank += step) {
        double score = 3 * Math.pow((rank + step / 2) / from, -exponent);
        sum += (views.at(rank) - views.at(rank + step)) * score;
      }
      assertThat(views.lostViews(from, to, 3, exponent))
          .as("scores falling by the power of %s", exponent)
          .isCloseTo(sum, within(1e-3 * sum));
    }
  }

  /** As {@link ViewingLikelihood} says it for any curve: at() on narrow steps. */
  private record AsAnyCurve(ViewingLikelihood views) implements ViewingLikelihood {
    @Override
    public double at(double rank) {
      return views.at(rank);
    }
  }

  @ParameterizedTest
  @MethodSource("curves")
  void theClosedFormOfACurveAgreesWithTheOneForAnyCurve(ViewingLikelihood views) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    ViewingLikelihood any = new AsAnyCurve(views);
    for (int round = 0; round < 300; round++) {
      double from = Math.exp(random.nextDouble() * 4);
      double to = from * Math.exp(random.nextDouble() * 9);
      double exponent = random.nextInt(4) == 0 ? 0 : Math.exp(4 * random.nextDouble() - 2);
      double expected = any.lostViews(from, to, 3, exponent);
      assertThat(views.lostViews(from, to, 3, exponent))
          .as("from %s to %s, exponent %s, seed %s", from, to, exponent, seed)
          .isCloseTo(expected, within(0.04 * expected + Double.MIN_NORMAL));
    }
  }

  @ParameterizedTest
  @MethodSource("curves")
  void aStretchIsTheSumOfItsPartsHoweverItIsCut(ViewingLikelihood views) {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      double from = Math.exp(random.nextDouble() * 6);
      double middle = from * Math.exp(random.nextDouble() * 6);
      double to = middle * Math.exp(random.nextDouble() * 6);
      double exponent = random.nextInt(4) == 0 ? 0 : Math.exp(5 * random.nextDouble() - 2);
      double scoreInTheMiddle = 3 * Math.pow(middle / from, -exponent);
      double parts =
          views.lostViews(from, middle, 3, exponent)
              + views.lostViews(middle, to, scoreInTheMiddle, exponent);
      assertThat(views.lostViews(from, to, 3, exponent))
          .as("from %s by %s to %s, exponent %s, seed %s", from, middle, to, exponent, seed)
          .isCloseTo(parts, within(1e-9 * parts + Double.MIN_NORMAL));
    }
  }

  @ParameterizedTest
  @MethodSource("curves")
  void nothingIsLostFromARankToItself(ViewingLikelihood views) {
    for (double rank : new double[] {1, 2, 2.5, 4, 1e6}) {
      assertThat(views.lostViews(rank, rank, 3, 0.5)).isZero();
      assertThat(new AsAnyCurve(views).lostViews(rank, rank, 3, 0.5)).isZero();
    }
  }

  @ParameterizedTest
  @MethodSource("curves")
  void aRankBeforeTheFirstIsRefused(ViewingLikelihood views) {
    for (double bad : new double[] {0, 0.999, -1, Double.NaN}) {
      assertThatThrownBy(() -> views.at(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("at least 1");
    }
  }

  @Test
  void powersThatNumbersCannotTellDeepInAResultAreRefused() {
    for (double bad : new double[] {0, -1, 20.5, Double.POSITIVE_INFINITY, Double.NaN}) {
      assertThatThrownBy(() -> new PowerLawViews(1, bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("exponent must be positive and at most 20.0, was " + bad);
    }
  }

  @Test
  void scalesAndProbabilitiesThatAreNoneAreRefused() {
    for (double bad : new double[] {0, -1, Double.POSITIVE_INFINITY, Double.NaN}) {
      String scale = "scale must be positive and finite, was " + bad;
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PowerLawViews(bad, 1.5))
          .withMessage(scale);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new LogarithmicViews(bad))
          .withMessage(scale);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new GeometricViews(bad, 0.5))
          .withMessage(scale);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> TabulatedViews.of(bad))
          .withMessage("views must be positive and finite, were " + bad + " at rank 1");
    }
    assertThat(TabulatedViews.of(Double.MAX_VALUE).at(1)).isEqualTo(Double.MAX_VALUE);
    assertThat(new PowerLawViews(Double.MAX_VALUE, 1).at(1)).isEqualTo(Double.MAX_VALUE);
    assertThat(new LogarithmicViews(Double.MAX_VALUE).at(1)).isEqualTo(Double.MAX_VALUE);
    assertThat(new GeometricViews(Double.MAX_VALUE, 0.5).at(1)).isEqualTo(Double.MAX_VALUE);
    for (double bad : new double[] {0, 1, -0.5, 1.5, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new GeometricViews(1, bad))
          .withMessage("persistence must be in (0, 1), was " + bad);
    }
  }

  @Test
  void tablesOfTheSameValuesAreEqual() {
    double[] values = {0.5, 0.3};
    TabulatedViews views = TabulatedViews.of(values);
    assertThat(views).isEqualTo(TabulatedViews.of(0.5, 0.3));
    assertThat(views).hasSameHashCodeAs(TabulatedViews.of(0.5, 0.3));
    assertThat(views).isNotEqualTo(TabulatedViews.of(0.5, 0.2)).isNotEqualTo(values);
    assertThat(views.hashCode()).isNotEqualTo(TabulatedViews.of(0.5, 0.2).hashCode());
    values[0] = 7; // the table is its own
    assertThat(views).hasToString("TabulatedViews[0.5, 0.3]");
  }

  @Test
  void theCurvesPassThroughTheirPublishedValues() {
    assertThat(PowerLawViews.PAPER.at(4)).isCloseTo(0.125, within(1e-15)); // r^-3/2
    assertThat(new LogarithmicViews(1).at(1)).isCloseTo(1, within(1e-15));
    assertThat(new LogarithmicViews(1).at(3)).isCloseTo(0.5, within(1e-15));
    assertThat(new GeometricViews(0.2, 0.8).at(3)).isCloseTo(0.128, within(1e-15));
  }

  @Test
  void aTableIsExactAtItsRanksAndGeometricBetween() {
    ViewingLikelihood views = TabulatedViews.of(0.8, 0.2);

    assertThat(views.at(1)).isEqualTo(0.8);
    assertThat(views.at(2)).isEqualTo(0.2);
    assertThat(views.at(Math.sqrt(2))).isCloseTo(0.4, within(1e-12));
    assertThat(views.at(8)).isCloseTo(0.2 / 8, within(1e-12));
    assertThat(TabulatedViews.of(0.9, 0.8, 0.2).at(Math.sqrt(6))).isCloseTo(0.4, within(1e-12));
  }

  @ParameterizedTest
  @CsvSource({"1, 4.9E-324", "1, 1e-310", "1e300, 1e-300", "1e300, 4.9E-324"})
  void aTableThatFallsFromTheGreatestToTheLeastIsExactAtItsRanks(double first, double second) {
    ViewingLikelihood views = TabulatedViews.of(first, second);
    assertThat(views.at(1)).isEqualTo(first);
    assertThat(views.at(2)).isEqualTo(second);
    assertThat(views.at(1.5)).isBetween(0.0, first);
    assertThat(views.lostViews(1, 2, 1, 0.5)).isPositive().isLessThanOrEqualTo(first);
    assertThat(TabulatedViews.of(first, first, second).at(1.5)).isEqualTo(first);
  }

  @Test
  void aTableThatRisesIsRefusedWithBothRanks() {
    assertThatThrownBy(() -> TabulatedViews.of(0.5, 0.2, 0.3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0.2 at rank 2 is followed by 0.3 at rank 3");
    assertThatThrownBy(() -> TabulatedViews.of()).hasMessageContaining("rank 1");
    assertThatThrownBy(() -> TabulatedViews.of(0.5, 0)).hasMessageContaining("rank 2");
  }
}
