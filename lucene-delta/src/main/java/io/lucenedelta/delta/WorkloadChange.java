// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.Workload;
import java.util.Arrays;
import org.apache.lucene.util.ArrayUtil;
import org.apache.lucene.util.BytesRef;

/**
 * From one workload's terms to another's: which stay and under what number, which are new. Carries
 * page vectors over.
 *
 * <p>Both workloads number their terms in the order of their UTF-8 bytes, so a vector stays
 * ascending when it is renumbered, and old and new terms are joined in one pass. For one thread.
 */
final class WorkloadChange {
  private static final int DROPPED = -1;

  private final int[] number; // by old term
  private final int[] added; // new numbers, ascending
  private final Side kept = new Side();
  private final Side fresh = new Side();

  private WorkloadChange(int[] number, int[] added) {
    this.number = number;
    this.added = added;
  }

  /** The change from {@code before} to the terms of the workload measured now. */
  static WorkloadChange of(Workload before, WorkloadTerms now) {
    int[] number = new int[before.termCount()];
    boolean[] known = new boolean[now.size()];
    for (int term = 0; term < number.length; term++) {
      int found = now.seek(new BytesRef(before.termUtf8(term)), 0);
      number[term] = Math.max(found, DROPPED);
      if (found >= 0) {
        known[found] = true;
      }
    }
    int[] added = new int[now.size()];
    int count = 0;
    for (int term = 0; term < known.length; term++) {
      if (!known[term]) {
        added[count++] = term;
      }
    }
    return new WorkloadChange(number, Arrays.copyOf(added, count));
  }

  /** The terms that the workload before did not have, by their new numbers, ascending. */
  int[] added() {
    return added;
  }

  /**
   * Joins what is known of a page with what was read of it.
   *
   * @param before the vector under the old workload
   * @param read the same document's vector of the added terms alone
   * @param target gets the vector under the new workload
   */
  void carry(VectorBuffer before, VectorBuffer read, VectorBuffer target) {
    kept.read(before, number);
    fresh.read(read, null);
    target.clear();
    int i = 0;
    int j = 0;
    while (i < kept.size || j < fresh.size) {
      int field = Math.min(kept.field(i), fresh.field(j));
      int endOfKept = kept.endOf(field, i);
      int endOfFresh = fresh.endOf(field, j);
      long norm = i < endOfKept ? kept.norm[i] : fresh.norm[j];
      target.addField(field, norm, endOfKept - i + endOfFresh - j);
      while (i < endOfKept || j < endOfFresh) {
        if (j == endOfFresh || (i < endOfKept && kept.term[i] < fresh.term[j])) {
          target.addTerm(kept.term[i], kept.frequency[i++]);
        } else {
          target.addTerm(fresh.term[j], fresh.frequency[j++]);
        }
      }
    }
  }

  /** A vector spread out, its terms renumbered, those dropped left out. */
  private static final class Side {
    private int[] fields = new int[256];
    private int[] term = new int[256];
    private int[] frequency = new int[256];
    private long[] norm = new long[256];
    private int size;

    void read(VectorBuffer vector, int[] number) {
      size = 0;
      vector.rewind();
      while (vector.next()) {
        int renamed = number == null ? vector.term() : number[vector.term()];
        if (renamed != DROPPED) {
          add(vector, renamed);
        }
      }
    }

    private void add(VectorBuffer vector, int renamed) {
      if (size == term.length) {
        fields = ArrayUtil.grow(fields);
        term = ArrayUtil.growExact(term, fields.length);
        frequency = ArrayUtil.growExact(frequency, fields.length);
        norm = ArrayUtil.growExact(norm, fields.length);
      }
      fields[size] = vector.field();
      term[size] = renamed;
      frequency[size] = vector.frequency();
      norm[size++] = vector.norm();
    }

    int field(int place) {
      return place < size ? fields[place] : Integer.MAX_VALUE;
    }

    int endOf(int field, int from) {
      int end = from;
      while (end < size && fields[end] == field) {
        end++;
      }
      return end;
    }
  }
}
