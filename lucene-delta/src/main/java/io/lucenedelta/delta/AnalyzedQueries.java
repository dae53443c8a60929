// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.QueryNormalizer;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;

/**
 * Queries become terms through a Lucene analyzer: give the one that your searches analyse queries
 * with. Its terms must be terms of the scored field; those of an analyzer that adds edge n-grams,
 * shingles or synonyms when pages are indexed are more than a query asks for.
 *
 * <p>Every token is a term that a result must have, also where an analyzer puts several at one
 * place, of which Lucene's query parsers ask for any: synonyms, a word beside its stem ({@code
 * KeywordRepeatFilter}) or beside itself without accents ({@code preserveOriginal}), several
 * lemmas, parts of a compound. Give an analyzer that leaves one of them, which every page that is
 * meant has in the index: the stem, say; and add synonyms when pages are indexed. With several
 * scored fields a term must be the same in each of them: where their analyzers differ, one stems,
 * say, and the other does not, a query has the terms of the field named here, and finds what the
 * other field calls by the same name.
 *
 * <p>Most analyzers make a word of {@code -word}, as of any other. {@link
 * io.lucenedelta.workload.log.WorkloadIngest} takes operators out before; for queries from
 * elsewhere, as users typed them, wrap this in {@link io.lucenedelta.workload.log.TypedQueries}.
 *
 * <p>Safe for several threads, as analyzers are.
 */
public final class AnalyzedQueries implements QueryNormalizer {
  private final Analyzer analyzer;
  private final String field;

  private AnalyzedQueries(Analyzer analyzer, String field) {
    this.analyzer = Objects.requireNonNull(analyzer, "queries need an analyzer, was null");
    this.field = Objects.requireNonNull(field, "queries are analysed for a field, was null");
  }

  /**
   * Queries analysed as the text of {@code field} is; closing the analyzer stays the caller's.
   *
   * @throws NullPointerException if analyzer or field is null
   */
  public static AnalyzedQueries of(Analyzer analyzer, String field) {
    return new AnalyzedQueries(analyzer, field);
  }

  /** Numbers of a workload's terms in a text, as they come. */
  int[] terms(String text, Workload workload) {
    return terms(text).stream().mapToInt(workload::termNumber).filter(term -> term >= 0).toArray();
  }

  /**
   * {@inheritDoc}
   *
   * @throws NullPointerException if the text is null
   * @throws UncheckedIOException if the analyzer fails to read the text
   */
  @Override
  public List<String> terms(String text) {
    Objects.requireNonNull(text, "a query to be analysed is a text, was null");
    List<String> terms = new ArrayList<>();
    try (TokenStream tokens = analyzer.tokenStream(field, text)) {
      CharTermAttribute term = tokens.addAttribute(CharTermAttribute.class);
      tokens.reset();
      while (tokens.incrementToken()) {
        if (term.length() > 0 && term.toString().indexOf('\0') < 0) { // as no workload can hold
          terms.add(term.toString());
        }
      }
      tokens.end();
    } catch (IOException e) {
      throw new UncheckedIOException("query cannot be analysed: " + text, e);
    }
    return terms;
  }
}
