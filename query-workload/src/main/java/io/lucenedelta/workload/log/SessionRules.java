// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.time.Duration;

/**
 * Which lines are queries of their own: the one place where the history of a log matters. That an
 * offset over 0 asks for a further page is plain before, see {@link ParsedLines}.
 *
 * <ul>
 *   <li>The same text from the same session, no longer than the session window after the last time,
 *       is a repetition. Where a log has no times, texts never repeat; where it has no sessions,
 *       every line is its own.
 *   <li>The same text from another shard within {@link #SHARD_SECONDS} is the same request. If
 *       requests for a text overlap in time, as many count as the shard that reports most of them
 *       has records.
 *   <li>A session with more queries in an hour than the limit is a robot; what it asks beyond the
 *       limit is marked so, and what it asked before is not.
 * </ul>
 *
 * What is remembered of sessions is bounded, see {@link SessionMemory}.
 */
final class SessionRules {
  /** How long the shards of one request may take. */
  static final int SHARD_SECONDS = 10;

  /** Requests are told apart by their second and these bits of their number. */
  private static final int NUMBER_BITS = 24;

  /** The lower bits of that number, by which the requests of a burst are told apart. */
  private static final int BURST_BITS = 12;

  private final long windowSeconds;
  private final int queriesAnHour;
  private final boolean dropRobots;
  private final SessionMemory sessions = new SessionMemory(SessionMemory.REMEMBERED);
  private final RecentEvents requests = new RecentEvents(SessionMemory.REMEMBERED);
  private final RecentEvents shardsSeen = new RecentEvents(SessionMemory.REMEMBERED);
  private final RecentEvents robots = new RecentEvents(SessionMemory.REMEMBERED);
  private long robotSessions;
  private long robotQueries;
  private boolean knowsSessions;
  private boolean beyond; // whether the last line asks, or repeats, what is beyond the limit

  SessionRules(Duration window, int queriesAnHour, boolean dropRobots) {
    this.windowSeconds = window.toSeconds();
    this.queriesAnHour = queriesAnHour;
    this.dropRobots = dropRobots;
  }

  /** Whether a line said who asked and when. */
  boolean knowsSessions() {
    return knowsSessions;
  }

  /** Sessions that asked more than a person does. */
  long robotSessions() {
    return robotSessions;
  }

  /** Queries of such sessions beyond the limit. */
  long robotQueries() {
    return robotQueries;
  }

  /** Reads what is remembered of a session early, see {@link SessionMemory#prefetch}. */
  long prefetch(long session) {
    return sessions.prefetch(session);
  }

  /**
   * Whether what the line that was asked for last clicked is left out, since its query is, being
   * beyond the limit of its session: a repetition is not counted, but its click belongs to what it
   * repeats, however much the session asked since.
   */
  boolean leavesOutClick() {
    return beyond && dropRobots;
  }

  /**
   * The same of a line for a further page: its click belongs to the query whose page that is. One
   * of which no first page is remembered belongs to none that is left out.
   */
  boolean leavesOutClickOfFurtherPage(ParsedLines lines, int line) {
    return dropRobots
        && lines.isOfSession(line)
        && sessions.isMarked(lines.session(line), lines.fingerprint(line));
  }

  /** What becomes of a line whose fate depends on the lines before. */
  Fate fate(ParsedLines lines, int line) {
    beyond = false;
    long now = lines.epochSecond(line);
    long text = lines.fingerprint(line);
    if (lines.shard(line) >= 0 && isShardRepeat(text, lines.shard(line), now)) {
      return Fate.SHARD_REPEAT;
    }
    long session = lines.session(line);
    if (session == 0 || now == LogEntry.NO_TIME) {
      return Fate.KEPT;
    }
    knowsSessions = true;
    long before = sessions.asks(session, text, now);
    if (before != SessionMemory.NEVER && Math.abs(now - before) <= windowSeconds) {
      beyond = sessions.wasMarked();
      markBeyond();
      return Fate.REPEATED;
    }
    beyond = isRobot(session, now);
    markBeyond();
    return beyond && dropRobots ? Fate.ROBOT : Fate.KEPT;
  }

  private void markBeyond() {
    if (beyond) {
      sessions.mark();
    }
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

  /**
   * Remembers the last request for each text, and for each of its shards the last one it reported.
   * Requests of a text that follow within seconds are a burst; a shard's first record in it is of
   * the first one, its second of the second. So those that overlap count once each, in any order.
   */
  private boolean isShardRepeat(long text, int shard, long second) {
    long now = second == LogEntry.NO_TIME ? 0 : second;
    long last = requests.last(text);
    boolean recent =
        last != RecentEvents.UNKNOWN && Math.abs(now - (last >> NUMBER_BITS)) <= SHARD_SECONDS;
    long number = last & ((1L << NUMBER_BITS) - 1); // 0 where nothing is remembered
    long first = number & -(1L << BURST_BITS); // of the burst
    long event = Fingerprint.mix(text + shard);
    long reported = shardsSeen.last(event);
    if (recent && reported != number) {
      boolean inBurst = reported >= first && reported < number;
      shardsSeen.exchange(event, inBurst ? reported + 1 : first);
      requests.exchange(text, last);
      return true;
    }
    long next = recent ? number + 1 : first + (1L << BURST_BITS);
    next &= (1L << NUMBER_BITS) - 1;
    shardsSeen.exchange(event, next);
    requests.exchange(text, now << NUMBER_BITS | next);
    return false;
  }
}
