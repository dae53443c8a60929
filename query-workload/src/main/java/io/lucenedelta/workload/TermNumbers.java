// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

/** Looks terms up, the frequent ones without a search: it remembers the last one of each hash. */
final class TermNumbers {
  private static final int REMEMBERED = 1 << 16;

  private final SortedTerms terms;
  private final int[] remembered = new int[REMEMBERED]; // term number + 1, 0 for none

  TermNumbers(SortedTerms terms) {
    this.terms = terms;
  }

  /** The number of a term that is there. */
  int of(byte[] array, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      hash = 31 * hash + array[i];
    }
    int slot = (hash ^ hash >>> 16) & (REMEMBERED - 1);
    int last = remembered[slot] - 1;
    if (last >= 0 && terms.compare(last, array, from, to) == 0) {
      return last;
    }
    int number = terms.number(array, from, to);
    remembered[slot] = number + 1;
    return number;
  }
}
