// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.KeyedHash;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * What a log said of its sessions lately: when each asked which text, whether that was marked, and
 * how many in this hour.
 *
 * <p>Most sessions ask once. So the last text of a session stands with the session, and only the
 * texts before the last one are remembered one by one. Memory is bounded as {@link RecentEvents}
 * is: the last {@code capacity} sessions at least, and as many of their earlier texts.
 */
final class SessionMemory {
  /** What suits a log of some hundred lines a second and the usual window. */
  static final int REMEMBERED = 1 << 19;

  /** The log never asked that, or so long ago that it is forgotten. */
  static final long NEVER = RecentEvents.UNKNOWN;

  private static final int HOUR = 3600;
  private static final int MARK = 1; // the last bit of what stands for a second, its double
  private static final int FEWEST = 1024;
  private static final int WIDTH = 4;
  private static final int TEXT = 1;
  private static final int SECOND = 2; // when the text was asked, and whether it is marked
  private static final int HOURLY = 3; // hour in the upper half, queries in the lower; 0 if free
  private static final long LOWER_HALF = 0xffff_ffffL;

  private final int capacity;
  private final RecentEvents earlier;

  /** Unforeseeable, so that a log cannot be written to collide; where things stand never shows. */
  private final long multiplier = new SplittableRandom().nextLong() | 1;

  private long[] younger = new long[WIDTH * 2 * FEWEST];
  private long[] older = new long[WIDTH];
  private int size;
  private int current; // where the session of the last call stands
  private boolean wasMarked; // whether the text of that call was

  /**
   * @param capacity how many sessions, and how many earlier texts, to remember at least
   */
  SessionMemory(int capacity) {
    this.capacity = capacity;
    this.earlier = new RecentEvents(capacity);
  }

  /**
   * Notes that a session asks a text, unmarked, and returns when it last did.
   *
   * @param session a number for the session
   * @param text a number for the text
   * @param second now
   */
  long asks(long session, long text, long second) {
    current = place(session);
    long lastText = younger[current + TEXT];
    long last = younger[current + SECOND];
    long now = 2 * second;
    younger[current + TEXT] = text;
    younger[current + SECOND] = now;
    if (last != NEVER && lastText != text) {
      earlier.exchange(event(session, lastText), last);
      last = earlier.exchange(event(session, text), now);
    }
    wasMarked = isMarked(last);
    return last == NEVER ? NEVER : last >> 1;
  }

  /** Whether the text that was asked last had been marked when it was asked before. */
  boolean wasMarked() {
    return wasMarked;
  }

  /** Marks the text that was asked last, until its session asks it again. */
  void mark() {
    younger[current + SECOND] |= MARK;
  }

  /** Whether a text is marked since a session last asked it; not where that is forgotten. */
  boolean isMarked(long session, long text) {
    long[] table = younger;
    int place = find(younger, session);
    if (table[place + HOURLY] == 0) {
      table = older;
      place = find(older, session);
    }
    if (table[place + HOURLY] == 0) {
      return false;
    }
    boolean latest = table[place + TEXT] == text;
    return isMarked(latest ? table[place + SECOND] : earlier.last(event(session, text)));
  }

  private static boolean isMarked(long last) {
    return last != NEVER && (last & MARK) != 0;
  }

  /** What stands where the session is looked for first: reading it early fetches it. */
  long prefetch(long session) {
    return younger[home(younger, session) + HOURLY] + older[home(older, session) + HOURLY];
  }

  /** Where a session is looked for first among the youngest; for tests. */
  int home(long session) {
    return home(younger, session);
  }

  /** By all bits of the session: no bit of a plain product depends on higher ones. */
  private int home(long[] table, long session) {
    return WIDTH * (int) KeyedHash.mixed(session, multiplier) & (table.length - 1);
  }

  /** Counts one more query of the session that asked last; returns its queries in this hour. */
  long countThisHour(long second) {
    long hour = Math.floorDiv(second, HOUR) & LOWER_HALF;
    long hourly = younger[current + HOURLY];
    long count = hourly >>> 32 == hour ? Math.min((hourly & LOWER_HALF) + 1, LOWER_HALF) : 2;
    younger[current + HOURLY] = hour << 32 | count;
    return count - 1;
  }

  /** A session's name may be another's text, so the two are not mixed alike. */
  private static long event(long session, long text) {
    return Fingerprint.mix(Fingerprint.mix(session) + text);
  }

  /** Where the session stands, or now stands. */
  private int place(long session) {
    int place = find(younger, session);
    if (younger[place + HOURLY] != 0) {
      return place;
    }
    if (size == capacity) {
      long[] dropped = older;
      older = younger;
      younger = dropped.length == older.length ? cleared(dropped) : new long[older.length];
      size = 0;
    } else if (2 * WIDTH * (size + 1) > younger.length) {
      grow();
    }
    place = find(younger, session);
    int before = find(older, session);
    younger[place] = session;
    if (older[before + HOURLY] != 0) {
      System.arraycopy(older, before, younger, place, WIDTH);
    } else {
      younger[place + SECOND] = NEVER;
      younger[place + HOURLY] = 1;
    }
    size++;
    return place;
  }

  private static long[] cleared(long[] table) {
    Arrays.fill(table, 0);
    return table;
  }

  private void grow() {
    long[] small = younger;
    younger = new long[2 * small.length];
    for (int from = 0; from < small.length; from += WIDTH) {
      if (small[from + HOURLY] != 0) {
        System.arraycopy(small, from, younger, find(younger, small[from]), WIDTH);
      }
    }
  }

  /** The place of a session, or the free one where it belongs. */
  private int find(long[] table, long session) {
    int mask = table.length - 1;
    int place = home(table, session);
    while (table[place + HOURLY] != 0 && table[place] != session) {
      place = (place + WIDTH) & mask;
    }
    return place;
  }
}
