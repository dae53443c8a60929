// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WeekRangeTest {
  @Test
  void bothEndsAreIncludedAndOneWeekIsARange() {
    assertThat(WeekRange.of("3-7", 8)).isEqualTo(new WeekRange(3, 7));
    assertThat(WeekRange.of("5", 8)).isEqualTo(new WeekRange(5, 5));
  }

  @ParameterizedTest
  @CsvSource({
    "first, is not a range such as 0-12",
    "7-3, runs backwards: name the earlier week first",
    "3-8, does not lie within the crawl's weeks 0-7"
  })
  void whatIsNoRangeOfTheCrawlIsToldWhy(String range, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> WeekRange.of(range, 8))
        .withMessageContainingAll(range, why);
  }
}
