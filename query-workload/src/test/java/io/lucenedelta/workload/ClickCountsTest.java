// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ClickCountsTest {
  @Test
  void clicksAreCountedWhereTheyFallHoweverDeep() {
    ClickCounts clicks = new ClickCounts();
    for (int rank : new int[] {1, 1, 15, 16, 16, 16, 700}) {
      clicks.add(rank);
    }
    assertThat(clicks.at(1)).isEqualTo(2);
    assertThat(clicks.at(2)).isZero();
    assertThat(clicks.at(15)).isEqualTo(1);
    assertThat(clicks.at(16)).isEqualTo(3);
    assertThat(clicks.at(700)).isEqualTo(1);
    assertThat(clicks.at(ClickCounts.DEEPEST_RANK)).isZero();
    assertThat(clicks.total()).isEqualTo(7);
    assertThat(clicks.clickedRanks()).isEqualTo(4);
    assertThat(clicks.deepestRank()).isEqualTo(700);
  }

  @Test
  void nobodyLooksBeyondTheDeepestRank() {
    ClickCounts clicks = new ClickCounts();
    clicks.add(ClickCounts.DEEPEST_RANK);
    clicks.add(Integer.MAX_VALUE);
    assertThat(clicks.at(ClickCounts.DEEPEST_RANK)).isEqualTo(2);
    assertThat(clicks.deepestRank()).isEqualTo(ClickCounts.DEEPEST_RANK);
  }

  @Test
  void severalClicksCanBeAddedAtOnceButNotNone() {
    ClickCounts clicks = new ClickCounts();
    clicks.add(3, 5_000_000_000L);
    clicks.add(3);
    assertThat(clicks.at(3)).isEqualTo(5_000_000_001L);
    assertThat(clicks.total()).isEqualTo(5_000_000_001L);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> clicks.add(3, 0))
        .withMessage("clicks to add must be at least 1, were 0");
  }

  @Test
  void ranksStartAtOne() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ClickCounts().add(0))
        .withMessage("rank must be at least 1, was 0");
    assertThat(new ClickCounts().deepestRank()).isZero();
    assertThat(new ClickCounts().clickedRanks()).isZero();
    assertThat(new ClickCounts().at(16)).isZero();
  }
}
