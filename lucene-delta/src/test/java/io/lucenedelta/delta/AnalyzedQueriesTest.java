// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.junit.jupiter.api.Test;

/** Queries that an analyzer turns into terms. */
class AnalyzedQueriesTest {
  @Test
  void termsComeInTheOrderOfTheTextAndNothingOfPunctuation() {
    try (Analyzer analyzer = new SimpleAnalyzer()) {
      AnalyzedQueries queries = AnalyzedQueries.of(analyzer, "body");
      assertThat(queries.terms("To be, or not to BE"))
          .containsExactly("to", "be", "or", "not", "to", "be");
      assertThat(queries.terms("?!")).isEmpty();
      assertThat(queries.terms("")).isEmpty();
    }
  }

  @Test
  void anAnalyzerOrFieldThatIsMissingIsRefusedBeforeTheFirstQueryComes() {
    assertThatThrownBy(() -> AnalyzedQueries.of(null, "body"))
        .isInstanceOf(NullPointerException.class)
        .hasMessageContaining("an analyzer");
    try (Analyzer analyzer = new SimpleAnalyzer()) {
      assertThatThrownBy(() -> AnalyzedQueries.of(analyzer, null))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("a field");
    }
  }
}
