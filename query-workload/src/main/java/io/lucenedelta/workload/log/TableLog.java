// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A table with a header line that names its columns, between tabs, commas, semicolons or bars.
 *
 * <p>Used: the columns whose names {@link Column} knows, the others ignored. What counts as a query
 * and as a click follows from the columns: with an offset, further pages are not queries; with a
 * rank, a line with one is a click too. A position beside clicks or impressions is an average of
 * them, and no rank.
 */
final class TableLog {
  static final List<String> NAMES = List.of("tsv", "csv");

  private static final List<Character> SEPARATORS = List.of('\t', ',', ';', '|');

  private static final String POSITION = "position";

  private TableLog() {}

  /** The first separator that fits. */
  static Optional<Character> separator(FirstLines firstLines, Predicate<Character> fits) {
    return firstLines.isEmpty() ? Optional.empty() : SEPARATORS.stream().filter(fits).findFirst();
  }

  static Optional<LogFormat> recognise(FirstLines firstLines) {
    return separator(firstLines, separator -> isHeader(firstLines, separator, 2))
        .map(separator -> table(firstLines, separator));
  }

  /**
   * A table of queries alone, whose header is a single name of them. For logs in no other format: a
   * query may read like that name, but no format is a query a line without a header.
   */
  static Optional<LogFormat> ofQueriesAlone(FirstLines firstLines) {
    return firstLines.lines().size() < 2
        ? Optional.empty()
        : separator(
                firstLines,
                separator ->
                    Fields.of(firstLines.lines().get(0), separator).size() == 1
                        && isHeader(firstLines, separator, 1))
            .map(separator -> table(firstLines, separator));
  }

  /** The table of a name, if the first line names its columns; that of the query will do. */
  static Optional<LogFormat> named(String name, FirstLines firstLines) {
    return separator(
            firstLines,
            separator -> name(separator).equals(name) && isHeader(firstLines, separator, 1))
        .map(separator -> table(firstLines, separator));
  }

  private static LogFormat table(FirstLines firstLines, char separator) {
    String header = firstLines.lines().get(0);
    return new DelimitedLog(name(separator), separator, columns(header, separator), header);
  }

  static String name(char separator) {
    return separator == '\t' ? "tsv" : "csv";
  }

  private static List<Column> columns(String header, char separator) {
    List<String> names = Fields.of(header, separator);
    boolean averages = names.stream().anyMatch(TableLog::isAveragedOver);
    return names.stream()
        .map(name -> averages && is(POSITION, name) ? Column.IGNORED : column(name))
        .toList();
  }

  private static Column column(String name) {
    return Column.named(name).orElse(Column.IGNORED);
  }

  private static boolean isAveragedOver(String name) {
    return is("clicks", name) || is("impressions", name);
  }

  private static boolean is(String known, String name) {
    return known.equalsIgnoreCase(name.strip());
  }

  private static boolean isHeader(FirstLines firstLines, char separator, int leastKnown) {
    List<String> fields = Fields.of(firstLines.lines().get(0), separator);
    List<Column> known = fields.stream().flatMap(field -> Column.named(field).stream()).toList();
    return known.stream().filter(column -> column == Column.QUERY).count() == 1
        && known.size() >= leastKnown
        && known.stream().filter(column -> column != Column.IGNORED).distinct().count()
            == known.stream().filter(column -> column != Column.IGNORED).count()
        && fields.stream()
            .noneMatch(field -> FirstLines.isNumber(field) || FirstLines.isTime(field));
  }
}
