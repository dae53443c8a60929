// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class ChangeRateTest {
  private static final List<Consumer<Visits>> RATES =
      List.of(
          ChangeRate::of,
          visits -> ChangeRate.of(visits, 0.25),
          visits -> ChangeRate.smoothed(visits, 7));

  @Test
  void regularVisitsGiveTheBiasCorrectedEstimate() {
    // 10 weekly visits, 4 changes: −ln(6.5/10.5)/7
    assertThat(ChangeRate.ofRegularVisits(10, 4, 7)).isCloseTo(0.068510, within(1e-6));
    assertThat(ChangeRate.ofRegularVisits(10, 0, 7)).isZero();
    // finite even when every visit found a change
    assertThat(ChangeRate.ofRegularVisits(10, 10, 7)).isCloseTo(Math.log(21) / 7, within(1e-12));
  }

  @Test
  void theEstimateIsLessBiasedThanTheShareOfChangedVisits() {
    Random random = new Random(3);
    double rate = 0.2; // a week: 1.4 changes
    double corrected = 0;
    double naive = 0;
    for (int trial = 0; trial < 2000; trial++) {
      int changes = 0;
      for (int visit = 0; visit < 20; visit++) {
        changes += random.nextDouble() < -Math.expm1(-rate * 7) ? 1 : 0;
      }
      corrected += ChangeRate.ofRegularVisits(20, changes, 7) / 2000;
      naive += changes / 140.0 / 2000;
    }
    assertThat(Math.abs(corrected - rate)).isLessThan(0.1 * Math.abs(naive - rate));
  }

  @Test
  void irregularVisitsGiveTheLikeliestRate() {
    // one interval of 1 with a change, one of 2 without: 1/(e^λ − 1) = 2, so λ = ln 1.5
    assertThat(ChangeRate.ofIrregularVisits(new double[] {1}, 2))
        .isCloseTo(Math.log(1.5), within(1e-9));
    assertThat(ChangeRate.ofIrregularVisits(new double[0], 5)).isZero();
    assertThat(ChangeRate.ofIrregularVisits(new double[] {2, 2}, 0))
        .isEqualTo(ChangeRate.ofRegularVisits(2, 2, 2));
  }

  @Test
  void theLikelihoodIsHighestAtTheEstimate() {
    Random random = new Random(4);
    double[] changed = random.doubles(6, 1, 40).toArray();
    double unchanged = 75;
    double best = ChangeRate.ofIrregularVisits(changed, unchanged);
    for (double factor : new double[] {0.9, 0.99, 1.01, 1.1}) {
      assertThat(logLikelihood(changed, unchanged, best * factor))
          .isLessThan(logLikelihood(changed, unchanged, best));
    }
  }

  private static double logLikelihood(double[] changed, double unchanged, double rate) {
    double sum = -rate * unchanged;
    for (double interval : changed) {
      sum += Math.log(-Math.expm1(-rate * interval));
    }
    return sum;
  }

  @Test
  void onlyChangesAboveTheThresholdCount() {
    RecordedPage page = RecordedPage.of("a").visit(7, 0.1, 0).visit(14, 0.6, 0).visit(21, 0.6, 0);
    assertThat(ChangeRate.changes(page)).isEqualTo(2);
    assertThat(ChangeRate.changes(page, 0.3)).isEqualTo(1);
    assertThat(ChangeRate.of(page, 0.3)).isEqualTo(ChangeRate.ofRegularVisits(3, 1, 7));
    assertThat(ChangeRate.of(page, 0.9)).isZero();
    assertThat(ChangeRate.of(RecordedPage.of("b"), 0)).isZero();
  }

  /** Two visits a week apart, to a page whose words stayed. */
  private record SameWords(boolean changed) implements Visits {
    @Override
    public int size() {
      return 2;
    }

    @Override
    public Instant time(int visit) {
      return RecordedPage.day(7 * visit);
    }

    @Override
    public boolean changed(int visit) {
      return visit == 1 && changed;
    }

    @Override
    public double divergence(int from, int to) {
      return 0;
    }
  }

  @Test
  void aChangeThatIsNotOneOfWordsRaisesTheSmoothedRate() {
    assertThat(ChangeRate.smoothed(new SameWords(true), 3.5))
        .isGreaterThan(ChangeRate.smoothed(new SameWords(false), 3.5));
  }

  @Test
  void aChangeAsLargeAsTheThresholdDoesNotExceedIt() {
    // divergences 0.5 and 0.25, both exact in binary
    RecordedPage page = RecordedPage.of("a").visit(7, 0.5, 0).visit(14, 0.75, 0);
    assertThat(ChangeRate.changes(page, 0.5)).isZero();
    assertThat(ChangeRate.changes(page, 0.25)).isEqualTo(1);
    assertThat(ChangeRate.changes(page, 0.125)).isEqualTo(2);
  }

  @Test
  void visitsAreRegularWhenTheirIntervalsDifferByLessThanOnePercent() {
    // 7 and 7.05 days, one change: −ln(1.5/2.5) over the mean interval
    RecordedPage nearly = RecordedPage.of("nearly").visit(7, 0.5, 0).visit(14.05, 0.5, 0);
    assertThat(ChangeRate.of(nearly)).isCloseTo(Math.log(2.5 / 1.5) / 7.025, within(1e-9));
    // 7 days with a change, 10 without: 7/(e^(7λ) − 1) = 10, so λ = ln(1.7)/7
    RecordedPage irregular = RecordedPage.of("irregular").visit(7, 0.5, 0).visit(17, 0.5, 0);
    assertThat(ChangeRate.of(irregular)).isCloseTo(Math.log(1.7) / 7, within(1e-9));
    RecordedPage lessSo = RecordedPage.of("less so").visit(7, 0.5, 0).visit(14.125, 0.5, 0);
    assertThat(ChangeRate.of(lessSo)).isCloseTo(Math.log(1 + 7 / 7.125) / 7, within(1e-9));
  }

  @Test
  void oneVisitAfterTheFirstGivesARate() {
    assertThat(ChangeRate.of(RecordedPage.of("a").visit(7, 0.5, 0)))
        .isCloseTo(Math.log(1.5 / 0.5) / 7, within(1e-12));
    assertThat(ChangeRate.of(RecordedPage.of("b").visit(7, 0, 0))).isZero();
  }

  @Test
  void aChangeInNoTimeIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangeRate.ofIrregularVisits(new double[] {7, 0}, 3))
        .withMessage("a page changed between two visits 0.0 days apart; count them as one visit");
  }

  @Test
  void visitsThatAreNotInTheOrderOfTimeAreRefused() {
    for (double found : new double[] {1, 0.5}) { // other contents, and the same
      RecordedPage page = RecordedPage.of("a").visit(14, 0.5, 0).visit(7, found, 0);
      for (Consumer<Visits> rate : RATES) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> rate.accept(page))
            .withMessage(
                "visit 2 of a page, at 2024-01-08T00:00:00Z, must be a second or more after visit 1,"
                    + " at 2024-01-15T00:00:00Z; give visits oldest first, and those of the same"
                    + " second as one");
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangeRate.ofIrregularVisits(new double[] {7, -7}, 3))
        .withMessage(
            "an interval between two visits was -7.0 days; give visits in the order of time, oldest"
                + " first");
  }

  @Test
  void visitsOfTheSameSecondAreRefusedWhereTheyFoundDifferentContents() {
    RecordedPage other = RecordedPage.of("a").visit(7, 1, 0).visit(7, 2, 0);
    for (Consumer<Visits> rate : RATES) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> rate.accept(other))
          .withMessageStartingWith(
              "visit 2 of a page, at 2024-01-08T00:00:00Z, must be a second or more after visit 1,"
                  + " at 2024-01-08T00:00:00Z");
    }
    RecordedPage same = RecordedPage.of("a").visit(7, 1, 0).visit(7, 1, 0);
    assertThat(ChangeRate.of(same)).isPositive();
    assertThat(ChangeRate.of(RecordedPage.of("a").visit(0, 0, 0))).isZero();
  }

  @Test
  void timesWithoutEndAreRefused() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ChangeRate.ofIrregularVisits(new double[] {7, bad}, 3))
          .withMessageContaining("intervals must be finite");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ChangeRate.ofIrregularVisits(new double[] {7, 2}, bad))
          .withMessage(
              "intervals must be finite and not negative, those with a change add up to 9.0 days,"
                  + " those without to "
                  + bad);
    }
  }

  @Test
  void timesThatAreNoneAreRefusedWhereNothingChanged() {
    for (double bad : new double[] {-5, Double.NaN, Double.POSITIVE_INFINITY}) {
      for (double[] changed : new double[][] {{}, {1}}) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ChangeRate.ofIrregularVisits(changed, bad))
            .withMessageEndingWith("those without to " + bad);
      }
    }
  }

  @Test
  void intervalsAddedToARecordArePositiveAndFinite() {
    for (double bad : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> ChangeRate.smoothed(new SameWords(true), bad))
          .withMessage(
              "the intervals added to the visits must be positive and finite, were %s days"
                  .formatted(bad));
    }
  }

  @Test
  void impossibleCountsAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangeRate.ofRegularVisits(3, 4, 7))
        .withMessage(
            "visits must be 1 or more, changes 0 to visits, intervalDays positive; were 3, 4, 7.0");
    assertThatIllegalArgumentException().isThrownBy(() -> ChangeRate.ofRegularVisits(0, 0, 7));
    assertThatIllegalArgumentException().isThrownBy(() -> ChangeRate.ofRegularVisits(3, -1, 7));
    assertThatIllegalArgumentException().isThrownBy(() -> ChangeRate.ofRegularVisits(3, 1, 0));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ChangeRate.ofRegularVisits(3, 1, Double.NaN));
  }

  @Test
  void aRateOfManyChangesAnIntervalIsFound() {
    // 1/(e^λ − 1) = 10^-6, so λ = ln(1 + 10^6)
    assertThat(ChangeRate.ofIrregularVisits(new double[] {1}, 1e-6))
        .isCloseTo(Math.log1p(1e6), within(1e-9));
  }

  @Test
  void theRateIsAsExactBesideAVeryShortInterval() {
    Random random = new Random(6);
    for (int trial = 0; trial < 1000; trial++) {
      double[] changed = {Math.exp(-8 * random.nextDouble()) / 86_400, 30 * random.nextDouble()};
      double unchanged = 1000 * random.nextDouble();
      double rate = ChangeRate.ofIrregularVisits(changed, unchanged);
      assertThat(excess(changed, unchanged, rate * (1 - 1e-10))).as("%s", trial).isPositive();
      assertThat(excess(changed, unchanged, rate * (1 + 1e-10))).as("%s", trial).isNegative();
    }
  }

  /** What is 0 at the likeliest rate, and falls. */
  private static double excess(double[] changed, double unchanged, double rate) {
    double sum = -unchanged;
    for (double interval : changed) {
      sum += interval / Math.expm1(rate * interval);
    }
    return sum;
  }
}
