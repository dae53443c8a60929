// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class StableSumTest {
  @Test
  void sumsOfAnyMagnitudeHaveSevenDigits() {
    for (int order = -300; order <= 300; order += 10) {
      StableSum sum = new StableSum();
      double addend = Math.pow(10, order) / 3;
      for (int i = 0; i < 5; i++) {
        sum.add(addend);
      }
      assertThat(sum.value() / (5 * addend)).as("order %s", order).isCloseTo(1, within(1e-7));
      assertThat(sum.mean() / addend).as("order %s", order).isCloseTo(1, within(1e-7));
    }
  }

  @Test
  void smallAddendsAreNotLostBesideLargeOnesThatCancel() {
    StableSum sum = new StableSum();
    for (double addend : new double[] {1, 1e100, 1, -1e100}) {
      sum.add(addend);
    }
    assertThat(sum.value()).isEqualTo(2);
    assertThat(sum.mean()).isEqualTo(0.5);
  }

  @Test
  void ofNothingSumAndMeanAreZero() {
    assertThat(new StableSum().value()).isZero();
    assertThat(new StableSum().mean()).isZero();
  }

  @Test
  void inTheRangeOfFloatsASumIsTheNearestFloat() {
    for (double value : new double[] {0, 1 / 3.0, -1e30 / 7, 1e-37 / 9, Float.MAX_VALUE}) {
      StableSum sum = new StableSum();
      sum.add(value);
      assertThat(sum.value()).isEqualTo((float) value);
    }
  }

  private static StableSum of(double... addends) {
    StableSum sum = new StableSum();
    for (double addend : addends) {
      sum.add(addend);
    }
    return sum;
  }

  @Test
  void whatIsTakenAwayIsNotCountedAnyMore() {
    StableSum sum = of(3, 5, 7);
    sum.replace(5, 0, -1);
    assertThat(sum.value()).isEqualTo(10);
    assertThat(sum.mean()).isEqualTo(5);
    sum.replace(0, 2, 1);
    assertThat(sum.mean()).isEqualTo(4);
    sum.replace(7, 1, 0);
    assertThat(sum.mean()).isEqualTo(2);
  }

  @Test
  void aSmallNumberInThePlaceOfALargeOneIsNotLost() {
    StableSum sum = of(3, 1e16);
    sum.replace(1e16, 0.1, 0);
    assertThat(sum.value()).isCloseTo(3.1, within(1e-6));
    assertThat(sum.mean()).isCloseTo(1.55, within(1e-6));
  }

  @Test
  void withoutANumberASumIsThatOfTheOthersAndStaysAsItWas() {
    StableSum sum = of(0.1, 1e100, 0.2, 7);
    assertThat(sum.valueWithout(1e100)).isCloseTo(7.3, within(1e-6));
    assertThat(sum.meanWithout(1e100)).isCloseTo(7.3 / 3, within(1e-6));
    assertThat(sum.value() / 1e100).isCloseTo(1, within(1e-7));
    assertThat(of(0.1).valueWithout(0.1)).isZero();
    assertThat(of(0.1).meanWithout(0.1)).isZero();
  }

  /** Neither rounding errors that are carried along nor the count. */
  @Test
  void oneThatWasWrittenAndReadHasLostNothing() throws IOException {
    StableSum sum = of(1, 1e100, 1);
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    sum.write(new DataOutputStream(written));
    StableSum read = of(4711);
    read.read(new DataInputStream(new ByteArrayInputStream(written.toByteArray())));
    read.add(-1e100);
    assertThat(read.value()).isEqualTo(2);
    assertThat(read.mean()).isEqualTo(0.5);
    assertThat(sum.value() / 1e100).as("independent of it").isCloseTo(1, within(1e-7));
  }

  @Test
  void aSumIsFiniteWhileItsAddendsAndItselfAre() {
    assertThat(of(1e308, -1e308, 1e308).isFinite()).isTrue();
    assertThat(of(1e308, 1e308).isFinite()).isFalse();
    for (double addend : new double[] {Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThat(of(1, addend, 1).isFinite()).isFalse();
    }
  }

  @Test
  void ofWhatIsForgottenNothingIsLeft() {
    StableSum sum = of(1, 1e100, 1);
    sum.clear();
    sum.add(3);
    assertThat(sum.value()).isEqualTo(3);
    assertThat(sum.mean()).isEqualTo(3);
  }
}
