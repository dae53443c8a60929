// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.KeyedHash;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Remembers a number for each of the most recent events, in bounded memory: at least the last
 * {@code capacity} distinct ones. Two tables take turns; when the younger is full, the older is
 * dropped. What is forgotten depends on the order of events only, so the same log gives the same
 * answers.
 *
 * <p>Events are told apart by 64-bit hashes. Not safe for use by several threads.
 */
final class RecentEvents {
  /** No number is remembered. */
  static final long UNKNOWN = Long.MIN_VALUE;

  private static final int SMALLEST = 1024;

  private final int capacity;
  private Table younger = new Table(SMALLEST);
  private Table older = new Table(SMALLEST);

  RecentEvents(int capacity) {
    this.capacity = capacity;
  }

  /** Remembers a number for an event and returns the one remembered before, or UNKNOWN. */
  long exchange(long event, long number) {
    if (younger.size == capacity) {
      Table dropped = older;
      older = younger;
      dropped.clear();
      younger = dropped;
    }
    long before = younger.exchange(event, number);
    return before != UNKNOWN || older.size == 0 ? before : older.get(event);
  }

  /** The number that is remembered for an event, or UNKNOWN. */
  long last(long event) {
    long number = younger.get(event);
    return number != UNKNOWN || older.size == 0 ? number : older.get(event);
  }

  /** Where an event is looked for first among the youngest; for tests. */
  int home(long event) {
    return younger.home(event);
  }

  /** Open addressing, event and number side by side, at least as many free slots as events. */
  private static final class Table {
    /** Unforeseeable, so that a log cannot be written to collide. */
    private final long multiplier = new SplittableRandom().nextLong() | 1;

    private long[] pairs;
    private int size;

    Table(int slots) {
      pairs = free(slots);
    }

    /** UNKNOWN in the place of a number marks a free slot. */
    private static long[] free(int slots) {
      long[] pairs = new long[2 * slots];
      Arrays.fill(pairs, UNKNOWN);
      return pairs;
    }

    void clear() {
      Arrays.fill(pairs, UNKNOWN);
      size = 0;
    }

    long get(long event) {
      return pairs[slot(event) + 1];
    }

    long exchange(long event, long number) {
      int slot = slot(event);
      long before = pairs[slot + 1];
      if (before == UNKNOWN && 4 * ++size > pairs.length) {
        grow();
        slot = slot(event);
      }
      pairs[slot] = event;
      pairs[slot + 1] = number;
      return before;
    }

    private void grow() {
      long[] old = pairs;
      pairs = free(old.length);
      for (int i = 0; i < old.length; i += 2) {
        if (old[i + 1] != UNKNOWN) {
          int slot = slot(old[i]);
          pairs[slot] = old[i];
          pairs[slot + 1] = old[i + 1];
        }
      }
    }

    /** By all bits of the event: no bit of a plain product depends on higher ones. */
    private int home(long event) {
      return 2 * (int) KeyedHash.mixed(event, multiplier) & (pairs.length - 1);
    }

    /** The slot of an event, or the free one where it belongs. */
    private int slot(long event) {
      int mask = pairs.length - 1;
      int slot = home(event);
      while (pairs[slot + 1] != UNKNOWN && pairs[slot] != event) {
        slot = (slot + 2) & mask;
      }
      return slot;
    }
  }
}
