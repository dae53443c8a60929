// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What a column of a delimited log holds; other names of it that people use in headers. */
public enum Column {
  /** When it was asked. */
  TIMESTAMP("time", "date", "datetime", "querytime", "ts", "@timestamp", "server_time"),
  /** Who asked: a session, user, cookie or address; never stored. */
  SESSION(
      "sessionid",
      "session_id",
      "anonid",
      "user",
      "userid",
      "user_id",
      "client_id",
      "cookie",
      "idvisitor"),
  /** The text. The one column that must be there. */
  QUERY("q", "text", "keywords", "search", "search_term", "searchterm", "term", "user_query"),
  /** Results before the requested page; a number over 0 makes the line a next-page request. */
  OFFSET("start", "from", "result-offset", "result_offset", "resultoffset"),
  /** How often the query was asked and, if its line has a rank, clicked there. */
  COUNT("frequency", "freq", "searches", "volume"),
  /** Rank of the clicked result, 1 being the first of all pages; empty without a click. */
  RANK("itemrank", "click_rank", "clicked_rank", "position"),
  /** Anything else; {@code -} is a name of it too. */
  IGNORED("-", "id", "clickurl", "url");

  private final String otherNames;

  Column(String... otherNames) {
    this.otherNames = " " + String.join(" ", otherNames) + " ";
  }

  /** Several, as {@code --columns} takes them. */
  static String names(List<Column> columns) {
    return columns.stream()
        .map(column -> column == IGNORED ? "-" : column.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(","));
  }

  /** The column of a name, upper and lower case alike. */
  public static Optional<Column> named(String name) {
    String lower = name.strip().toLowerCase(Locale.ROOT);
    for (Column column : values()) {
      if (column.name().toLowerCase(Locale.ROOT).equals(lower)
          || (!lower.contains(" ") && column.otherNames.contains(" " + lower + " "))) {
        return Optional.of(column);
      }
    }
    return Optional.empty();
  }
}
