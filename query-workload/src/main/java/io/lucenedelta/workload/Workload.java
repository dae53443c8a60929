// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The queries users ask and how often: Q of the 2005 paper (section 1.2), or, by {@link
 * #singleTerm}, its approximation Q′ (section 5.1.1).
 *
 * <p>A query is a set of distinct terms: order and repetition of words do not matter, since a page
 * scores the sum of its scores for the terms. Terms are numbered from 0 in the order of their UTF-8
 * bytes, which is Lucene's term order. Queries are numbered from 0 by descending frequency, ties in
 * the order of their term numbers. Frequencies are positive and finite, in occurrences; merging
 * workloads with a decay makes them fractional.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class Workload {
  private final String[] terms;
  private final int[] queryStart; // queryCount + 1 offsets into queryTerms
  private final int[] queryTerms; // ascending within a query
  private final double[] frequency;
  private final double totalFrequency;

  private Workload(String[] terms, int[] queryStart, int[] queryTerms, double[] frequency) {
    this.terms = terms;
    this.queryStart = queryStart;
    this.queryTerms = queryTerms;
    this.frequency = frequency;
    this.totalFrequency = Arrays.stream(frequency).sum();
  }

  /** Returns an empty builder. */
  public static Builder builder() {
    return new Builder();
  }

  /** Number of distinct terms. */
  public int termCount() {
    return terms.length;
  }

  /** The text of a term, {@code 0 <= term < termCount()}. */
  public String term(int term) {
    return terms[term];
  }

  /** The number of a term, or -1 when no query contains it. */
  public int termNumber(String term) {
    int found = Arrays.binarySearch(terms, term, Workload::compareUtf8);
    return found < 0 ? -1 : found;
  }

  /** Number of distinct queries. */
  public int queryCount() {
    return frequency.length;
  }

  /** Number of terms of a query, at least 1. */
  public int queryLength(int query) {
    return queryStart[query + 1] - queryStart[query];
  }

  /** The i-th term of a query, ascending, {@code 0 <= i < queryLength(query)}. */
  public int queryTerm(int query, int i) {
    return queryTerms[queryStart[query] + i];
  }

  /** How often a query was asked: f_q. */
  public double frequency(int query) {
    return frequency[query];
  }

  /** The terms of a query joined by spaces, for people to read. */
  public String queryText(int query) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < queryLength(query); i++) {
      if (i > 0) {
        text.append(' ');
      }
      text.append(terms[queryTerm(query, i)]);
    }
    return text.toString();
  }

  /** The sum of the frequencies of all queries. */
  public double totalFrequency() {
    return totalFrequency;
  }

  /**
   * Q′ (2005, section 5.1.1): one single-term query a term, its frequency the summed frequency of
   * the queries in which the term occurs. Term numbers stay.
   */
  public Workload singleTerm() {
    double[] sums = new double[terms.length];
    for (int query = 0; query < queryCount(); query++) {
      for (int i = queryStart[query]; i < queryStart[query + 1]; i++) {
        sums[queryTerms[i]] += frequency[query];
      }
    }
    Builder builder = builder();
    for (int term = 0; term < terms.length; term++) {
      builder.add(List.of(terms[term]), sums[term]);
    }
    return builder.build();
  }

  /** Compares as UTF-8 bytes do, which differs from {@code String} order beyond U+FFFF only. */
  private static int compareUtf8(String a, String b) {
    return Arrays.compareUnsigned(
        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
  }

  /** Folds queries into a workload. Not safe for use by several threads. */
  public static final class Builder {
    private final Map<List<String>, Double> frequencies = new HashMap<>();

    private Builder() {}

    /**
     * Adds a query that was asked {@code frequency} times; repeated terms count once, a query
     * without terms is ignored.
     *
     * @throws IllegalArgumentException if the frequency is not positive and finite
     */
    public Builder add(List<String> terms, double frequency) {
      if (!(frequency > 0) || Double.isInfinite(frequency)) {
        throw new IllegalArgumentException(
            "frequency must be positive and finite, was " + frequency + " for query " + terms);
      }
      if (!terms.isEmpty()) {
        List<String> key = terms.stream().distinct().sorted(Workload::compareUtf8).toList();
        frequencies.merge(key, frequency, Double::sum);
      }
      return this;
    }

    /** Builds the workload of what was added so far. */
    public Workload build() {
      TreeMap<String, Integer> numbers = new TreeMap<>(Workload::compareUtf8);
      frequencies.keySet().forEach(key -> key.forEach(term -> numbers.put(term, 0)));
      String[] terms = numbers.keySet().toArray(String[]::new);
      for (int i = 0; i < terms.length; i++) {
        numbers.put(terms[i], i);
      }
      record Numbered(int[] terms, double frequency) {}
      List<Numbered> queries = new ArrayList<>(frequencies.size());
      frequencies.forEach(
          (key, f) -> queries.add(new Numbered(key.stream().mapToInt(numbers::get).toArray(), f)));
      queries.sort(
          (a, b) ->
              a.frequency() != b.frequency()
                  ? Double.compare(b.frequency(), a.frequency())
                  : Arrays.compare(a.terms(), b.terms()));
      int[] start = new int[queries.size() + 1];
      for (int i = 0; i < queries.size(); i++) {
        start[i + 1] = start[i] + queries.get(i).terms().length;
      }
      int[] queryTerms = new int[start[queries.size()]];
      double[] frequency = new double[queries.size()];
      for (int i = 0; i < queries.size(); i++) {
        System.arraycopy(
            queries.get(i).terms(), 0, queryTerms, start[i], queries.get(i).terms().length);
        frequency[i] = queries.get(i).frequency();
      }
      return new Workload(terms, start, queryTerms, frequency);
    }
  }
}
