// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

/**
 * A line that asks something.
 *
 * @param text the query as typed, decoded; may be empty
 * @param session who asked, as far as the log tells sessions apart; empty when it does not
 * @param epochSecond when, or {@link #NO_TIME}
 * @param offset how many results lie before the page that was requested; 0 for the first page
 * @param clickedRank rank of the result that was clicked, 1 being the first of all pages, not of
 *     the page requested; 0 when none was, and {@link #RANK_ZERO} where the line says 0
 * @param count how often the query was asked, and with a rank clicked on; 1 in a log of events,
 *     over 0
 * @param shard a number for the shard, and its index, that reports, or -1 when lines are not by
 *     shard
 * @param recoded whether the text was sent in escapes that are not UTF-8, read as windows-1252
 */
public record LogEntry(
    String text,
    String session,
    long epochSecond,
    int offset,
    int clickedRank,
    double count,
    int shard,
    boolean recoded)
    implements LogRecord {

  /** The log does not say when. */
  public static final long NO_TIME = Long.MIN_VALUE;

  /** The line says that the rank is 0: it may count from there, or mean that nobody clicked. */
  public static final int RANK_ZERO = -1;

  /** A query asked once, of which no more is known. */
  public static LogEntry of(String text) {
    return new LogEntry(text, "", NO_TIME, 0, 0, 1, -1, false);
  }

  /** The same, asked by a session. */
  public LogEntry by(String who) {
    return new LogEntry(text, who, epochSecond, offset, clickedRank, count, shard, recoded);
  }

  /** The same, asked at a time. */
  public LogEntry at(long second) {
    return new LogEntry(text, session, second, offset, clickedRank, count, shard, recoded);
  }

  /** The same, for the result page that begins behind {@code resultsBefore} results. */
  public LogEntry page(int resultsBefore) {
    return new LogEntry(
        text, session, epochSecond, resultsBefore, clickedRank, count, shard, recoded);
  }

  /** The same, reported by a shard. */
  public LogEntry onShard(int number) {
    return new LogEntry(text, session, epochSecond, offset, clickedRank, count, number, recoded);
  }

  /** The same, with a text that was not sent as UTF-8 and was read as windows-1252, or not. */
  public LogEntry recoded(boolean asWestern) {
    return new LogEntry(text, session, epochSecond, offset, clickedRank, count, shard, asWestern);
  }
}
