// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts a workload together from more queries than the heap holds: sums the queries by their terms,
 * sums the terms, numbers them, orders the queries by frequency, and writes the sections. Every
 * step is a pass over sorted keys.
 *
 * <p>A query's key is its terms in order, a zero byte behind each and one more at the end, so that
 * the order of keys is the order of the lists of terms; with k-anonymity eight bytes of the session
 * follow.
 */
final class WorkloadAssembly implements Closeable {
  private static final byte END = 0;

  private final Path directory;
  private final int minSessions;
  private final SpillingSums queries;
  private final SpillingSums terms;
  private final SpillingSums order;
  private final KeyBytes key = new KeyBytes();
  private double leastFrequency;
  private double withheldFrequency;
  private long withheldQueries;

  WorkloadAssembly(Path directory, long budgetBytes, int minSessions) {
    this.directory = directory;
    this.minSessions = minSessions;
    this.queries = new SpillingSums(directory, "queries", budgetBytes);
    this.terms = new SpillingSums(directory, "terms", budgetBytes);
    this.order = new SpillingSums(directory, "order", budgetBytes);
  }

  /** Adds a query, terms distinct and in order, at least one. */
  void add(List<byte[]> terms, long session, double frequency) throws IOException {
    key.clear();
    for (byte[] term : terms) {
      key.put(term, 0, term.length).put(END);
    }
    key.put(END);
    if (minSessions > 1) {
      key.putLong(session);
    }
    queries.add(key.array(), 0, key.length(), frequency);
  }

  /** Adds the queries of a workload, their frequencies times a weight. */
  void add(WorkloadSections workload, double weight) throws IOException {
    List<byte[]> terms = new ArrayList<>();
    for (int query = 0; query < workload.queryCount(); query++) {
      terms.clear();
      for (int at = workload.queryStart().get(query);
          at < workload.queryStart().get(query + 1);
          at++) {
        terms.add(workload.terms().term(workload.queryTerms().get(at)));
      }
      add(terms, 0, workload.frequency().get(query) * weight);
    }
  }

  double withheldFrequency() {
    return withheldFrequency;
  }

  long withheldQueries() {
    return withheldQueries;
  }

  /**
   * The workload of what was added.
   *
   * @param floor leave out queries of a lower frequency; 0 keeps all
   */
  Workload assemble(double floor) throws IOException {
    leastFrequency = floor;
    forEachQuery(
        (query, length, frequency) -> {
          for (int from = 0; query[from] != END; ) {
            int to = end(query, from);
            terms.add(query, from, to - from, frequency);
            from = to + 1;
          }
        });
    try (Spool termStart = spool("term-start");
        Spool termBytes = spool("term-bytes")) {
      int[] at = {0};
      termStart.putInt(0);
      terms.forEach(
          (term, length, sum) -> {
            termBytes.put(term, 0, length);
            at[0] = Math.addExact(at[0], length);
            termStart.putInt(at[0]);
          });
      terms.close();
      return number(termStart.buffer().asIntBuffer(), termBytes.buffer());
    }
  }

  private Workload number(IntBuffer termStart, ByteBuffer termBytes) throws IOException {
    TermNumbers numbers = new TermNumbers(new SortedTerms(termStart, termBytes));
    forEachQuery(
        (query, length, frequency) -> {
          key.clear().putLong(~Double.doubleToRawLongBits(frequency));
          for (int from = 0; query[from] != END; ) {
            int to = end(query, from);
            key.putInt(numbers.of(query, from, to));
            from = to + 1;
          }
          order.add(key.array(), 0, key.length(), frequency);
        });
    queries.close();
    try (Spool frequencies = spool("frequencies");
        Spool queryStart = spool("query-start");
        Spool queryTerms = spool("query-terms")) {
      int[] at = {0};
      queryStart.putInt(0);
      order.forEach(
          (entry, length, frequency) -> {
            frequencies.putDouble(frequency);
            ByteBuffer pairs = ByteBuffer.wrap(entry, Long.BYTES, length - Long.BYTES);
            while (pairs.hasRemaining()) {
              queryTerms.putInt(pairs.getInt());
              at[0] = Math.addExact(at[0], 1);
            }
            queryStart.putInt(at[0]);
          });
      return new Workload(
          WorkloadSections.of(
              frequencies.buffer().asDoubleBuffer(),
              termStart,
              queryStart.buffer().asIntBuffer(),
              queryTerms.buffer().asIntBuffer(),
              termBytes));
    }
  }

  /** Every query that enough sessions asked often enough, in the order of its terms. */
  private void forEachQuery(SpillingSums.Receiver receiver) throws IOException {
    if (minSessions == 1) {
      queries.forEach(
          (query, length, frequency) -> {
            if (frequency >= leastFrequency) {
              receiver.accept(query, length, frequency);
            }
          });
      return;
    }
    SessionGroups groups =
        new SessionGroups(
            (query, length, frequency, sessions) -> {
              if (sessions >= minSessions) {
                receiver.accept(query, length, frequency);
              } else {
                withheldFrequency += frequency;
                withheldQueries++;
              }
            });
    withheldFrequency = 0;
    withheldQueries = 0;
    queries.forEach(groups);
    groups.finish();
  }

  private Spool spool(String name) {
    return new Spool(directory.resolve(name));
  }

  private static int end(byte[] key, int from) {
    int to = from;
    while (key[to] != END) {
      to++;
    }
    return to;
  }

  @Override
  public void close() throws IOException {
    queries.close();
    terms.close();
    order.close();
  }
}
