// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
  @ParameterizedTest
  @CsvSource({
    "200, 50, 200",
    "0, 9, 0",
    "5%, 250, 13",
    "5%, 249, 12",
    "0.1%, 9, 1",
    "0%, 900, 0",
    "100%, 900, 900"
  })
  void aShareOfThePagesIsRoundedAndAtLeastOne(String budget, int pages, int refreshes) {
    assertThat(Budget.of(budget).refreshes(pages)).isEqualTo(refreshes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"many", "-1", "-0.5%", "100.5%", "2.5", "3000000000", "%", ""})
  void whatIsNeitherACountNorAShareOfThePagesIsRefusedWithWhatMayBeOne(String budget) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Budget.of(budget))
        .withMessage(
            "a budget must be a whole number (200) from 0 to 2147483647 or a percentage of the pages"
                + " (5%%) from 0 to 100, was '%s'",
            budget);
  }

  @Test
  void budgetsAreTheSameByTheirNumberAndNotByHowItIsWritten() {
    Budget five = Budget.of("5%");
    assertThat(five.isSame(Budget.of(" 5.0 %"))).isTrue();
    assertThat(five.isSame(Budget.of("5"))).isFalse();
    assertThat(five.isSame(Budget.of("6%"))).isFalse();
  }
}
