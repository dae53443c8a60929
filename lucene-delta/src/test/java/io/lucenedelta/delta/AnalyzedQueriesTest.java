// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.analysis.core.WhitespaceTokenizer;
import org.apache.lucene.analysis.miscellaneous.ASCIIFoldingFilter;
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

  /** Lucene's query parsers ask for any of them: who gives such an analyzer asks for too much. */
  @Test
  void everyTokenOfAPlaceIsATerm() {
    try (Analyzer folding = folding(true);
        Analyzer folded = folding(false)) {
      assertThat(AnalyzedQueries.of(folding, "body").terms("Café Paris"))
          .containsExactly("Cafe", "Café", "Paris");
      assertThat(AnalyzedQueries.of(folded, "body").terms("Café Paris"))
          .containsExactly("Cafe", "Paris");
    }
  }

  private static Analyzer folding(boolean preserveOriginal) {
    return new Analyzer() {
      @Override
      protected TokenStreamComponents createComponents(String field) {
        WhitespaceTokenizer words = new WhitespaceTokenizer();
        return new TokenStreamComponents(words, new ASCIIFoldingFilter(words, preserveOriginal));
      }
    };
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
