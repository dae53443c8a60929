// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UtcTimeTest {
  @ParameterizedTest
  @CsvSource({
    "2024-01-01T00:00:00Z, 2024-01-01T00:00:00.000Z",
    "2024-12-31T23:59:59.5Z, 2024-12-31T23:59:59.500Z",
    "2024-12-31T23:59:59.999999999Z, 2024-12-31T23:59:59.999Z",
    "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999Z",
    "0001-01-01T01:02:03.004005Z, 0001-01-01T01:02:03.004Z",
    "9999-12-31T23:59:59Z, 9999-12-31T23:59:59.000Z",
    "+10000-01-01T00:00:00Z, +10000-01-01T00:00:00.000Z"
  })
  void everyTimeHasThreeDecimals(Instant time, String text) {
    assertThat(UtcTime.of(time)).isEqualTo(text);
    assertThat(Instant.parse(text).toEpochMilli()).isEqualTo(time.toEpochMilli());
  }

  @Test
  void theFirstAndTheLastTimeThereCanBeHaveAText() {
    assertThat(UtcTime.of(Instant.MAX)).isEqualTo("+1000000000-12-31T23:59:59.999Z");
    assertThat(UtcTime.of(Instant.MIN)).isEqualTo("-1000000000-01-01T00:00:00.000Z");
  }
}
