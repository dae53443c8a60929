// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How often something was asked in logs that tell of clicks: what a click at a rank is weighed
 * against. Logs of a kind count together, however they were cut into files: an hour without a click
 * counts like the others, and clicks may stand apart from queries, as events of UBI do. A kind is a
 * format, but each table is one for itself, since only some have a column of ranks.
 *
 * <p>A table of clicks alone, whose lines repeat queries of another, goes with all tables whose
 * lines it can repeat, those with times and sessions. That its queries are elsewhere shows by their
 * clicks: where queries stand, some have none. Not safe for use by several threads.
 */
final class ClickedLogs {
  private final Map<String, Kind> kinds = new HashMap<>();
  private Kind current;

  /** Logs that count together. */
  private static final class Kind {
    private final boolean table;
    private double asked;
    private boolean clicked;
    private boolean unclicked; // whether a query is without a click
    private boolean repeatable; // whether one may stand in another log, too
    private boolean timed; // whether a line has a time
    private boolean ofSessions; // whether one has a session

    Kind(boolean table) {
      this.table = table;
    }

    boolean isOfClicksAlone() {
      return table && clicked && repeatable && !unclicked;
    }

    /** Whether nothing tells which of its lines are clicks on the results of one query. */
    boolean isOfClicksOfNobody() {
      return table && clicked && timed && !ofSessions && !unclicked;
    }
  }

  /** A new log begins. */
  void begin(String log, String format) {
    boolean table = TableLog.NAMES.contains(format);
    current = kinds.computeIfAbsent(table ? format + " " + log : format, kind -> new Kind(table));
  }

  /**
   * A line that asks something, whether it counts or not.
   *
   * @param timed whether its time is known
   * @param ofSession whether its session is; with both, others can repeat it
   * @param clicks whether it has a rank
   */
  void asks(boolean timed, boolean ofSession, boolean clicks) {
    current.repeatable |= timed && ofSession;
    current.timed |= timed;
    current.ofSessions |= ofSession;
    current.unclicked |= !clicks;
  }

  /** A query that counts so often. */
  void query(double times) {
    current.asked += times;
  }

  void click() {
    current.clicked = true;
  }

  /** What there is to doubt about the current log. */
  Optional<String> doubt() {
    return current.isOfClicksOfNobody()
        ? Optional.of(
            "every query has a rank and none a session, and each click counts as a query; if queries"
                + " with several clicks stand there several times, or in another log, too, leave"
                + " this one out, or give it a column of sessions")
        : Optional.empty();
  }

  double asked() {
    boolean alone = kinds.values().stream().anyMatch(Kind::isOfClicksAlone);
    return kinds.values().stream()
        .filter(kind -> kind.clicked || (alone && kind.table && kind.repeatable))
        .mapToDouble(kind -> kind.asked)
        .sum();
  }
}
