// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.lucenedelta.scorer.rank.KnotSample;
import io.lucenedelta.scorer.rank.OnHeapRankTable;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WordEvidenceTest {
  private static final Workload QUERIES =
      Workload.builder()
          .add(List.of("budget", "travel"), 10)
          .add(List.of("travel"), 6)
          .add(List.of("wine"), 3)
          .build();

  /** By first score and number of results of each query; "travel" is in more pages than others. */
  private static double evidence(String... words) {
    OnHeapRankTable.Builder table = OnHeapRankTable.builder(QUERIES.queryCount());
    for (int query = 0; query < QUERIES.queryCount(); query++) {
      float[] scores =
          switch (QUERIES.queryText(query)) {
            case "budget travel" -> new float[] {8, 4};
            case "travel" -> new float[] {3, 2, 1};
            default -> new float[0];
          };
      table.put(query, KnotSample.of(scores, scores.length));
    }
    int[] pages = new int[QUERIES.termCount()];
    pages[QUERIES.termNumber("budget")] = 2;
    pages[QUERIES.termNumber("travel")] = 3;
    int[] terms = Arrays.stream(words).mapToInt(QUERIES::termNumber).sorted().toArray();
    return new WordEvidence(QUERIES, QueriesByTerm.of(QUERIES, pages), table.build()).of(terms);
  }

  @Test
  void aQueryCountsByWhatEachPageInItsResultGets() {
    assertThat(evidence("travel")).isCloseTo(6 * 3.0 / 3, within(1e-5));
    assertThat(evidence("budget", "travel")).isCloseTo(10 * 8.0 / 2 + 6 * 3.0 / 3, within(1e-4));
  }

  @Test
  void aQueryOfWhichTheRarestTermIsThereCountsInPart() {
    assertThat(evidence("budget")).isCloseTo(10 * 0.25 * 8 / 2, within(1e-4));
  }

  @Test
  void wordsThatNobodyAsksForAndQueriesWithoutResultsCountNothing() {
    assertThat(evidence()).isZero();
    assertThat(evidence("wine")).isZero();
  }
}
