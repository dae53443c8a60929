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
    Draft draft = new Draft();
    int column = 0;
    for (int from = 0; from <= line.length(); column++) {
      int to = column == columns.length ? -1 : Fields.end(line, from, separator);
      if (to < 0) {
        return new LogRemark(Fate.OTHER_FORM);
      }
      boolean quoted = separator != '\t' && to > from && line.charAt(from) == '"';
      if (quoted) {
        String field = Fields.content(line, from, to, separator);
        draft.set(columns[column], field, 0, field.length());
      } else {
        draft.set(columns[column], line, from, to);
      }
      from = to + 1;
    }
    return column < needed ? new LogRemark(Fate.FIELD_MISSING) : draft.record();
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

    /** What a column adds, given by where it stands in a line. */
    void set(Column column, String line, int from, int to) {
      switch (column) {
        case QUERY -> text = line.substring(from, to);
        case SESSION -> session = line.substring(from, to);
        case TIMESTAMP -> {
          epochSecond = LogTime.epochSecond(line, from, to);
          require(epochSecond != LogTime.NONE, Fate.BAD_TIME);
        }
        case OFFSET -> {
          offset = Fields.number(line, from, to);
          require(offset >= 0, Fate.BAD_NUMBER);
        }
        case RANK -> {
          rank = Fields.number(line, from, to);
          require(rank >= 0, Fate.BAD_NUMBER);
        }
        case COUNT -> {
          count = Fields.number(line, from, to);
          require(count > 0, Fate.BAD_NUMBER);
        }
        case IGNORED -> {}
      }
    }

    private void require(boolean right, Fate otherwise) {
      if (!right && problem == null) {
        problem = otherwise;
      }
    }

    LogRecord record() {
      return problem != null
          ? new LogRemark(problem)
          : new LogEntry(text, session, epochSecond, offset, rank, count, -1);
    }
  }
}
