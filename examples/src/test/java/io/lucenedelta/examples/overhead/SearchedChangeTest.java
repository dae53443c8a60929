// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SearchedChangeTest {
  @Test
  void pagesAreSampledFromTheWholeBatchAndNoneTwice() {
    assertThat(SearchedChange.sample(1710))
        .hasSize(20)
        .doesNotHaveDuplicates()
        .startsWith(0, 85, 171)
        .endsWith(1624);
    assertThat(SearchedChange.sample(3)).containsExactly(0, 1, 2);
  }
}
