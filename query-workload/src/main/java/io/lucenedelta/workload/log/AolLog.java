// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;

/**
 * The shape of the AOL log of 2006: {@code AnonID, Query, QueryTime, ItemRank, ClickURL} between
 * tabs, usually below a header.
 *
 * <p>Used: all but the address. A line is a query event or a click on a result of one: with several
 * clicks, or a look at the next page, the query stands there again, so one query is the same text
 * of the same user within the session window. A click is a line with a rank.
 */
final class AolLog {
  static final String NAME = "aol";
  static final List<Column> COLUMNS =
      List.of(Column.SESSION, Column.QUERY, Column.TIMESTAMP, Column.RANK, Column.IGNORED);
  private static final String HEADER = "AnonID\tQuery\tQueryTime\tItemRank\tClickURL";

  private AolLog() {}

  static LogFormat format(char separator) {
    return new DelimitedLog(NAME, separator, COLUMNS, header(separator));
  }

  private static String header(char separator) {
    return HEADER.replace('\t', separator);
  }

  /** Whether a log is one by its shape, where another header does not say what its columns are. */
  static boolean isRecognised(FirstLines firstLines) {
    return hasHeader(firstLines, '\t')
        || (matches(firstLines, '\t') && !TableLog.hasHeaderOfFirst(firstLines, '\t'));
  }

  private static boolean hasHeader(FirstLines firstLines, char separator) {
    return firstLines.lines().get(0).equals(header(separator));
  }

  /** Whether a log that is called one has its columns between these. */
  static boolean matches(FirstLines firstLines, char separator) {
    if (hasHeader(firstLines, separator)) {
      return true;
    }
    int width = firstLines.width(separator);
    return (width == 3 || width == 5)
        && FirstLines.mostly(firstLines.column(separator, 0), FirstLines::isNumber)
        && FirstLines.mostly(firstLines.column(separator, 2), FirstLines::isTime);
  }
}
