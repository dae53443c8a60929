// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;

/**
 * A log of columns between separators; the columns say which field is what. Behind all formats of
 * this shape: AltaVista, AOL, counts, TREC topics, and tables with a header line.
 *
 * <p>Columns at the end that are not needed (clicked rank, ignored ones) may be missing in a line;
 * more fields than columns are not in the format. With any separator but the tab a field may stand
 * in double quotes, doubled inside.
 */
final class DelimitedLog implements LogFormat {
  private final String name;
  private final char separator;
  private final Column[] columns;
  private final String header;
  private final int needed;

  /**
   * @param columns with {@link Column#QUERY} exactly once
   * @param header the line with the names of the columns, or null
   */
  DelimitedLog(String name, char separator, List<Column> columns, String header) {
    if (columns.stream().filter(column -> column == Column.QUERY).count() != 1) {
      throw new IllegalArgumentException(
          "the columns of a log need query exactly once, were " + columns);
    }
    this.name = name;
    this.separator = separator;
    this.columns = columns.toArray(Column[]::new);
    this.header = header;
    this.needed = needed(columns);
  }

  private static int needed(List<Column> columns) {
    int needed = columns.size();
    while (columns.get(needed - 1) == Column.RANK || columns.get(needed - 1) == Column.IGNORED) {
      needed--;
    }
    return needed;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public LogRecord read(String line) {
    if (line.equals(header)) {
      return new LogRemark(Fate.HEADER);
    }
    LogEntry entry = LogEntry.of("");
    int column = 0;
    for (int from = 0; from <= line.length(); column++) {
      if (column == columns.length) {
        return new LogRemark(Fate.OTHER_FORM);
      }
      int to = Fields.end(line, from, separator);
      if (to < 0) {
        return new LogRemark(Fate.OTHER_FORM);
      }
      LogRecord record = with(entry, columns[column], line, from, to);
      if (!(record instanceof LogEntry extended)) {
        return record;
      }
      entry = extended;
      from = to + 1;
    }
    return column < needed ? new LogRemark(Fate.FIELD_MISSING) : entry;
  }

  /** The entry with what a column adds, or why it cannot be. */
  private LogRecord with(LogEntry entry, Column column, String line, int from, int to) {
    if (column == Column.IGNORED) {
      return entry;
    }
    String field = Fields.content(line, from, to, separator);
    switch (column) {
      case QUERY:
        return new LogEntry(
            field,
            entry.session(),
            entry.epochSecond(),
            entry.offset(),
            entry.clickedRank(),
            entry.count(),
            -1);
      case SESSION:
        return entry.by(field);
      case TIMESTAMP:
        long second = LogTime.epochSecond(field.strip());
        return second == LogTime.NONE ? new LogRemark(Fate.BAD_TIME) : entry.at(second);
      case OFFSET:
        int offset = Fields.number(field);
        return offset < 0 ? new LogRemark(Fate.BAD_NUMBER) : entry.page(offset);
      case RANK:
        int rank = Fields.number(field);
        return rank < 0 ? new LogRemark(Fate.BAD_NUMBER) : entry.clicked(rank);
      case COUNT:
        int count = Fields.number(field);
        return count < 1 ? new LogRemark(Fate.BAD_NUMBER) : entry.times(count);
      default:
        return entry;
    }
  }
}
