// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * What {@link DelimitedLog} must do, written the plain way: lines and fields are strings. The
 * yardstick of {@link ByteReadingTest}; it shares no line of code with what it measures but {@link
 * LogTime}, which reads ASCII only.
 */
final class DelimitedLogByText implements LogFormat {
  private static final Pattern THOUSANDS = Pattern.compile("[1-9][0-9]{0,2}(,[0-9]{3}){1,2}");
  private static final int MOST_DIGITS = 9;

  private final String name;
  private final char separator;
  private final Column[] columns;
  private final String header;
  private final int needed;

  /**
   * @param columns with {@link Column#QUERY} exactly once
   * @param header the line with the names of the columns, or null
   */
  DelimitedLogByText(String name, char separator, List<Column> columns, String header) {
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
    Draft draft = new Draft();
    int column = 0;
    for (int from = 0; from <= line.length(); column++) {
      int to = column == columns.length ? -1 : end(line, from, separator);
      if (to < 0 || (column == 0 && isSecondHalf(line.substring(from, to), separator))) {
        return new LogRemark(Fate.OTHER_FORM);
      }
      String field = content(line, from, to, separator).replaceAll("^ +| +\\z", "");
      draft.set(columns[column], field, 0, field.length());
      from = to + 1;
    }
    return column < needed
        ? new LogRemark(Fate.FIELD_MISSING)
        : draft.record(List.of(columns).contains(Column.COUNT));
  }

  /** An entry as far as it was read, and the first thing that is wrong with it. */
  private static final class Draft {
    private String text = "";
    private String session = "";
    private long epochSecond = LogEntry.NO_TIME;
    private int offset;
    private int rank;
    private int count = 1;
    private Fate problem;
    private String badField = "";

    /** What a column adds, given by where it stands in a line. */
    void set(Column column, String line, int from, int to) {
      switch (column) {
        case QUERY -> text = line.substring(from, to);
        case SESSION -> {
          String field = line.substring(from, to);
          session = field.matches("-|NULL|\\\\N") ? "" : field;
        }
        case TIMESTAMP -> {
          epochSecond = LogTime.epochSecond(line.substring(from, to));
          require(epochSecond != LogTime.NONE, Fate.BAD_TIME, column, line, from, to);
        }
        case OFFSET -> {
          offset = numberOrNothing(line, from, to);
          require(offset >= 0, Fate.BAD_NUMBER, column, line, from, to);
        }
        case RANK -> {
          rank = numberOrNothing(line, from, to);
          require(rank >= 0, Fate.BAD_NUMBER, column, line, from, to);
          if (rank == 0 && line.substring(from, to).contains("0")) {
            rank = LogEntry.RANK_ZERO;
          }
        }
        case COUNT -> {
          String digits = line.substring(from, to).strip();
          count =
              THOUSANDS.matcher(digits).matches()
                  ? Integer.parseInt(digits.replace(",", ""))
                  : number(line, from, to);
          require(count > 0, Fate.BAD_NUMBER, column, line, from, to);
        }
        case IGNORED -> {}
      }
    }

    private void require(
        boolean right, Fate otherwise, Column column, String line, int from, int to) {
      if (!right && problem == null) {
        problem = otherwise;
        badField = column.name().toLowerCase(Locale.ROOT) + " " + line.substring(from, to);
      }
    }

    LogRecord record(boolean counted) {
      if (text.equals("\\N")
          || (counted && text.matches("\\((not (set|provided)|other|data not available)\\)"))) {
        text = "";
      }
      return problem != null
          ? new LogRemark(problem, badField)
          : new LogEntry(text, session, epochSecond, offset, rank, count, -1, false);
    }
  }

  /** Whether fields may be quoted. */
  private static boolean quotes(char separator) {
    return separator != '\t';
  }

  /** The end of the field that begins at {@code from}; -1 if it has an opening quote only. */
  private static int end(String line, int from, char separator) {
    if (quotes(separator) && from < line.length() && line.charAt(from) == '"') {
      int at = from + 1;
      while (at < line.length()) {
        if (line.charAt(at) != '"') {
          at++;
        } else if (at + 1 < line.length() && line.charAt(at + 1) == '"') {
          at += 2;
        } else {
          boolean closed = at + 1 == line.length() || line.charAt(at + 1) == separator;
          return closed ? at + 1 : -1;
        }
      }
      return -1;
    }
    int end = line.indexOf(separator, from);
    return end < 0 ? line.length() : end;
  }

  /** Whether a field closes a quote that it does not open. */
  private static boolean isSecondHalf(String field, char separator) {
    return quotes(separator)
        && !field.startsWith("\"")
        && field.endsWith("\"")
        && field.chars().filter(c -> c == '"').count() % 2 == 1;
  }

  /** What the field in {@code [from, to)} says, quotes removed. */
  private static String content(String line, int from, int to, char separator) {
    if (quotes(separator) && to - from >= 2 && line.charAt(from) == '"') {
      return line.substring(from + 1, to - 1).replace("\"\"", "\"");
    }
    return line.substring(from, to);
  }

  private static int numberOrNothing(String line, int from, int to) {
    String field = line.substring(from, to);
    return field.equals("NULL") || field.equals("\\N") ? 0 : number(line, from, to);
  }

  /** A whole number up to nine digits; 0 for nothing or a dash, -1 for anything else. */
  private static int number(String line, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && line.charAt(first) == ' ') {
      first++;
    }
    while (first < end && line.charAt(end - 1) == ' ') {
      end--;
    }
    if (first == end || (end - first == 1 && line.charAt(first) == '-')) {
      return 0;
    }
    if (end - first > MOST_DIGITS) {
      return -1;
    }
    int number = 0;
    for (int i = first; i < end; i++) {
      char c = line.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + (c - '0');
    }
    return number;
  }
}
