// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MinHashesTest {
  private static final int TRIALS = 3000;

  private static Fragments of(int... words) {
    return Fragments.of(words, words.length, 1);
  }

  /** The measured error, its mean and its root mean square, against sqrt(D(1 − D)/m). */
  @ParameterizedTest
  @CsvSource({"4, 60", "8, 10", "8, 60", "8, 150", "16, 60", "64, 60"})
  void summariesEstimateWithoutBiasAndWithTheStatedError(int m, int changedWords) {
    Random random = new Random(6L * m + changedWords);
    double sum = 0;
    double squares = 0;
    double exact = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
      int[] words = random.ints(200).toArray();
      int[] others = words.clone();
      for (int i = 0; i < changedWords; i++) {
        others[i] = random.nextInt();
      }
      Fragments a = of(words);
      Fragments b = of(others);
      exact = a.divergence(b);
      double error = a.smallest(m).divergence(b.smallest(m)) - exact;
      sum += error;
      squares += error * error;
    }
    // drawn without replacement from the union: a little better than the binomial error
    int union = 200 + changedWords;
    double standardError = Math.sqrt(exact * (1 - exact) / m * (union - m) / (union - 1));
    assertThat(sum / TRIALS).isCloseTo(0, within(4 * standardError / Math.sqrt(TRIALS)));
    assertThat(Math.sqrt(squares / TRIALS)).isCloseTo(standardError, within(0.08 * standardError));
  }

  @Test
  void theSampleIsTheSmallestOfTheUnion() {
    Fragments a = of(1, 2, 3, 4, 5, 6);
    Fragments b = of(4, 5, 6, 7, 8, 9);
    long[] union = new long[9];
    int n = 0;
    for (int word = 1; word <= 9; word++) {
      union[n++] = of(word).hash(0);
    }
    Arrays.sort(union);
    int shared = 0;
    for (int i = 0; i < 4; i++) {
      shared += a.contains(union[i]) && b.contains(union[i]) ? 1 : 0;
    }
    assertThat(a.smallest(4).divergence(b.smallest(4))).isEqualTo(1 - shared / 4.0);
  }

  @Test
  void aSummaryOfEverythingIsExact() {
    Fragments a = of(1, 2, 3);
    Fragments b = of(2, 3, 4, 5);
    assertThat(a.smallest(100).divergence(b.smallest(100))).isEqualTo(a.divergence(b));
  }

  @Test
  void emptyVersionsAreAlikeAndDifferFromAllOthers() {
    assertThat(of().smallest(8).divergence(of().smallest(8))).isZero();
    assertThat(of().smallest(8).divergence(of(1).smallest(8))).isEqualTo(1);
    assertThat(of(1).smallest(8).divergence(of().smallest(8))).isEqualTo(1);
  }

  @Test
  void oneHashIsASummary() {
    Fragments a = of(1, 2, 3);
    assertThat(a.smallest(1).divergence(a.smallest(1))).isZero();
  }

  @Test
  void summariesOfDifferentSizesAreNotComparable() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(1).smallest(4).divergence(of(1).smallest(8)))
        .withMessage(
            "summaries of 4 and 8 hashes cannot be compared; summarise both with the same m");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(1).smallest(0))
        .withMessage("m must be at least 1, was 0");
  }
}
