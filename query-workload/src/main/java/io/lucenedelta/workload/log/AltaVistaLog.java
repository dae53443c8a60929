// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The AltaVista shape: {@code timestamp, session, query, result offset} between tabs, in this order
 * or another, the offset present or not.
 *
 * <p>Used: all four. One query: a line with offset 0 whose text the session did not ask within the
 * session window. No clicks.
 */
final class AltaVistaLog {
  static final String NAME = "altavista";
  static final List<Column> COLUMNS =
      List.of(Column.TIMESTAMP, Column.SESSION, Column.QUERY, Column.OFFSET);

  /** Results that a page has at least. */
  private static final int SHORTEST_PAGE = 5;

  private AltaVistaLog() {}

  /**
   * Finds out what the columns are by what stands in them: one of times, of several the first that
   * is written as a date, else the one that goes on and never back, for sessions may be numbers
   * too; of those of small numbers the one with the most zeros is the offset, or nothing of use if
   * its numbers are not those of pages; and of the others the one whose fields have more blanks is
   * the query, of equals the one whose fields have fewer digits, of equals the last.
   */
  static Optional<LogFormat> recognise(FirstLines firstLines, char separator) {
    int width = firstLines.width(separator);
    if (width < 3 || width > 4) {
      return Optional.empty();
    }
    List<List<String>> fields =
        IntStream.range(0, width).mapToObj(column -> firstLines.column(separator, column)).toList();
    List<Column> columns = new ArrayList<>(Collections.nCopies(width, Column.SESSION));
    List<Integer> rest = new ArrayList<>(IntStream.range(0, width).boxed().toList());
    Optional<Time> time = time(fields);
    time.ifPresent(found -> take(found.column(), Column.TIMESTAMP, columns, rest));
    Optional<Integer> numbers = offset(fields, rest);
    boolean pages = numbers.isEmpty() || arePages(fields.get(numbers.get()));
    Column use = pages ? Column.OFFSET : Column.IGNORED;
    numbers.ifPresent(column -> take(column, use, columns, rest));
    if (time.isEmpty() || rest.size() > 2) {
      return Optional.empty();
    }
    int query =
        rest.stream()
            .max(
                Comparator.comparingLong((Integer column) -> FirstLines.blanks(fields.get(column)))
                    .thenComparingLong(column -> -withDigits(fields.get(column)))
                    .thenComparing(Comparator.naturalOrder()))
            .orElseThrow();
    columns.set(query, Column.QUERY);
    boolean told =
        time.get().isCertain()
            && (rest.size() < 2 || tellApart(fields.get(rest.get(0)), fields.get(rest.get(1))));
    String doubt = !pages ? noPages(columns, numbers.get()) : told ? null : doubt(columns);
    return Optional.of(new DelimitedLog(NAME, separator, columns, null, doubt));
  }

  /**
   * Whether the first line names columns, as those of no log of this shape do. A table whose header
   * names none of queries has other texts in the place of them.
   */
  static boolean isTable(FirstLines firstLines) {
    List<String> names = Fields.of(firstLines.lines().get(0), '\t');
    List<Column> known = names.stream().flatMap(name -> Column.named(name).stream()).toList();
    return known.stream().anyMatch(column -> column != Column.IGNORED)
        && !known.contains(Column.QUERY)
        && names.stream().noneMatch(name -> FirstLines.isNumber(name) || FirstLines.isTime(name));
  }

  /**
   * The form that a log is in that is known to be one of these, whatever stands between columns:
   * the usual one if that fits, whatever sessions look like.
   */
  static Optional<LogFormat> named(FirstLines firstLines) {
    return TableLog.separator(firstLines, separator -> recognise(firstLines, separator).isPresent())
        .flatMap(
            separator ->
                isUsual(firstLines, separator)
                    ? Optional.of(
                        new DelimitedLog(
                            NAME, separator, COLUMNS.subList(0, firstLines.width(separator)), null))
                    : recognise(firstLines, separator));
  }

  /** Whether times stand first and offsets last, or there are none. */
  private static boolean isUsual(FirstLines firstLines, char separator) {
    int width = firstLines.width(separator);
    List<String> last = firstLines.column(separator, width - 1);
    boolean ends =
        width == COLUMNS.size()
            ? FirstLines.mostly(last, FirstLines::isOffset)
            : !FirstLines.mostly(last, AltaVistaLog::isFirstPage);
    return ends && FirstLines.mostly(firstLines.column(separator, 0), FirstLines::isTime);
  }

  /** The column of times, and whether no other could be. */
  private record Time(Integer column, boolean isCertain) {}

  private static Optional<Time> time(List<List<String>> fields) {
    List<Integer> times =
        IntStream.range(0, fields.size())
            .filter(column -> FirstLines.mostly(fields.get(column), FirstLines::isTime))
            .boxed()
            .toList();
    Optional<Integer> date =
        times.stream()
            .filter(column -> FirstLines.mostly(fields.get(column), AltaVistaLog::isDate))
            .findFirst();
    if (date.isPresent() || times.size() < 2) {
      return date.or(() -> times.stream().findFirst()).map(column -> new Time(column, true));
    }
    List<Integer> passing = times.stream().filter(column -> passes(fields.get(column))).toList();
    long most = times.stream().mapToLong(column -> distinct(fields.get(column))).max().orElse(0);
    boolean certain = passing.size() == 1 && distinct(fields.get(passing.get(0))) == most;
    return Optional.of(new Time(certain ? passing.get(0) : times.get(0), certain));
  }

  /** Sessions come again more often than times do. */
  private static long distinct(List<String> fields) {
    return fields.stream().distinct().count();
  }

  /** Whether a time is written as a date and not as a bare number. */
  private static boolean isDate(String time) {
    return time.indexOf('-') > 0 || time.indexOf('/') > 0;
  }

  /** Whether times go on, and never back. */
  private static boolean passes(List<String> times) {
    long[] seconds =
        times.stream()
            .mapToLong(LogTime::epochSecond)
            .filter(second -> second != LogTime.NONE)
            .toArray();
    return seconds[0] < seconds[seconds.length - 1]
        && IntStream.range(1, seconds.length).allMatch(i -> seconds[i] >= seconds[i - 1]);
  }

  private static long withDigits(List<String> fields) {
    return fields.stream().filter(field -> field.chars().anyMatch(Character::isDigit)).count();
  }

  /** Whether one column has more blanks, or nearly all digits that there are. */
  private static boolean tellApart(List<String> one, List<String> other) {
    long least = Math.min(withDigits(one), withDigits(other));
    long most = Math.max(withDigits(one), withDigits(other));
    return FirstLines.blanks(one) != FirstLines.blanks(other) || (least <= most / 4 && most > 0);
  }

  /** Numbers of hits, or ranks of clicks, as offsets would make further pages of most queries. */
  private static String noPages(List<Column> columns, int numbers) {
    List<Column> withOffset = new ArrayList<>(columns);
    withOffset.set(numbers, Column.OFFSET);
    return "the numbers of column %d are not often 0 and else whole pages, so they were taken for no result offsets; use --columns %s, or in a program LogFormats.withColumns, if they are"
        .formatted(numbers + 1, Column.names(withOffset));
  }

  private static String doubt(List<Column> columns) {
    return "what is which in this log hardly shows in its first lines: the columns were taken as %s, use --columns, or in a program LogFormats.withColumns, if they are others"
        .formatted(Column.names(columns));
  }

  private static void take(Integer column, Column as, List<Column> columns, List<Integer> rest) {
    columns.set(column, as);
    rest.remove(/* element */ column);
  }

  /** If two are left, neither is the offset unless it is mostly zeros: a session comes first. */
  private static Optional<Integer> offset(List<List<String>> fields, List<Integer> rest) {
    return rest.stream()
        .filter(column -> FirstLines.mostly(fields.get(column), FirstLines::isOffset))
        .filter(
            column ->
                rest.size() > 2 || FirstLines.mostly(fields.get(column), AltaVistaLog::isFirstPage))
        .max(
            Comparator.comparingLong((Integer column) -> firstPages(fields.get(column)))
                .thenComparing(Comparator.naturalOrder()));
  }

  /**
   * Whether numbers are offsets of pages: a quarter of them none, and most others multiples of one
   * length. Numbers of hits are not, nor are ranks of clicks.
   */
  private static boolean arePages(List<String> fields) {
    List<Integer> numbers =
        fields.stream().filter(FirstLines::isNumber).map(Fields::number).toList();
    List<Integer> further = numbers.stream().filter(number -> number > 0).toList();
    return 4 * further.size() <= 3 * numbers.size()
        && (further.isEmpty()
            || further.stream()
                .distinct()
                .filter(length -> length >= SHORTEST_PAGE)
                .anyMatch(length -> FirstLines.mostly(further, number -> number % length == 0)));
  }

  /** Not those that are a dash, as sessions may be. */
  private static long firstPages(List<String> fields) {
    return fields.stream()
        .filter(field -> isFirstPage(field) && field.chars().anyMatch(Character::isDigit))
        .count();
  }

  private static boolean isFirstPage(String field) {
    return Fields.number(field) == 0;
  }
}
