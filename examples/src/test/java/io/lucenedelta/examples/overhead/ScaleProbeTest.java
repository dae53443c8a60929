// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScaleProbeTest {
  @Test
  void everyRoundChangesOtherPagesAsLongAsThereAreAny() {
    Set<Long> changed = new HashSet<>();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 70; i++) {
        changed.add(ScaleProbe.page(i, 399, 70, round));
      }
      assertThat(changed).as("after round %d", round).hasSize(70 * (round + 1));
    }
    assertThat(changed).allMatch(page -> page >= 0 && page < 399);
  }

  @Test
  void aBatchOfAllPagesChangesEachOnceInEveryRound() {
    for (int round = 0; round < 3; round++) {
      Set<Long> changed = new HashSet<>();
      for (int i = 0; i < 70; i++) {
        changed.add(ScaleProbe.page(i, 70, 70, round));
      }
      assertThat(changed).hasSize(70).allMatch(page -> page >= 0 && page < 70);
    }
  }
}
