// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RankAgeTest {
  @Test
  void rankFunctionsAreDueAtFirstAndWhenATenthOfThePagesHasChanged() {
    RankAge age = RankAge.byChanges();
    assertThat(age.due(50)).isTrue();
    assertThat(age.due(50)).isFalse();
    change(age, 4);
    assertThat(age.due(50)).isFalse();
    change(age, 1);
    assertThat(age.due(51)).isFalse();
    assertThat(age.due(50)).isTrue();
    change(age, 4);
    assertThat(age.due(50)).isFalse();
  }

  @Test
  void thoseThatAreBuiltOnceAreDueOnce() {
    RankAge age = RankAge.once();
    assertThat(age.due(50)).isTrue();
    change(age, 500);
    assertThat(age.due(50)).isFalse();
  }

  /** Where the first snapshot has no page: rank functions of nothing would serve for long. */
  @Test
  void noneAreDueBeforeThereIsAPage() {
    RankAge changing = RankAge.byChanges();
    RankAge once = RankAge.once();
    assertThat(changing.due(0)).isFalse();
    assertThat(once.due(0)).isFalse();
    assertThat(changing.due(50)).isTrue();
    assertThat(once.due(50)).isTrue();
  }

  private static void change(RankAge age, int times) {
    for (int i = 0; i < times; i++) {
      age.changed();
    }
  }
}
