// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.divergence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class FragmentChangeTest {
  private static long[] hashes(Fragments fragments) {
    long[] hashes = new long[fragments.size()];
    for (int i = 0; i < hashes.length; i++) {
      hashes[i] = fragments.hash(i);
    }
    return hashes;
  }

  private static Fragments of(int... words) {
    return Fragments.of(words, words.length, 1);
  }

  private static void leadsThere(Fragments from, Fragments to) {
    assertThat(hashes(FragmentChange.between(from, to).from(from))).isEqualTo(hashes(to));
  }

  @Test
  void leadsFromOneVersionToAnother() {
    leadsThere(of(1, 2, 3), of(2, 3, 4));
    leadsThere(of(1, 2, 3), of(1, 2, 3));
    leadsThere(of(1, 2, 3), of(4, 5, 6, 7));
    leadsThere(of(1, 2, 3), of(3));
  }

  /** Kept as bits, not as hashes: so it comes from whatever version is given. */
  @Test
  void whatBothVersionsHaveIsTakenFromTheOne() {
    Fragments version = of(1, 2, 3);
    Fragments other = of(4, 5, 6);
    assertThat(hashes(FragmentChange.between(version, version).from(other)))
        .isEqualTo(hashes(other));
  }

  @Test
  void leadsFromAndToNothing() {
    leadsThere(of(), of(1, 2));
    leadsThere(of(1, 2), of());
    leadsThere(of(), of());
  }

  @Test
  void leadsBetweenAnyVersions() {
    Random random = new Random(5);
    for (int round = 0; round < 500; round++) {
      int words = 1 + random.nextInt(200);
      leadsThere(
          of(random.ints(random.nextInt(150), 0, words).toArray()),
          of(random.ints(random.nextInt(150), 0, words).toArray()));
    }
  }
}
