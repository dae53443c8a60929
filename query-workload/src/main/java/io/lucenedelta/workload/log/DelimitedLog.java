// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A log of columns between separators; the columns say which field is what. Behind all formats of
 * this shape: AltaVista, AOL, counts, and tables with a header line; below one with names of
 * Matomo's tables queries are escaped, see {@link HtmlEscapes}.
 *
 * <p>Columns at the end that are not needed (clicked rank, ignored ones) may be missing in a line;
 * more fields than columns are not in the format. With any separator but the tab a field may stand
 * in double quotes, doubled inside; a line is an entry all the same, so no field has a line break:
 * the halves of one that has are not in the format. Where no field of the first lines is in quotes,
 * a quote at the end of one is no half of anything. Blanks around a field are no part of it.
 */
final class DelimitedLog implements ByteLogFormat {
  /** As servers write what is not there; and databases, into files and to terminals. */
  private static final List<byte[]> NOTHING = bytes("-", "\\N", "NULL");

  /** The one of these that nobody types. */
  private static final List<byte[]> NO_TEXT = bytes("\\N");

  /** As analytics write beside counts for all queries that they do not know or do not tell. */
  private static final List<byte[]> NO_QUERY =
      bytes("\\N", "(not set)", "(not provided)", "(other)", "(data not available)");

  private final String name;
  private final byte separator;
  private final Column[] columns;
  private final byte[][] header; // the lines of it, none without one
  private final boolean escaped; // whether queries are, as in a database of Matomo's
  private final String doubt; // null without any
  private final int needed;
  private final List<byte[]> noQuery; // what stands for none
  private final boolean halves; // whether there may be any of fields with a line break

  /**
   * @param columns with {@link Column#QUERY} exactly once
   * @param header the line with the names of the columns, behind lines that go with it, or null
   */
  DelimitedLog(String name, char separator, List<Column> columns, String header) {
    this(name, separator, columns, header, null);
  }

  /**
   * @param doubt what may have been taken for something else, or null
   */
  DelimitedLog(String name, char separator, List<Column> columns, String header, String doubt) {
    requireOneQuery(columns);
    this.name = name;
    this.separator = (byte) separator;
    this.columns = columns.toArray(Column[]::new);
    this.header =
        header == null
            ? new byte[0][]
            : header
                .lines()
                .map(line -> line.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
    this.needed = needed(columns);
    this.noQuery = columns.contains(Column.COUNT) ? NO_QUERY : NO_TEXT;
    this.doubt = doubt;
    this.escaped = header != null && HtmlEscapes.areBelow(header, separator);
    this.halves = Fields.quotes(this.separator);
  }

  private DelimitedLog(DelimitedLog other, String name, boolean halves) {
    this.name = name;
    this.separator = other.separator;
    this.columns = other.columns;
    this.header = other.header;
    this.escaped = other.escaped;
    this.doubt = other.doubt;
    this.needed = other.needed;
    this.noQuery = other.noQuery;
    this.halves = halves;
  }

  private static List<byte[]> bytes(String... texts) {
    return Stream.of(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
  }

  static void requireOneQuery(List<Column> columns) {
    if (columns.stream().filter(column -> column == Column.QUERY).count() != 1) {
      throw new IllegalArgumentException(
          "the columns of a log need query exactly once, were " + columns);
    }
  }

  /** The same for a log of these first lines, which show whether fields stand in quotes. */
  DelimitedLog beginningWith(FirstLines firstLines) {
    return new DelimitedLog(this, name, halves && firstLines.hasQuotedFields((char) separator));
  }

  /** The same by another name. */
  DelimitedLog called(String other) {
    return new DelimitedLog(this, other, halves);
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
  public Optional<String> doubt() {
    return Optional.ofNullable(doubt);
  }

  @Override
  public Fate read(byte[] line, int from, int to, EntryDraft entry) {
    entry.clear();
    if (isHeader(line, from, to)) {
      return Fate.HEADER;
    }
    String badField = "";
    Fate problem = null;
    int column = 0;
    for (int at = from; at <= to; column++) {
      int end = column == columns.length ? -1 : Fields.end(line, at, to, separator);
      if (end < 0 || (column == 0 && halves && Fields.isSecondHalf(line, at, end))) {
        return Fate.OTHER_FORM;
      }
      boolean quoted = Fields.isQuoted(line, at, end, separator);
      byte[] field = quoted ? Fields.unquoted(line, at, end) : line;
      int fieldFrom = quoted ? 0 : at;
      int fieldTo = quoted ? field.length : end;
      while (fieldFrom < fieldTo && field[fieldFrom] == ' ') {
        fieldFrom++;
      }
      while (fieldFrom < fieldTo && field[fieldTo - 1] == ' ') {
        fieldTo--;
      }
      Fate wrong = set(columns[column], field, fieldFrom, fieldTo, entry);
      if (problem == null && wrong != null) {
        problem = wrong;
        badField = named(columns[column], field, fieldFrom, fieldTo);
      }
      at = end + 1;
    }
    if (column < needed) {
      return Fate.FIELD_MISSING;
    }
    if (escaped) {
      HtmlEscapes.undo(entry);
    }
    entry.badField = badField;
    return problem;
  }

  private boolean isHeader(byte[] line, int from, int to) {
    for (byte[] known : header) {
      if (Arrays.equals(line, from, to, known, 0, known.length)) {
        return true;
      }
    }
    return false;
  }

  /** A field behind the name of its column. */
  private static String named(Column column, byte[] line, int from, int to) {
    String name = column.name().toLowerCase(Locale.ROOT);
    return name + " " + new String(line, from, to - from, StandardCharsets.UTF_8);
  }

  private static boolean isOneOf(List<byte[]> nones, byte[] line, int from, int to) {
    for (byte[] none : nones) {
      if (Arrays.equals(none, 0, none.length, line, from, to)) {
        return true;
      }
    }
    return false;
  }

  /** A whole number; 0 for what stands for nothing, -1 for anything else. */
  private static int numberOrNothing(byte[] line, int from, int to) {
    int number = Fields.number(line, from, to);
    return number < 0 && isOneOf(NOTHING, line, from, to) ? 0 : number;
  }

  /** What a column adds to an entry, given by where it stands; null unless it cannot be read. */
  private Fate set(Column column, byte[] line, int from, int to, EntryDraft entry) {
    return switch (column) {
      case QUERY -> {
        if (!isOneOf(noQuery, line, from, to)) {
          entry.text(line, from, to);
        }
        yield null;
      }
      case SESSION -> {
        if (!isOneOf(NOTHING, line, from, to)) {
          entry.session(line, from, to);
        }
        yield null;
      }
      case TIMESTAMP -> {
        entry.epochSecond = LogTime.epochSecond(line, from, to);
        yield entry.epochSecond == LogTime.NONE ? Fate.BAD_TIME : null;
      }
      case OFFSET -> {
        entry.offset = numberOrNothing(line, from, to);
        yield entry.offset < 0 ? Fate.BAD_NUMBER : null;
      }
      case RANK -> {
        int rank = numberOrNothing(line, from, to);
        entry.rank = rank == 0 && Fields.saysZero(line, from, to) ? LogEntry.RANK_ZERO : rank;
        yield rank < 0 ? Fate.BAD_NUMBER : null;
      }
      case COUNT -> {
        int count = Fields.count(line, from, to);
        entry.count = count;
        yield count <= 0 ? Fate.BAD_NUMBER : null;
      }
      case IGNORED -> null;
    };
  }
}
