// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgreementTest {
  @Test
  void estimatesInTheTrueOrderAgreePerfectlyWhateverTheirScale() {
    List<Measurement> measurements = new ArrayList<>();
    for (int page = 0; page < 40; page++) {
      measurements.add(new Measurement(1, "p" + page, 7, 3 * page * page, page));
    }
    Agreement agreement = Agreement.of(measurements);
    assertThat(agreement.refreshes()).isEqualTo(39); // page 0 moved nothing
    assertThat(agreement.spearman()).isCloseTo(1, within(1e-12));
    assertThat(agreement.topShare()).isCloseTo(1, within(1e-12));
    assertThat(agreement.negative()).isZero();
  }

  @Test
  void estimatesInTheWrongOrderAreFoundOut() {
    List<Measurement> measurements = new ArrayList<>();
    for (int page = 1; page <= 40; page++) {
      measurements.add(new Measurement(1, "p" + page, 7, -page, page));
    }
    Agreement agreement = Agreement.of(measurements);
    assertThat(agreement.spearman()).isCloseTo(-1, within(1e-12));
    assertThat(agreement.negative()).isEqualTo(40);
    assertThat(agreement.bias()).isCloseTo(-1, within(1e-12));
    assertThat(agreement.topShare()).isCloseTo(3.0 / 79, within(1e-12));
  }

  @Test
  void refreshesOfOnePageAreAddedUpBeforePagesAreCompared() {
    List<Measurement> measurements =
        List.of(
            new Measurement(1, "often", 7, 2, 2),
            new Measurement(2, "often", 7, 2, 2),
            new Measurement(1, "once", 7, 3, 3));
    assertThat(Agreement.of(measurements).topShare()).isEqualTo(1);
    assertThat(Agreement.of(measurements).sentence()).startsWith("Over 3 audited refreshes");
  }

  @Test
  void theFirstPagesAreOfThoseThatMovedAResult() {
    List<Measurement> measurements = new ArrayList<>();
    for (int page = 1; page <= 20; page++) { // of which one is the first 5 %
      measurements.add(new Measurement(1, "p" + page, 7, -page, page));
    }
    for (int page = 21; page <= 400; page++) {
      measurements.add(new Measurement(1, "p" + page, 7, 0, 0));
    }
    assertThat(Agreement.of(measurements).topShare()).isCloseTo(1.0 / 20, within(1e-12));
  }

  @Test
  void whereNoPageGainedThereIsNoShareOfAGain() {
    List<Measurement> measurements =
        List.of(new Measurement(1, "worse", 7, 5, -1), new Measurement(1, "same", 7, 1, 0));
    assertThat(Agreement.of(measurements).topShare()).isNaN();
  }

  @Test
  void nothingMeasuredIsNoAgreement() {
    assertThat(Agreement.of(List.of()).spearman()).isNaN();
    assertThat(Agreement.of(List.of()).topShare()).isNaN();
    assertThat(Agreement.of(List.of()).sentence())
        .isEqualTo(
            "No audited refresh moved a result: too few to compare the estimate with the exact"
                + " change.");
    assertThat(Agreement.of(List.of(new Measurement(1, "p", 7, 1, 1))).sentence())
        .startsWith("Only one audited refresh moved a result: too few");
  }

  @Test
  void whatIsNotKnownIsADashForPeople() {
    List<Measurement> nothingGained =
        List.of(new Measurement(1, "a", 7, 1, 0), new Measurement(1, "b", 7, 2, 0));
    assertThat(Agreement.of(nothingGained).sentence())
        .contains("hold — of what", "its sum is — times")
        .doesNotContain("NaN");
  }
}
