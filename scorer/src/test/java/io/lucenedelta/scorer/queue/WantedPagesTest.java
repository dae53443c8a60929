// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many pages are gone through for a batch of wanted ones. */
class WantedPagesTest {
  private static final int ALL = 200_000;

  private final List<Integer> lookedUp = new ArrayList<>(); // how many, each time
  private int asked;

  private List<String> first(WantedPages wanted, int count, int begun) {
    return wanted.first(count, begun, Set.of(), Function.identity(), this::best);
  }

  /** Pages are named by their places, from 1. */
  private List<String> best(int count) {
    lookedUp.add(count);
    return IntStream.rangeClosed(1, Math.min(count, ALL)).mapToObj(Integer::toString).toList();
  }

  private WantedPages wanting(String wanted) {
    return WantedPages.of(
        page -> {
          asked++;
          return page.equals(wanted);
        });
  }

  @Test
  void noMoreThan131072PagesAreGoneThroughForABatchOfFewer() {
    assertThat(first(wanting("none"), 10, 0)).isEmpty();
    assertThat(asked).as("each page once").isEqualTo(131_072);
    assertThat(Collections.max(lookedUp)).isEqualTo(131_072);
    assertThat(first(wanting("131072"), 10, 0)).containsExactly("131072");
    assertThat(first(wanting("131073"), 10, 0)).isEmpty();
  }

  @Test
  void asManyAreGoneThroughAsABatchIsToHaveIfThatIsMore() {
    assertThat(first(wanting("150000"), 150_000, 0)).containsExactly("150000");
    assertThat(asked).isEqualTo(150_000);
    assertThat(lookedUp).containsExactly(150_000);
    assertThat(first(wanting("150001"), 150_000, 0)).isEmpty();
  }

  @Test
  void asManyAreLookedUpAtOnceAsTheLastBatchTookAndNoMoreThanAreGoneThrough() {
    WantedPages wanted = wanting("5000");
    assertThat(first(wanted, 1, 0)).containsExactly("5000");
    assertThat(wanted.passed()).isEqualTo(5_000);
    lookedUp.clear();
    assertThat(first(wanting("5000"), 1, wanted.passed())).containsExactly("5000");
    assertThat(lookedUp).hasSize(1).allMatch(pages -> pages >= 5_000);
    lookedUp.clear();
    assertThat(first(wanting("none"), 10, ALL)).isEmpty();
    assertThat(lookedUp).containsExactly(131_072);
  }
}
