// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

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
  void moreWordsAFragmentMakeOneChangedWordWeighMore() {
    int[] words = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    int[] others = words.clone();
    others[5] = 99;
    // one word of ten sits in k of 11 − k fragments: 2k of 11 − k + k differ
    for (int k : new int[] {1, 2, 3, 5}) {
      assertThat(of(k, words).divergence(of(k, others))).isCloseTo(2 * k / 11.0, within(1e-12));
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(0, words))
        .withMessage("k must be at least 1, was 0");
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
}
