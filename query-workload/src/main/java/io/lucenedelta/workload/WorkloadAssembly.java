// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Puts a workload together from more queries than the heap holds: sums the queries by their terms,
 * sums the terms, numbers them, orders the queries by frequency, and writes the sections. Every
 * step is a pass over sorted keys.
 *
 * <p>A query's key is its terms in order, a zero byte behind each and one more at the end, so that
 * the order of keys is the order of the lists of terms; with k-anonymity eight bytes of the session
 * follow, and last the order in which the terms were asked, when it is not their own.
 */
final class WorkloadAssembly implements Closeable {
  private static final byte END = 0;

  /** Behind the term numbers, which count from 1 here, so that shorter queries come first. */
  private static final int END_OF_NUMBERS = 0;

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

  /**
   * Adds a query.
   *
   * @param terms distinct and in order, at least one
   * @param asked the order of asking, as {@link AskedTerms} has it
   */
  void add(List<byte[]> terms, byte[] asked, long session, double frequency) throws IOException {
    key.clear();
    for (byte[] term : terms) {
      key.put(term, 0, term.length).put(END);
    }
    key.put(END);
    if (minSessions > 1) {
      key.putLong(session);
    }
    key.put(asked, 0, asked.length);
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
      byte[] asked = AskedTerms.shortened(workload.asked(query));
      add(terms, asked, 0, workload.frequency().get(query) * weight);
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
   * @param floor leave out queries of a lower frequency; 0 keeps all that have any left
   */
  Workload assemble(double floor) throws IOException {
    leastFrequency = floor;
    forEachQuery(
        (query, length, asked, frequency, sessions) -> {
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
            at[0] += length; // the spool refuses more than fit
            termStart.putInt(at[0]);
          });
      terms.close();
      IntBuffer starts = termStart.buffer().asIntBuffer();
      ByteBuffer bytes = termBytes.buffer();
      numberTerms(new SortedTerms(starts, bytes));
      return writeSections(starts, bytes);
    }
  }

  /** Puts the queries in order, the numbers of their terms in place of the terms. */
  private void numberTerms(SortedTerms sorted) throws IOException {
    TermNumbers numbers = new TermNumbers(sorted);
    forEachQuery(
        (query, length, asked, frequency, sessions) -> {
          key.clear().putLong(~Double.doubleToRawLongBits(frequency));
          for (int from = 0; query[from] != END; ) {
            int to = end(query, from);
            key.putInt(numbers.of(query, from, to) + 1);
            from = to + 1;
          }
          key.putInt(END_OF_NUMBERS).put(asked, 0, asked.length);
          order.add(key.array(), 0, key.length(), frequency);
        });
    queries.close();
  }

  private Workload writeSections(IntBuffer termStart, ByteBuffer termBytes) throws IOException {
    try (Spool frequencies = spool("frequencies");
        Spool queryStart = spool("query-start");
        Spool queryTerms = spool("query-terms");
        Spool askedOrder = spool("asked-order")) {
      int[] at = {0};
      queryStart.putInt(0);
      order.forEach(
          (entry, length, frequency) -> {
            frequencies.putDouble(frequency);
            ByteBuffer pairs = ByteBuffer.wrap(entry, Long.BYTES, length - Long.BYTES);
            int count = 0;
            for (int next = pairs.getInt(); next != END_OF_NUMBERS; next = pairs.getInt()) {
              queryTerms.putInt(next - 1);
              count++;
            }
            byte[] asked = Arrays.copyOfRange(entry, pairs.position(), length);
            askedOrder.put(AskedTerms.written(asked, count), 0, count);
            at[0] += count;
            queryStart.putInt(at[0]);
          });
      return new Workload(
          WorkloadSections.of(
              frequencies.buffer().asDoubleBuffer(),
              termStart,
              queryStart.buffer().asIntBuffer(),
              queryTerms.buffer().asIntBuffer(),
              termBytes,
              askedOrder.buffer()));
    }
  }

  /** Every query that enough sessions asked often enough, in the order of its terms. */
  private void forEachQuery(QueryGroups.Receiver receiver) throws IOException {
    withheldFrequency = 0;
    withheldQueries = 0;
    QueryGroups groups =
        new QueryGroups(
            minSessions > 1,
            (query, length, asked, frequency, sessions) -> {
              if (sessions < minSessions) {
                withheldFrequency += frequency;
                withheldQueries++;
              } else if (frequency > 0 && frequency >= leastFrequency) {
                receiver.accept(query, length, asked, frequency, sessions);
              }
            });
    queries.forEach(groups);
    groups.finish();
  }

  private Spool spool(String name) {
    return new Spool(directory, name);
  }

  /** Where the terms of a key end, the zero bytes behind them included. */
  static int endOfTerms(byte[] key) {
    int at = 0;
    while (key[at] != END) {
      at = end(key, at) + 1;
    }
    return at + 1;
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
