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
 * The last {@link #REMEMBERED} texts of sessions are remembered, exactly; a session that repeats
 * itself after that many others does it unnoticed.
 */
final class SessionRules {
  /** How long the shards of one request may take. */
  static final int SHARD_SECONDS = 10;

  /** How many texts of sessions, and how many sessions, are remembered at least. */
  static final int REMEMBERED = 1 << 20;

  /** Characters that a query may have: nobody types more, programs paste whole pages. */
  static final int LONGEST_TEXT = 2048;

  private static final int HOUR = 3600;
  private static final int MOST_SHARDS = 24;
  private static final long COUNT = Integer.MAX_VALUE;

  private final long windowSeconds;
  private final int queriesAnHour;
  private final boolean dropRobots;
  private final RecentEvents askedAt = new RecentEvents(REMEMBERED);
  private final RecentEvents askedThisHour = new RecentEvents(REMEMBERED);
  private final RecentEvents shardsSeen = new RecentEvents(REMEMBERED);
  private final RecentEvents robots = new RecentEvents(REMEMBERED);
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

  Fate fate(LogEntry entry) {
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
    long session = number(entry.session());
    if (isRepeated(mix(session + entry.text().hashCode()), entry.epochSecond())) {
      return Fate.REPEATED;
    }
    return isRobot(session, entry.epochSecond()) && dropRobots ? Fate.ROBOT : Fate.KEPT;
  }

  private boolean isRepeated(long event, long now) {
    long before = askedAt.exchange(event, now);
    return before != RecentEvents.UNKNOWN && Math.abs(now - before) <= windowSeconds;
  }

  /** An hour's number and the queries asked in it are kept in one number. */
  private boolean isRobot(long session, long now) {
    long hour = Math.floorDiv(now, HOUR) & 0xffff_ffffL;
    long first = hour << 31 | 1;
    long before = askedThisHour.exchange(session, first);
    if (before == RecentEvents.UNKNOWN || before >>> 31 != hour) {
      return false;
    }
    long count = (before & COUNT) + 1;
    askedThisHour.exchange(session, hour << 31 | Math.min(count, COUNT));
    if (count <= queriesAnHour) {
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

  private static long mix(long bits) {
    long mixed = (bits ^ bits >>> 32) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 32;
  }
}
