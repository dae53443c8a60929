// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The first lines of a log, by which its format is recognised.
 *
 * @param lines the first {@link #LINES}, without the blank ones
 */
record FirstLines(List<String> lines) {
  /** How many of the lines must fit; real logs are dirty from the first line on. */
  private static final double MOST = 0.75;

  /** How many lines tell a format. */
  static final int LINES = 100;

  FirstLines {
    lines = lines.stream().filter(line -> !line.isBlank()).limit(LINES).toList();
  }

  boolean isEmpty() {
    return lines.isEmpty();
  }

  /** Whether most of the values fit. */
  static <T> boolean mostly(List<T> values, Predicate<T> fits) {
    return !values.isEmpty() && values.stream().filter(fits).count() >= MOST * values.size();
  }

  /** Whether a format can read most lines, and one of them is a query or a click. */
  boolean readsAs(LogFormat format) {
    return lines.stream().anyMatch(line -> !(format.read(line) instanceof LogRemark))
        && mostly(lines, line -> isReadable(format, line));
  }

  /** Whether a format can read a line, be it a query or not. */
  static boolean isReadable(LogFormat format, String line) {
    return !(format.read(line) instanceof LogRemark remark) || !remark.fate().isRejection();
  }

  /** Whether a field begins with a quote, as none does where nothing is put in quotes. */
  boolean hasQuotedFields(char separator) {
    return lines.stream()
        .anyMatch(line -> line.startsWith("\"") || line.contains(separator + "\""));
  }

  /** How many fields most lines have. */
  int width(char separator) {
    Map<Integer, Long> widths =
        lines.stream()
            .map(line -> Fields.of(line, separator).size())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return widths.entrySet().stream()
        .filter(entry -> entry.getValue() >= MOST * lines.size())
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(0);
  }

  /** The fields of a column in the lines that have it. */
  List<String> column(char separator, int column) {
    int width = width(separator);
    return lines.stream()
        .map(line -> Fields.of(line, separator))
        .filter(fields -> fields.size() == width)
        .map(fields -> fields.get(column))
        .toList();
  }

  /** Blanks in all fields of a column. */
  static long blanks(List<String> fields) {
    return fields.stream()
        .mapToLong(field -> field.strip().chars().filter(c -> c == ' ' || c == '+').count())
        .sum();
  }

  static boolean isTime(String field) {
    return LogTime.epochSecond(field.strip()) != LogTime.NONE;
  }

  static boolean isNumber(String field) {
    return !field.isBlank() && Fields.number(field) >= 0;
  }

  /** A number as counts are written, with or without commas between thousands. */
  static boolean isCount(String field) {
    return !field.isBlank() && Fields.count(field) >= 0;
  }

  /** A number small enough for a result offset: sessions may be numbers too. */
  static boolean isOffset(String field) {
    return isNumber(field) && Fields.number(field) < Fields.MOST_OFFSET;
  }
}
