// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScoreListTest {
  @Test
  void everyScoreIsKeptHoweverManyThereAre() {
    ScoreList list = new ScoreList();
    for (int round = 0; round < 2; round++) {
      list.clear();
      for (int i = 0; i < 5000; i++) {
        list.add(i);
      }
      int from = list.grow(3000);
      assertThat(from).isEqualTo(5000);
      assertThat(list.length()).isEqualTo(8000);
      for (int i = 0; i < 5000; i++) {
        assertThat(list.values()[i]).isEqualTo(i);
      }
    }
  }
}
