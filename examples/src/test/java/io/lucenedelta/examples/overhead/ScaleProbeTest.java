// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ScaleProbeTest {
  /** Or the segments would be gone before anything is counted. */
  @Test
  void whereSegmentsVaryNoBatchReplacesMoreThanATenthOfThePages() {
    assertThat(ScaleProbe.batch(10_000, 50)).isEqualTo(1_000);
    assertThat(ScaleProbe.batch(1_000_000, 1)).isEqualTo(10_000);
    assertThat(ScaleProbe.batch(5, 1)).isEqualTo(1);
    assertThat(ScaleProbe.batch(10_000, 0)).isEqualTo(10_000);
    assertThat(ScaleProbe.batch(70, 0)).isEqualTo(70);
  }

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
