// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.time.Duration;

/**
 * Which lines are queries of their own: the one place where the history of a log matters.
 *
 * <ul>
 *   <li>An offset over 0 asks for a further page.
 *   <li>The same text from the same session, no longer than the session window after the last time,
 *       is a repetition. Where a log has no times, texts never repeat; where it has no sessions,
 *       every line is its own.
 *   <li>The same text from another shard within {@link #SHARD_SECONDS} is the same request.
 *   <li>A session with more queries in an hour than the limit is a robot; what it asks beyond the
 *       limit is marked so, and what it asked before is not.
 * </ul>
 *
 * What is remembered of sessions is bounded, see {@link SessionMemory}.
 */
final class SessionRules {
  /** How long the shards of one request may take. */
  static final int SHARD_SECONDS = 10;

  /** Characters that a query may have: nobody types more, programs paste whole pages. */
  static final int LONGEST_TEXT = 2048;

  private static final int MOST_SHARDS = 24;

  private final long windowSeconds;
  private final int queriesAnHour;
  private final boolean dropRobots;
  private final SessionMemory sessions = new SessionMemory(SessionMemory.REMEMBERED);
  private final RecentEvents shardsSeen = new RecentEvents(SessionMemory.REMEMBERED);
  private final RecentEvents robots = new RecentEvents(SessionMemory.REMEMBERED);
  private long robotSessions;
  private long robotQueries;

  SessionRules(Duration window, int queriesAnHour, boolean dropRobots) {
    this.windowSeconds = window.toSeconds();
    this.queriesAnHour = queriesAnHour;
    this.dropRobots = dropRobots;
  }

  /** Sessions that asked more than a person does. */
  long robotSessions() {
    return robotSessions;
  }

  /** Queries of such sessions beyond the limit. */
  long robotQueries() {
    return robotQueries;
  }

  /** The number by which a session is told from others. */
  static long number(String session) {
    return session.isEmpty() ? 0 : hash(0, session);
  }

  /** Reads what is remembered of a session early, see {@link SessionMemory#comeNear}. */
  long comeNear(long session) {
    return sessions.comeNear(session);
  }

  /**
   * What becomes of an entry.
   *
   * @param session the number of its session
   */
  Fate fate(LogEntry entry, long session) {
    if (entry.text().isBlank()) {
      return Fate.EMPTY;
    }
    if (entry.text().length() > LONGEST_TEXT) {
      return Fate.TOO_LONG;
    }
    if (entry.offset() > 0) {
      return Fate.NEXT_PAGE;
    }
    if (entry.shard() >= 0 && isShardRepeat(entry)) {
      return Fate.SHARD_REPEAT;
    }
    if (entry.session().isEmpty() || entry.epochSecond() == LogEntry.NO_TIME) {
      return Fate.KEPT;
    }
    long now = entry.epochSecond();
    long before = sessions.asks(session, entry.text().hashCode(), now);
    if (before != SessionMemory.NEVER && Math.abs(now - before) <= windowSeconds) {
      return Fate.REPEATED;
    }
    return isRobot(session, now) && dropRobots ? Fate.ROBOT : Fate.KEPT;
  }

  private boolean isRobot(long session, long now) {
    if (sessions.countThisHour(now) <= queriesAnHour) {
      return false;
    }
    if (robots.exchange(session, now) == RecentEvents.UNKNOWN) {
      robotSessions++;
    }
    robotQueries++;
    return true;
  }

  /** Time and a bit for each shard are kept in one number. */
  private boolean isShardRepeat(LogEntry entry) {
    long event = hash(entry.offset(), entry.text());
    long bit = 1L << Math.min(entry.shard(), MOST_SHARDS - 1);
    long now = entry.epochSecond() == LogEntry.NO_TIME ? 0 : entry.epochSecond();
    long before = shardsSeen.exchange(event, now << MOST_SHARDS | bit);
    boolean recent =
        before != RecentEvents.UNKNOWN && Math.abs(now - (before >> MOST_SHARDS)) <= SHARD_SECONDS;
    boolean repeat = recent && (before & bit) == 0;
    if (repeat) {
      shardsSeen.exchange(event, before | bit);
    }
    return repeat;
  }

  /** 64 bits of FNV-1a, started from a number, with a final mix. */
  private static long hash(long start, String text) {
    long hash = 0xcbf29ce484222325L ^ start * 0x9E3779B97F4A7C15L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return mix(hash);
  }

  static long mix(long bits) {
    long mixed = (bits ^ bits >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }
}
