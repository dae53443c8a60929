// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LengthOfTimeTest {
  @ParameterizedTest
  @CsvSource({
    "PT168H, 7.0 days",
    "PT24H, 1.0 days",
    "PT12H, 12.0 hours",
    "PT1H12M, 1.2 hours",
    "PT10M, 10.0 minutes",
    "PT1S, 1.0 seconds",
    "PT0.25S, 0.3 seconds",
    "PT211392H, 8808.0 days"
  })
  void aLengthIsToldInTheLargestUnitThatItHasOneOf(Duration length, String words) {
    assertThat(LengthOfTime.of(length)).isEqualTo(words);
  }
}
