// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.QueryNormalizer;
import java.util.List;
import java.util.Objects;

/**
 * Queries as users type them into a search box: what there are operators is taken out, and another
 * normalizer makes terms of the rest. {@link WorkloadIngest} does so by itself; this is for
 * programs that count queries of their own:
 *
 * <pre>{@code
 * QueryNormalizer typed = TypedQueries.of(normalizer);
 * counts.workload(typed); // QueryCounts
 * Workload.builder().add(typed.terms("+garden pond -koi"), 3); // garden, pond
 * }</pre>
 *
 * <p>Quotes, parentheses, {@code +} before a word, weights, and {@code AND}, {@code OR} and {@code
 * NEAR} in capitals go; {@code -word} and {@code NOT word} go with their word, and so do {@code
 * site:example.org} and the like, ranges, and words with a star beside two letters, {@code gard*},
 * of which no page needs to hold any. The names go of fields that search engines know, as in {@code
 * title:word}. A text without blanks that was sent in an address, {@code garden+pond}, is decoded.
 * What stands within or behind a word stays: {@code c++}, {@code e-mail}, {@code yahoo!}. {@code
 * docs/query-logs.md} has all rules.
 *
 * <p>A text of more than 2,048 characters, blanks around it aside, has no terms: nobody types more,
 * and a log's query of that length is rejected, too.
 *
 * <p>Not for texts of which operators were taken out before, nor for searches that know none: a
 * word behind a dash, {@code -word}, would be lost.
 *
 * <p>Safe for as many threads as that normalizer.
 */
public final class TypedQueries implements QueryNormalizer {
  private final QueryNormalizer words;

  private TypedQueries(QueryNormalizer words) {
    this.words = words;
  }

  /**
   * Queries without their operators.
   *
   * @param words makes terms of what is left
   * @throws NullPointerException if it is null
   */
  public static TypedQueries of(QueryNormalizer words) {
    return new TypedQueries(
        Objects.requireNonNull(words, "typed queries need a normalizer of their words, was null"));
  }

  /**
   * {@inheritDoc}
   *
   * @return none for a text of more than 2,048 characters, blanks around it aside
   * @throws NullPointerException if the text is null
   */
  @Override
  public List<String> terms(String text) {
    Objects.requireNonNull(text, "a query that was typed is a text, was null");
    return text.strip().length() > ParsedLines.LONGEST_TEXT
        ? List.of()
        : words.terms(QueryText.words(text));
  }
}
