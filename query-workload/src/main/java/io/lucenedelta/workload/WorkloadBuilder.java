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
import java.util.TreeMap;

/** Folds queries into a {@link Workload} on the heap. Not safe for use by several threads. */
public final class WorkloadBuilder {
  private final Map<List<String>, Double> frequencies = new HashMap<>();

  WorkloadBuilder() {}

  /**
   * Adds a query that was asked {@code frequency} times; repeated terms count once, a query without
   * terms is ignored.
   *
   * @throws IllegalArgumentException if the frequency is not positive and finite
   */
  public WorkloadBuilder add(List<String> terms, double frequency) {
    if (!(frequency > 0) || Double.isInfinite(frequency)) {
      throw new IllegalArgumentException(
          "frequency must be positive and finite, was " + frequency + " for query " + terms);
    }
    if (!terms.isEmpty()) {
      List<String> key = terms.stream().distinct().sorted(Utf8Order.STRINGS).toList();
      frequencies.merge(key, frequency, Double::sum);
    }
    return this;
  }

  /** Builds the workload of what was added so far. */
  public Workload build() {
    TreeMap<String, Integer> numbers = new TreeMap<>(Utf8Order.STRINGS);
    frequencies.keySet().forEach(key -> key.forEach(term -> numbers.put(term, 0)));
    ByteArrayOutputStream termBytes = new ByteArrayOutputStream();
    int[] termStart = new int[numbers.size() + 1];
    int next = 0;
    for (Map.Entry<String, Integer> term : numbers.entrySet()) {
      term.setValue(next++);
      termBytes.writeBytes(term.getKey().getBytes(StandardCharsets.UTF_8));
      termStart[next] = termBytes.size();
    }
    return queries(numbers, IntBuffer.wrap(termStart), ByteBuffer.wrap(termBytes.toByteArray()));
  }

  private Workload queries(
      Map<String, Integer> numbers, IntBuffer termStart, ByteBuffer termBytes) {
    record Query(int[] terms, double frequency) {}
    List<Query> queries = new ArrayList<>(frequencies.size());
    frequencies.forEach(
        (key, f) -> queries.add(new Query(key.stream().mapToInt(numbers::get).toArray(), f)));
    queries.sort(
        (a, b) ->
            a.frequency() != b.frequency()
                ? Double.compare(b.frequency(), a.frequency())
                : Arrays.compare(a.terms(), b.terms()));
    double[] frequency = new double[queries.size()];
    int[] start = new int[queries.size() + 1];
    for (int i = 0; i < queries.size(); i++) {
      frequency[i] = queries.get(i).frequency();
      start[i + 1] = Math.addExact(start[i], queries.get(i).terms().length);
    }
    int[] pairs = queries.stream().flatMapToInt(query -> Arrays.stream(query.terms())).toArray();
    return new Workload(
        WorkloadSections.of(
            DoubleBuffer.wrap(frequency),
            termStart,
            IntBuffer.wrap(start),
            IntBuffer.wrap(pairs),
            termBytes));
  }
}
