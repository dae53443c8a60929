// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class QuerySelectionTest {
  private final Workload all =
      Workload.builder()
          .add(List.of("red", "fox"), 50)
          .add(List.of("fox"), 30)
          .add(List.of("red", "hen"), 15)
          .add(List.of("blue", "hen"), 5)
          .build();

  @Test
  void theMostFrequentQueriesAreTakenUntilTheShareIsCovered() {
    QuerySelection selection = QuerySelection.of(all, 0.8, 100);
    assertThat(selection.taken()).isEqualTo(2);
    assertThat(selection.coverage()).isCloseTo(0.8, within(1e-12));
    assertThat(frequencies(selection.measured()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("fox red", 50.0, "fox", 30.0, "hen", 20.0, "red", 15.0, "blue", 5.0));
  }

  @Test
  void theLimitStopsBeforeTheShareIsCovered() {
    QuerySelection selection = QuerySelection.of(all, 1, 1);
    assertThat(selection.taken()).isEqualTo(1);
    assertThat(selection.coverage()).isCloseTo(0.5, within(1e-12));
    assertThat(frequencies(selection.measured()))
        .containsEntry("fox red", 50.0)
        .containsEntry("fox", 30.0)
        .containsEntry("hen", 20.0)
        .doesNotContainKey("hen red");
  }

  @Test
  void aLimitOfNothingIsTheSingleTermWorkload() {
    QuerySelection selection = QuerySelection.of(all, 1, 0);
    assertThat(frequencies(selection.measured())).isEqualTo(frequencies(all.singleTerm()));
    assertThat(selection.coverage()).isZero();
  }

  @Test
  void theWholeShareWithoutALimitIsTheWholeWorkload() {
    QuerySelection selection = QuerySelection.of(all, 1, Integer.MAX_VALUE);
    assertThat(frequencies(selection.measured())).isEqualTo(frequencies(all));
    assertThat(selection.coverage()).isEqualTo(1);
    assertThat(selection.measured().queryText(0)).as("as asked").isEqualTo("red fox");
  }

  /** Beside 1e16 a 1 is lost, and the first query alone seems to be the whole volume. */
  @Test
  void theWholeShareIsEveryQueryHoweverLittleTheLastOnesWeigh() {
    Workload uneven = Workload.builder().add(List.of("red"), 1e16).add(List.of("fox"), 1).build();
    assertThat(QuerySelection.of(uneven, 1, 2).taken()).isEqualTo(2);
    assertThat(QuerySelection.of(uneven, 0.99, 2).taken()).isEqualTo(1);
  }

  @Test
  void termNumbersStayWhateverIsTaken() {
    for (int limit = 0; limit <= all.queryCount(); limit++) {
      Workload measured = QuerySelection.of(all, 1, limit).measured();
      assertThat(measured.termCount()).isEqualTo(all.termCount());
      for (int term = 0; term < all.termCount(); term++) {
        assertThat(measured.term(term)).isEqualTo(all.term(term));
      }
    }
  }

  @Test
  void anEmptyWorkloadIsCoveredByNothing() {
    QuerySelection selection = QuerySelection.of(Workload.builder().build(), 0.9, 10);
    assertThat(selection.taken()).isZero();
    assertThat(selection.coverage()).isEqualTo(1);
  }

  @Test
  void ofNoShareOfTheVolumeNothingIsTaken() {
    QuerySelection selection = QuerySelection.of(all, 0, 100);
    assertThat(selection.taken()).isZero();
    assertThat(selection.coverage()).isZero();
  }

  @Test
  void sharesAndLimitsOutOfRangeAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuerySelection.of(all, 1.5, 3))
        .withMessage("the share must be between 0 and 1, was 1.5");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> QuerySelection.of(all, 0.5, -1))
        .withMessage("the limit must not be negative, was -1");
  }

  private static Map<String, Double> frequencies(Workload workload) {
    Map<String, Double> frequencies = new TreeMap<>();
    for (int query = 0; query < workload.queryCount(); query++) {
      frequencies.put(String.join(" ", workload.queryTerms(query)), workload.frequency(query));
    }
    return frequencies;
  }
}
