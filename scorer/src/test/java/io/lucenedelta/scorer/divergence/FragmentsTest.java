// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FragmentsTest {
  private static Fragments of(int k, int... words) {
    return Fragments.of(words, words.length, k);
  }

  @Test
  void divergenceIsTheShareOfTheUnionThatIsNotShared() {
    // pairs 12 23 34 against 12 23 35: two shared of four
    assertThat(of(2, 1, 2, 3, 4).divergence(of(2, 1, 2, 3, 5))).isEqualTo(0.5);
    assertThat(of(2, 1, 2, 3, 4).divergence(of(2, 1, 2, 3, 4))).isZero();
    assertThat(of(2, 1, 2, 3).divergence(of(2, 7, 8, 9))).isEqualTo(1);
    assertThat(of(1, 1, 2, 3, 4).divergence(of(1, 4, 3, 2, 1))).isZero();
  }

  @Test
  void orderOfWordsMattersWithinAFragment() {
    assertThat(of(2, 1, 2).divergence(of(2, 2, 1))).isEqualTo(1);
  }

  @Test
  void shortAndEmptyTextsHaveFragmentsToo() {
    assertThat(of(5, 1, 2).size()).isEqualTo(1);
    assertThat(of(5).size()).isZero();
    assertThat(of(5).divergence(of(5))).isZero();
    assertThat(of(5).divergence(of(5, 1))).isEqualTo(1);
  }

  @Test
  void repeatedFragmentsCountOnce() {
    assertThat(of(1, 3, 3, 3, 4).size()).isEqualTo(2);
  }

  @Test
  void hashesAreTheSameOnEveryMachine() {
    assertThat(of(2, 1, 2).hash(0)).isEqualTo(of(2, 1, 2).hash(0));
    assertThat(of(2, 1, 2).contains(of(2, 1, 2).hash(0))).isTrue();
    assertThat(of(1, 7).hash(0)).isEqualTo(GOLDEN);
  }

  /** Written down once: a change would make stored summaries incomparable. */
  private static final long GOLDEN = -5699962986808845527L;

  @Test
  void summariesEstimateWithoutBiasAndWithTheStatedError() {
    Random random = new Random(6);
    int trials = 3000;
    double sum = 0;
    double squares = 0;
    double exact = 0;
    for (int trial = 0; trial < trials; trial++) {
      int[] words = random.ints(200).toArray();
      int[] others = words.clone();
      for (int i = 0; i < 60; i++) {
        others[i] = random.nextInt();
      }
      Fragments a = of(1, words);
      Fragments b = of(1, others);
      exact = a.divergence(b);
      double error = a.smallest(8).divergence(b.smallest(8)) - exact;
      sum += error;
      squares += error * error;
    }
    double standardError = Math.sqrt(exact * (1 - exact) / 8);
    assertThat(sum / trials).isCloseTo(0, within(4 * standardError / Math.sqrt(trials)));
    assertThat(Math.sqrt(squares / trials)).isCloseTo(standardError, within(0.1 * standardError));
  }

  @Test
  void aSummaryOfEverythingIsExact() {
    Fragments a = of(1, 1, 2, 3);
    Fragments b = of(1, 2, 3, 4, 5);
    assertThat(a.smallest(100).divergence(b.smallest(100))).isEqualTo(a.divergence(b));
    assertThat(a.smallest(2).bytes()).isEqualTo(16);
    assertThat(a.smallest(8).smallest(2).divergence(b.smallest(2)))
        .isEqualTo(a.smallest(2).divergence(b.smallest(2)));
  }

  @Test
  void summariesOfDifferentSizesAreNotComparable() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(1, 1).smallest(4).divergence(of(1, 1).smallest(8)))
        .withMessage("summaries of 4 and 8 hashes");
  }
}
