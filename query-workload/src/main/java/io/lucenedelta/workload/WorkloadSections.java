// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The six arrays that a workload consists of, on the heap or mapped from a file; read by absolute
 * position only, so that threads may share them.
 *
 * @param frequency one a query, descending
 * @param terms the terms by number
 * @param queryStart where a query begins in {@code queryTerms}, and one entry more for the end
 * @param queryTerms term numbers, ascending within a query
 * @param asked beside each of {@code queryTerms}, the order of asking: at a query's i-th place, the
 *     number within the query of the i-th term asked, an unsigned byte
 * @param totalFrequency the sum of {@code frequency}
 */
record WorkloadSections(
    DoubleBuffer frequency,
    SortedTerms terms,
    IntBuffer queryStart,
    IntBuffer queryTerms,
    ByteBuffer asked,
    double totalFrequency) {

  static WorkloadSections of(
      DoubleBuffer frequency,
      IntBuffer termStart,
      IntBuffer queryStart,
      IntBuffer queryTerms,
      ByteBuffer termBytes,
      ByteBuffer asked) {
    double total = 0;
    for (int query = 0; query < frequency.limit(); query++) {
      total += frequency.get(query);
    }
    if (total > Double.MAX_VALUE) {
      throw new IllegalArgumentException(
          "the frequencies of %d queries add up to more than a number can hold; the largest is %s, divide all by the same number"
              .formatted(frequency.limit(), frequency.get(0)));
    }
    return new WorkloadSections(
        frequency, new SortedTerms(termStart, termBytes), queryStart, queryTerms, asked, total);
  }

  int queryCount() {
    return frequency.limit();
  }

  /** The order in which the terms of a query were asked, an array of the caller's. */
  byte[] asked(int query) {
    int from = queryStart.get(query);
    int length = queryStart.get(query + 1) - from;
    Objects.checkFromIndexSize(from, length, asked.limit()); // or memory for any length
    byte[] order = new byte[length];
    asked.get(from, order);
    return order;
  }

  /** One query a term over the same terms, with the given frequencies by term. */
  WorkloadSections singleTerm(double[] byTerm) {
    int[] order =
        IntStream.range(0, byTerm.length)
            .boxed()
            .sorted(Comparator.comparingDouble(term -> -byTerm[term]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] sorted = Arrays.stream(order).mapToDouble(term -> byTerm[term]).toArray();
    return of(
        DoubleBuffer.wrap(sorted),
        terms.start(),
        IntBuffer.wrap(IntStream.rangeClosed(0, order.length).toArray()),
        IntBuffer.wrap(order),
        terms.bytes(),
        ByteBuffer.allocate(order.length));
  }

  /** The queries that are kept, in their order, over the terms that they have. */
  WorkloadSections filter(IntPredicate keep) {
    int[] kept = IntStream.range(0, queryCount()).filter(keep).toArray();
    int[] number = new int[terms.count()];
    int pairs = 0;
    for (int query : kept) {
      for (int at = queryStart.get(query); at < queryStart.get(query + 1); at++) {
        number[queryTerms.get(at)] = 1;
        pairs++;
      }
    }
    SortedTerms used = terms.renumbered(number);
    double[] frequencies = new double[kept.length];
    int[] starts = new int[kept.length + 1];
    IntBuffer newTerms = IntBuffer.allocate(pairs);
    ByteBuffer newAsked = ByteBuffer.allocate(pairs);
    for (int i = 0; i < kept.length; i++) {
      frequencies[i] = frequency.get(kept[i]);
      for (int at = queryStart.get(kept[i]); at < queryStart.get(kept[i] + 1); at++) {
        newTerms.put(number[queryTerms.get(at)]);
        newAsked.put(asked.get(at));
      }
      starts[i + 1] = newTerms.position();
    }
    return of(
        DoubleBuffer.wrap(frequencies),
        used.start(),
        IntBuffer.wrap(starts),
        newTerms.rewind(),
        used.bytes(),
        newAsked.rewind());
  }
}
