// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class WordFactorTest {
  private final WordFactor factor = new WordFactor();

  @Test
  void nothingLearnedMeansAsUsual() {
    assertThat(factor.of(0)).isEqualTo(1);
    assertThat(factor.of(17)).isEqualTo(1);
    factor.add(17, 0, 0);
    assertThat(factor.of(17)).isEqualTo(1);
  }

  @Test
  void aClassIsShrunkTowardsUsualByFivePages() {
    for (int page = 0; page < 5; page++) {
      factor.add(20, 9, 3);
      factor.add(0, 1, 3);
    }
    assertThat(factor.of(17)).as("of the same power of four").isCloseTo(2, within(1e-6));
    assertThat(factor.of(0)).isCloseTo((5 + 15) / 30.0, within(1e-6));
    assertThat(factor.of(70)).as("another class").isEqualTo(1);
  }

  @Test
  void fivePagesAreOfWhatIsUsualOfAllPagesNotOfTheClass() {
    factor.add(20, 9, 3);
    factor.add(0, 1, 9);
    // 6 is usual in the mean, 30 of five pages; by the class alone it would be 24/18 and 46/54
    assertThat(factor.of(20)).isCloseTo((9 + 30) / (3 + 30.0), within(1e-6));
    assertThat(factor.of(0)).isCloseTo((1 + 30) / (9 + 30.0), within(1e-6));
    assertThat(factor.of(70)).as("another class").isEqualTo(1);
  }

  @Test
  void everyPowerOfFourIsAClassOfItsOwn() {
    for (int power = -6; power < 20; power++) {
      WordFactor learned = new WordFactor();
      double least = Math.pow(4, power);
      learned.add(least, 9, 3);
      double factor = learned.of(least);
      assertThat(factor).as("4^%s", power).isGreaterThan(1);
      assertThat(learned.of(3.99 * least)).as("just below 4^%s", power + 1).isEqualTo(factor);
      assertThat(learned.of(4 * least)).as("4^%s", power + 1).isEqualTo(1);
      assertThat(learned.of(0.99 * least)).as("just below 4^%s", power).isEqualTo(1);
    }
  }

  @Test
  void theLeastEvidenceIsOneClassButIsNotNone() {
    factor.add(Math.pow(4, -7), 9, 3);
    double learned = factor.of(Math.pow(4, -7));
    assertThat(learned).isGreaterThan(1);
    assertThat(factor.of(Math.pow(4, -8))).isEqualTo(learned);
    assertThat(factor.of(Double.MIN_VALUE)).isEqualTo(learned);
    assertThat(factor.of(0)).as("of none").isEqualTo(1);
  }

  @Test
  void theMostEvidenceIsOneClass() {
    factor.add(Math.pow(4, 23), 9, 3);
    double learned = factor.of(Math.pow(4, 23));
    assertThat(learned).isGreaterThan(1);
    assertThat(factor.of(Double.MAX_VALUE)).isEqualTo(learned);
    assertThat(factor.of(3.99 * Math.pow(4, 22))).as("just below").isEqualTo(1);
  }

  @Test
  void everyEvidenceHasAClassAndNoneLearnsFromAnother() {
    double[] evidences = {0, 1e-3, 1, 1e3, 1e6};
    for (int i = 0; i < evidences.length; i++) {
      factor.add(evidences[i], 10 * i, 5);
    }
    for (int i = 0; i < evidences.length; i++) {
      assertThat(factor.of(evidences[i]))
          .as("of %s", evidences[i])
          .isCloseTo((10 * i + 5 * 5) / (5 + 5 * 5.0), within(1e-6));
    }
    for (double extreme : new double[] {Double.MIN_VALUE, Double.MAX_VALUE}) {
      factor.add(extreme, 100, 1);
      assertThat(factor.of(extreme)).as("of %s", extreme).isGreaterThan(1);
    }
  }

  @Test
  void whatIsReadAndNotFiniteBeginsAnew() throws IOException {
    factor.add(3, Double.POSITIVE_INFINITY, 2);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    factor.write(new DataOutputStream(bytes));
    WordFactor read = new WordFactor();
    read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertThat(read.of(3)).isEqualTo(1);
    read.add(3, 9, 3);
    assertThat(read.of(3)).isCloseTo((9 + 5 * 3) / (3 + 5 * 3.0), within(1e-6));
  }

  @Test
  void aUsualUsefulnessThatIsReadAndNotFiniteBeginsAnew() throws IOException {
    factor.add(3, 9, 3);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    factor.write(new DataOutputStream(bytes));
    ByteBuffer written = ByteBuffer.wrap(bytes.toByteArray());
    int sum = 2 * Double.BYTES + Long.BYTES; // with its error and count
    written.putDouble(2 * sum, Double.NaN); // what is usual of the first class, the third sum
    WordFactor read = new WordFactor();
    read.read(new DataInputStream(new ByteArrayInputStream(written.array())));
    assertThat(read.of(3)).isEqualTo(1);
  }

  @Test
  void whatIsReadIsWhatWasWritten() throws IOException {
    factor.add(3, 5, 2);
    factor.add(0, 1, 2);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    factor.write(new DataOutputStream(bytes));
    WordFactor read = new WordFactor();
    read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertThat(read.of(3)).isEqualTo(factor.of(3)).isNotEqualTo(1);
    assertThat(read.of(0)).isEqualTo(factor.of(0)).isNotEqualTo(1);
  }
}
