// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class EstimateAgreementTest {
  @Test
  void onlyRefreshesThatAreSaidToChangeSomethingOrDoCount() {
    EstimateAgreement agreement =
        EstimateAgreement.of(new double[] {0, 1, 2, 0, -1}, new double[] {0, 2, 4, 1, 1});
    assertThat(agreement.refreshes()).isEqualTo(4);
    assertThat(agreement.negative()).isEqualTo(1);
    assertThat(agreement.bias()).isEqualTo(2 / 8.0);
    // ranks 3, 4, 2, 1 and 3, 4, 1.5, 1.5: 4.5 / √(5 · 4.5)
    assertThat(agreement.spearman()).isCloseTo(Math.sqrt(0.9), within(1e-12));
  }

  @Test
  void whatIsRoundingIsNoChange() {
    EstimateAgreement agreement =
        EstimateAgreement.of(
            new double[] {1e-13, -1e-13, 1, -1e-13}, new double[] {-1e-13, 1e-13, 2, 3});
    assertThat(agreement.refreshes()).isEqualTo(2);
    assertThat(agreement.negative()).isZero();
  }

  @Test
  void whereThereIsNothingToCompareTheAgreementIsNoNumber() {
    EstimateAgreement none = EstimateAgreement.of(new double[] {0}, new double[] {0});
    assertThat(none.refreshes()).isZero();
    assertThat(none.spearman()).isNaN();
    assertThat(none.bias()).isNaN();
    assertThat(EstimateAgreement.of(new double[] {3}, new double[] {0}).bias()).isNaN();
    assertThat(EstimateAgreement.of(new double[] {3}, new double[] {2}).spearman()).isNaN();
    double[] equal = {3, 3, 3};
    assertThat(EstimateAgreement.of(equal, new double[] {1, 2, 3}).spearman()).isNaN();
    assertThat(EstimateAgreement.of(new double[] {1, 5}, new double[] {1, 2}).spearman())
        .as("two are enough")
        .isCloseTo(1, within(1e-12));
  }

  @Test
  void everyEstimateNeedsAnExactChange() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EstimateAgreement.of(new double[2], new double[3]))
        .withMessage("every estimate needs an exact change, got 2 and 3");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EstimateAgreement.of(new double[] {1, 2}, new double[] {3, Double.NaN}))
        .withMessage(
            "estimates and exact changes must be numbers, were 2.0 and NaN at refresh 1 of 2");
    assertThatIllegalArgumentException()
        .as("it would not count")
        .isThrownBy(() -> EstimateAgreement.of(new double[] {Double.NaN}, new double[1]));
  }
}
