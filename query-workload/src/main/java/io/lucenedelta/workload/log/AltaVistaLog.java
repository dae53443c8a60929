// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
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

  private AltaVistaLog() {}

  /**
   * Finds out what the columns are by what stands in them: one of times, of several the first that
   * is written as a date, else the first that never falls, for sessions may be numbers too; of
   * those of small numbers the one with the most zeros is the offset; and of the others the one
   * whose fields have more blanks is the query, of equals the one whose fields have fewer digits,
   * of equals the last.
   */
  static Optional<LogFormat> recognise(Sample sample, char separator) {
    int width = sample.width(separator);
    if (width < 3 || width > 4) {
      return Optional.empty();
    }
    List<List<String>> fields =
        IntStream.range(0, width).mapToObj(column -> sample.column(separator, column)).toList();
    List<Column> columns = new ArrayList<>(Collections.nCopies(width, Column.SESSION));
    List<Integer> rest = new ArrayList<>(IntStream.range(0, width).boxed().toList());
    Optional<Integer> time = time(fields);
    time.ifPresent(column -> take(column, Column.TIMESTAMP, columns, rest));
    offset(fields, rest).ifPresent(column -> take(column, Column.OFFSET, columns, rest));
    if (time.isEmpty() || rest.size() > 2) {
      return Optional.empty();
    }
    int query =
        rest.stream()
            .max(
                Comparator.comparingLong((Integer column) -> Sample.blanks(fields.get(column)))
                    .thenComparingLong(column -> -withDigits(fields.get(column)))
                    .thenComparing(Comparator.naturalOrder()))
            .orElseThrow();
    columns.set(query, Column.QUERY);
    boolean alike =
        rest.stream().map(column -> likeness(fields.get(column))).distinct().count() == 1;
    String doubt = rest.size() == 2 && alike ? doubt(columns) : null;
    return Optional.of(new DelimitedLog(NAME, separator, columns, null, doubt));
  }

  /**
   * The form that a log is in that is known to be one of these, whatever stands between columns.
   */
  static Optional<LogFormat> named(Sample sample) {
    return TableLog.separator(sample, separator -> recognise(sample, separator).isPresent())
        .flatMap(separator -> recognise(sample, separator));
  }

  private static Optional<Integer> time(List<List<String>> fields) {
    List<Integer> times =
        IntStream.range(0, fields.size())
            .filter(column -> Sample.mostly(fields.get(column), Sample::isTime))
            .boxed()
            .toList();
    return times.stream()
        .filter(column -> Sample.mostly(fields.get(column), AltaVistaLog::isDate))
        .findFirst()
        .or(() -> times.stream().filter(column -> neverFalls(fields.get(column))).findFirst())
        .or(() -> times.stream().findFirst());
  }

  /** Of times: whether one is written as a date and not as a bare number. */
  private static boolean isDate(String time) {
    return time.indexOf('-') > 0 || time.indexOf('/') > 0;
  }

  private static boolean neverFalls(List<String> times) {
    long[] seconds =
        times.stream()
            .mapToLong(LogTime::epochSecond)
            .filter(second -> second != LogTime.NONE)
            .toArray();
    return IntStream.range(1, seconds.length).allMatch(i -> seconds[i] >= seconds[i - 1]);
  }

  private static long withDigits(List<String> fields) {
    return fields.stream().filter(field -> field.chars().anyMatch(Character::isDigit)).count();
  }

  /** What tells a column of queries from one of sessions. */
  private static List<Long> likeness(List<String> fields) {
    return List.of(Sample.blanks(fields), withDigits(fields));
  }

  private static String doubt(List<Column> columns) {
    String names =
        columns.stream()
            .map(column -> column.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(","));
    return "nothing in the first lines tells queries from sessions; the columns were taken as %s, use --columns if they are others"
        .formatted(names);
  }

  private static void take(Integer column, Column as, List<Column> columns, List<Integer> rest) {
    columns.set(column, as);
    rest.remove(/* element */ column);
  }

  /** Of two columns none is the offset unless it holds little but zeros: a session comes first. */
  private static Optional<Integer> offset(List<List<String>> fields, List<Integer> rest) {
    return rest.stream()
        .filter(column -> Sample.mostly(fields.get(column), Sample::isOffset))
        .filter(
            column ->
                rest.size() > 2 || Sample.mostly(fields.get(column), AltaVistaLog::isFirstPage))
        .max(
            Comparator.comparingLong((Integer column) -> firstPages(fields.get(column)))
                .thenComparingLong(column -> withDigits(fields.get(column))) // a dash is 0, too
                .thenComparing(Comparator.naturalOrder()));
  }

  private static long firstPages(List<String> fields) {
    return fields.stream().filter(AltaVistaLog::isFirstPage).count();
  }

  private static boolean isFirstPage(String field) {
    return Fields.number(field) == 0;
  }
}
