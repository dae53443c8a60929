// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Compares as AssertJ does, for tests that compare hundreds of thousands of numbers: it takes far
 * longer over each of them than what is tested takes to compute it, and is asked only of those that
 * differ.
 */
final class CloseNumbers {
  private CloseNumbers() {}

  /** Fails unless a number is at most so far from another; the description is a format. */
  static void assertClose(
      double actual, double expected, double tolerance, String description, Object... values) {
    boolean close = actual == expected || Math.abs(actual - expected) <= tolerance;
    if (!close) { // as NaN never is
      assertThat(actual).as(description, values).isCloseTo(expected, within(tolerance));
    }
  }

  /** Fails unless a number is another, to the last bit; the description is a format. */
  static void assertSame(double actual, double expected, String description, Object... values) {
    if (Double.compare(actual, expected) != 0) {
      assertThat(actual).as(description, values).isEqualTo(expected);
    }
  }
}
