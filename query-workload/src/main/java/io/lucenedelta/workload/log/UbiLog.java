// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Map;
import java.util.Set;

/**
 * User Behavior Insights of OpenSearch, queries and events, one JSON object a line; as documents,
 * as exported with {@code _source}, or between the action lines of a bulk request.
 *
 * <p>Used of queries: {@code user_query, client_id, timestamp}. Used of events: {@code action_name,
 * event_attributes.position.ordinal}. One query: a query document whose text the client did not ask
 * within the session window. A click: an event named {@code click}, {@code click_through} or {@code
 * result_click}; its rank is the ordinal, counted from 1.
 */
final class UbiLog implements LogFormat {
  static final String NAME = "ubi";
  private static final Set<String> CLICKS = Set.of("click", "click_through", "result_click");

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    return FlatJson.of(line).map(UbiLog::record).orElseGet(() -> new LogRemark(Fate.BAD_JSON));
  }

  /**
   * Whether the first lines are queries and events. Events alone will do: a page may be viewed a
   * hundred times before the first search.
   */
  boolean matches(FirstLines firstLines) {
    return firstLines.lines().stream().anyMatch(UbiLog::isQueryOrEvent)
        && FirstLines.mostly(firstLines.lines(), line -> FirstLines.isReadable(this, line));
  }

  private static boolean isQueryOrEvent(String line) {
    return FlatJson.of(line)
        .filter(json -> value(json, "action_name") != null || value(json, "user_query") != null)
        .isPresent();
  }

  private static LogRecord record(Map<String, String> json) {
    String action = value(json, "action_name");
    if (action != null) {
      return CLICKS.contains(action) ? click(json) : new LogRemark(Fate.OTHER_RECORD);
    }
    String text = value(json, "user_query");
    if (text == null) {
      return new LogRemark(isAction(json) ? Fate.OTHER_RECORD : Fate.FIELD_MISSING);
    }
    LogEntry entry = LogEntry.of(text);
    String client = value(json, "client_id");
    entry = client == null ? entry : entry.by(client);
    String time = value(json, "timestamp");
    if (time == null) {
      return entry;
    }
    long second = LogTime.epochSecond(time);
    return second == LogTime.NONE ? new LogRemark(Fate.BAD_TIME) : entry.at(second);
  }

  private static LogRecord click(Map<String, String> json) {
    String ordinal = value(json, "event_attributes.position.ordinal");
    int rank = ordinal == null ? 0 : Fields.number(ordinal);
    if (rank < 0) {
      return new LogRemark(Fate.BAD_NUMBER);
    }
    boolean zero = rank == 0 && ordinal != null && Fields.saysZero(ordinal);
    return new LogClick(zero ? LogEntry.RANK_ZERO : rank);
  }

  /** The line that precedes a document in a bulk request. */
  private static boolean isAction(Map<String, String> json) {
    return json.keySet().stream()
        .allMatch(path -> path.startsWith("index.") || path.startsWith("create."));
  }

  private static String value(Map<String, String> json, String path) {
    String value = json.get(path);
    return value != null ? value : json.get("_source." + path);
  }
}
