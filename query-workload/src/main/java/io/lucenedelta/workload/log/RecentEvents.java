// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Arrays;

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

  long get(long event) {
    long number = younger.get(event);
    return number != UNKNOWN ? number : older.get(event);
  }

  void put(long event, long number) {
    if (younger.size == capacity) {
      Table dropped = older;
      older = younger;
      dropped.clear();
      younger = dropped;
    }
    younger.put(event, number);
  }

  /** Open addressing with at least as many free slots as events. */
  private static final class Table {
    private long[] events;
    private long[] numbers; // UNKNOWN for a free slot
    private int size;

    Table(int slots) {
      events = new long[slots];
      numbers = new long[slots];
      Arrays.fill(numbers, UNKNOWN);
    }

    void clear() {
      Arrays.fill(numbers, UNKNOWN);
      size = 0;
    }

    long get(long event) {
      return numbers[slot(event)];
    }

    void put(long event, long number) {
      int slot = slot(event);
      if (numbers[slot] == UNKNOWN) {
        if (2 * ++size > events.length) {
          grow();
          slot = slot(event);
        }
        events[slot] = event;
      }
      numbers[slot] = number;
    }

    private void grow() {
      long[] oldEvents = events;
      long[] oldNumbers = numbers;
      events = new long[2 * oldEvents.length];
      numbers = new long[2 * oldNumbers.length];
      Arrays.fill(numbers, UNKNOWN);
      for (int i = 0; i < oldEvents.length; i++) {
        if (oldNumbers[i] != UNKNOWN) {
          int slot = slot(oldEvents[i]);
          events[slot] = oldEvents[i];
          numbers[slot] = oldNumbers[i];
        }
      }
    }

    /** The slot of an event, or the free one where it belongs. */
    private int slot(long event) {
      int slot = (int) (event ^ event >>> 32) & (events.length - 1);
      while (numbers[slot] != UNKNOWN && events[slot] != event) {
        slot = (slot + 1) & (events.length - 1);
      }
      return slot;
    }
  }
}
