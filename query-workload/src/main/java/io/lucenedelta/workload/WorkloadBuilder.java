// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Folds queries into a {@link Workload} on the heap. Terms are taken as they are given: {@link
 * io.lucenedelta.workload.log.TypedQueries} makes them of what users typed, without operators. Not
 * safe for use by several threads.
 */
public final class WorkloadBuilder {
  private record Asked(double frequency, SortedMap<byte[], Double> orders) {
    static Asked once(byte[] order, double frequency) {
      SortedMap<byte[], Double> orders = new TreeMap<>(Arrays::compareUnsigned);
      orders.put(order, frequency);
      return new Asked(frequency, orders);
    }

    Asked and(Asked more) {
      more.orders.forEach((order, sum) -> orders.merge(order, sum, Double::sum));
      return new Asked(frequency + more.frequency, orders);
    }
  }

  /** Between terms, none of which has one: where it stands tells them apart. */
  private static final String BETWEEN = "\0";

  /**
   * By the terms, as one text: strings whose hashes are the same are told apart by their order, and
   * lists, which have none, only one by one, however many share a hash.
   */
  private final Map<String, Asked> queries = new HashMap<>();

  WorkloadBuilder() {}

  /**
   * Adds a query that was asked {@code frequency} times; repeated terms count once, a query without
   * terms is ignored.
   *
   * @param terms none of them empty or with a zero character, which no workload can keep apart
   * @throws NullPointerException if the list or a term is null
   * @throws IllegalArgumentException if the frequency is not positive and finite, or a term is
   *     empty or has a zero character
   */
  public WorkloadBuilder add(List<String> terms, double frequency) {
    Objects.requireNonNull(terms, "a query needs a list of its terms, was null");
    if (!(frequency > 0) || Double.isInfinite(frequency)) {
      throw new IllegalArgumentException(
          "frequency must be positive and finite, was " + frequency + " for query " + terms);
    }
    for (String term : terms) {
      Objects.requireNonNull(term, "every term of a query is a text, one was null");
      if (!AskedTerms.isTerm(term)) {
        throw new IllegalArgumentException(
            "a term must not be empty or have a zero character, was \"%s\" in query %s; leave it out"
                .formatted(term, terms));
      }
    }
    if (!terms.isEmpty()) {
      AskedTerms asked = AskedTerms.of(terms);
      queries.merge(
          String.join(BETWEEN, asked.terms()), Asked.once(asked.order(), frequency), Asked::and);
    }
    return this;
  }

  /**
   * Builds the workload of what was added so far.
   *
   * @throws IllegalArgumentException if the frequencies add up to more than a {@code double} holds
   */
  public Workload build() {
    TreeMap<String, Integer> numbers = new TreeMap<>(Utf8Order.STRINGS);
    queries.keySet().stream().flatMap(WorkloadBuilder::terms).forEach(t -> numbers.put(t, 0));
    ByteArrayOutputStream termBytes = new ByteArrayOutputStream();
    int[] termStart = new int[numbers.size() + 1];
    int next = 0;
    for (Map.Entry<String, Integer> term : numbers.entrySet()) {
      term.setValue(next++);
      termBytes.writeBytes(term.getKey().getBytes(StandardCharsets.UTF_8));
      termStart[next] = termBytes.size();
    }
    return writeSections(
        numbers, IntBuffer.wrap(termStart), ByteBuffer.wrap(termBytes.toByteArray()));
  }

  private static Stream<String> terms(String key) {
    return Arrays.stream(key.split(BETWEEN));
  }

  private Workload writeSections(
      Map<String, Integer> numbers, IntBuffer termStart, ByteBuffer termBytes) {
    record Query(int[] terms, double frequency, byte[] asked) {}
    List<Query> sorted = new ArrayList<>(queries.size());
    queries.forEach(
        (key, asked) ->
            sorted.add(
                new Query(
                    terms(key).mapToInt(numbers::get).toArray(),
                    asked.frequency(),
                    QueryGroups.mostAsked(asked.orders()))));
    sorted.sort(
        (a, b) ->
            a.frequency() != b.frequency()
                ? Double.compare(b.frequency(), a.frequency())
                : Arrays.compare(a.terms(), b.terms()));
    double[] frequency = new double[sorted.size()];
    int[] start = new int[sorted.size() + 1];
    ByteArrayOutputStream asked = new ByteArrayOutputStream();
    for (int i = 0; i < sorted.size(); i++) {
      Query query = sorted.get(i);
      frequency[i] = query.frequency();
      start[i + 1] = Math.addExact(start[i], query.terms().length);
      asked.writeBytes(AskedTerms.written(query.asked(), query.terms().length));
    }
    int[] pairs = sorted.stream().flatMapToInt(query -> Arrays.stream(query.terms())).toArray();
    return new Workload(
        WorkloadSections.of(
            DoubleBuffer.wrap(frequency),
            termStart,
            IntBuffer.wrap(start),
            IntBuffer.wrap(pairs),
            termBytes,
            ByteBuffer.wrap(asked.toByteArray())));
  }
}
