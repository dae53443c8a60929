// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TuningTest {
  @Test
  void eachSettingIsChangedByItself() {
    Tuning tuning = Tuning.USUAL.withAll(true).withTaus(List.of(0.0, 1.0)).withFragmentWords(1);
    assertThat(tuning).isEqualTo(new Tuning(true, List.of(0.0, 1.0), 1));
    assertThat(tuning.withAll(false)).isEqualTo(new Tuning(false, List.of(0.0, 1.0), 1));
    assertThat(Tuning.USUAL).isEqualTo(new Tuning(false, Tuning.USUAL.taus(), 5));
    assertThat(Tuning.USUAL.taus()).hasSize(11).startsWith(0.0, 0.1).endsWith(0.9, 1.0);
  }

  @Test
  void whoChangesTheListOfThresholdsChangesNoTuning() {
    List<Double> taus = new ArrayList<>(List.of(0.5));
    Tuning tuning = Tuning.USUAL.withTaus(taus);
    taus.add(2.0);
    assertThat(tuning.taus()).containsExactly(0.5);
  }

  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN})
  void thresholdsAreShares(double tau) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuning.USUAL.withTaus(List.of(0.5, tau)))
        .withMessage("tau must lie between 0 and 1, was " + tau);
  }

  @Test
  void noThresholdAndNoWordAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuning.USUAL.withTaus(List.of()))
        .withMessage("no tau is given: name at least one from 0 to 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tuning.USUAL.withFragmentWords(0))
        .withMessage("fragment-words must be at least 1, was 0");
  }
}
