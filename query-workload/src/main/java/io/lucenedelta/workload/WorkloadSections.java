// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The five arrays that a workload consists of, on the heap or mapped from a file; read by absolute
 * position only, so that threads may share them.
 *
 * @param frequency one a query, descending
 * @param termStart where a term begins in {@code termBytes}, and one entry more for the end
 * @param queryStart where a query begins in {@code queryTerms}, and one entry more for the end
 * @param queryTerms term numbers, ascending within a query
 * @param termBytes the terms in UTF-8, ascending as unsigned bytes, without separators
 * @param totalFrequency the sum of {@code frequency}
 */
record WorkloadSections(
    DoubleBuffer frequency,
    IntBuffer termStart,
    IntBuffer queryStart,
    IntBuffer queryTerms,
    ByteBuffer termBytes,
    double totalFrequency) {

  int termCount() {
    return termStart.limit() - 1;
  }

  int queryCount() {
    return frequency.limit();
  }

  byte[] term(int term) {
    int start = termStart.get(term);
    byte[] bytes = new byte[termStart.get(term + 1) - start];
    termBytes.get(start, bytes);
    return bytes;
  }

  /** The number of a term, or -1. */
  int termNumber(byte[] term) {
    int low = 0;
    int high = termCount() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = compare(middle, term);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return -1;
  }

  private int compare(int term, byte[] other) {
    int start = termStart.get(term);
    int length = termStart.get(term + 1) - start;
    for (int i = 0; i < Math.min(length, other.length); i++) {
      int order = Byte.compareUnsigned(termBytes.get(start + i), other[i]);
      if (order != 0) {
        return order;
      }
    }
    return length - other.length;
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
    return new WorkloadSections(
        DoubleBuffer.wrap(sorted),
        termStart,
        IntBuffer.wrap(IntStream.rangeClosed(0, order.length).toArray()),
        IntBuffer.wrap(order),
        termBytes,
        Arrays.stream(sorted).sum());
  }
}
