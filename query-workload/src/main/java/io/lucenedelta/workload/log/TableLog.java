// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table with a header line that names its columns, between tabs, commas, semicolons or bars.
 * Remarks ({@code # …}) and what spreadsheets write before it ({@code sep=;}) go with the header.
 *
 * <p>Used: the columns whose names {@link Column} knows, the others ignored; what exports call a
 * column of queries or counts, where nothing else is one. What counts as a query and as a click
 * follows from the columns: with an offset, further pages are not queries; with a rank, a line with
 * one is a click too. A position beside clicks or impressions is an average of them, and no rank,
 * but where there are sessions, which no export has.
 */
final class TableLog {
  static final List<String> NAMES = List.of("tsv", "csv");

  private static final List<Character> SEPARATORS = List.of('\t', ',', ';', '|');

  private static final String CLICKS = "clicks";
  private static final String POSITION = "position";
  private static final String QUERY = "query";

  /** What exports of search engines and of analytics call their queries. */
  private static final List<String> LESSER_QUERIES =
      List.of("keyword", "search term", "top queries", "label");

  /** What they call numbers that come next to how often something was asked, the nearest first. */
  private static final List<String> LESSER_COUNTS =
      List.of("impressions", "nb_hits", "event count", CLICKS, "nb_visits", "visits");

  /**
   * Those that tell of a day even beside a time: one query may be without a click, or have several.
   */
  private static final List<String> COUNTS_OF_DAYS =
      LESSER_COUNTS.stream().filter(name -> !name.equals(CLICKS)).toList();

  /**
   * What stands back beside a name of Matomo's that says the same better: most visitors have no
   * login, and a date has no time of the day.
   */
  private static final Map<String, String> BESIDE_MATOMOS =
      Map.of("user_id", "idvisitor", "date", "server_time");

  /** What its tables write beside other columns of the same: taken where there is no other. */
  private static final List<String> LESSER_NAMES = List.of("idvisitor", "server_time");

  private static final Pattern BEFORE_HEADER = Pattern.compile("#.*|sep=.");

  private TableLog() {}

  /** The first separator that fits. */
  static Optional<Character> separator(FirstLines firstLines, Predicate<Character> fits) {
    return firstLines.isEmpty() ? Optional.empty() : SEPARATORS.stream().filter(fits).findFirst();
  }

  /** How many columns most of the first lines have, in words; empty if they are no table. */
  static String widths(FirstLines firstLines) {
    return SEPARATORS.stream()
        .filter(separator -> firstLines.width(separator) > 1)
        .map(separator -> firstLines.width(separator) + " between " + plural(separator))
        .collect(Collectors.joining(", "));
  }

  private static String plural(char separator) {
    return switch (separator) {
      case '\t' -> "tabs";
      case ',' -> "commas";
      case ';' -> "semicolons";
      default -> "bars";
    };
  }

  static Optional<LogFormat> recognise(FirstLines firstLines) {
    return separator(firstLines, separator -> hasHeader(firstLines, separator))
        .map(separator -> table(firstLines, separator));
  }

  /** Whether the first line names the columns of a table with this between them. */
  static boolean hasHeader(FirstLines firstLines, char separator) {
    return isHeader(firstLines, separator, 2);
  }

  /**
   * Whether its header also says what the first column is, or has one of counts. Numbers there of
   * an unknown name are users more often than not where the lines are as in AOL's log.
   */
  static boolean hasHeaderOfFirst(FirstLines firstLines, char separator) {
    String header = last(head(firstLines));
    return hasHeader(firstLines, separator)
        && (Column.named(Fields.of(header, separator).get(0)).isPresent()
            || columns(header, separator).contains(Column.COUNT));
  }

  /**
   * A table of queries alone, whose header is a single name of them. For logs in no other format: a
   * query may read like that name, but no format is a query a line without a header.
   */
  static Optional<LogFormat> ofQueriesAlone(FirstLines firstLines) {
    List<String> head = head(firstLines);
    return firstLines.lines().size() == head.size()
        ? Optional.empty()
        : separator(
                firstLines,
                separator ->
                    Fields.of(last(head), separator).size() == 1
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

  /**
   * The header of a table whose columns are given, if its first line names the same: two or more,
   * or the query by its usual name. Another word for it alone may be a query. A column is the same,
   * too, that the header would leave out for another.
   */
  static Optional<String> header(FirstLines firstLines, char separator, List<Column> given) {
    List<String> head = head(firstLines);
    List<String> names = Fields.of(last(head), separator);
    List<Column> named = columns(last(head), separator);
    List<Integer> used =
        IntStream.range(0, given.size())
            .filter(column -> given.get(column) != Column.IGNORED)
            .boxed()
            .toList();
    boolean same =
        named.size() == given.size()
            && used.stream()
                .allMatch(
                    column ->
                        given.get(column) == named.get(column)
                            || given.get(column) == column(names.get(column)))
            && (used.size() > 1 || is(QUERY, names.get(used.get(0))));
    return same ? Optional.of(String.join("\n", head)) : Optional.empty();
  }

  private static LogFormat table(FirstLines firstLines, char separator) {
    List<String> head = head(firstLines);
    List<String> names = Fields.of(last(head), separator);
    List<Column> columns = columns(last(head), separator);
    int count = columns.indexOf(Column.COUNT);
    String doubt = null;
    if (count >= 0 && Column.named(names.get(count)).isEmpty()) {
      doubt =
          "the column %s was taken as how often each query was asked; use --columns, or in a program LogFormats.withColumns, if it is not"
              .formatted(names.get(count));
    } else if (isOfQueriesAndTimes(columns)) {
      List<String> rows = firstLines.lines().subList(head.size(), firstLines.lines().size());
      doubt = countedOnce(names, columns, rows, separator);
    }
    return new DelimitedLog(name(separator), separator, columns, String.join("\n", head), doubt);
  }

  /** Whether no column but that of the queries is used, unless it is one of times. */
  private static boolean isOfQueriesAndTimes(List<Column> columns) {
    return columns.stream()
        .allMatch(
            column ->
                column == Column.QUERY || column == Column.TIMESTAMP || column == Column.IGNORED);
  }

  /**
   * What there is to doubt where a column of an unknown name may be of counts; null if none is.
   * Where there are times a line may well be one query, and numbers beside it its results, say.
   */
  private static String countedOnce(
      List<String> names, List<Column> columns, List<String> rows, char separator) {
    boolean times = columns.contains(Column.TIMESTAMP);
    for (int column = 0; column < names.size(); column++) {
      if (Column.named(names.get(column)).isEmpty()
          && columns.get(column) == Column.IGNORED
          && (!times || is(CLICKS, names.get(column)))
          && isOfNumbers(rows, column, separator)) {
        List<Column> counted = new ArrayList<>(columns);
        counted.set(column, Column.COUNT);
        return "no column was taken as how often each query was asked, and each line counts once; if the column %s is that, use --columns %s, or in a program LogFormats.withColumns"
            .formatted(names.get(column), Column.names(counted));
      }
    }
    return null;
  }

  private static boolean isOfNumbers(List<String> rows, int column, char separator) {
    List<String> fields =
        rows.stream()
            .map(row -> Fields.of(row, separator))
            .filter(row -> row.size() > column)
            .map(row -> row.get(column))
            .toList();
    return !fields.isEmpty() && fields.stream().allMatch(FirstLines::isCount);
  }

  /** The lines up to the one that may be a header. */
  private static List<String> head(FirstLines firstLines) {
    List<String> lines = firstLines.lines();
    int before = 0;
    while (before < lines.size() - 1 && BEFORE_HEADER.matcher(lines.get(before)).matches()) {
      before++;
    }
    return lines.subList(0, before + 1);
  }

  private static String last(List<String> lines) {
    return lines.get(lines.size() - 1);
  }

  static String name(char separator) {
    return separator == '\t' ? "tsv" : "csv";
  }

  private static List<Column> columns(String header, char separator) {
    List<String> names = Fields.of(header, separator);
    boolean averages =
        names.stream().anyMatch(TableLog::isAveragedOver)
            && names.stream().noneMatch(name -> column(name) == Column.SESSION);
    List<Column> columns =
        new ArrayList<>(
            names.stream()
                .map(name -> averages && is(POSITION, name) ? Column.IGNORED : column(name))
                .toList());
    leaveOneOfTheSame(names, columns);
    if (!columns.contains(Column.QUERY) && take(LESSER_QUERIES, names, Column.QUERY, columns)) {
      columns.replaceAll(
          column -> column == Column.RANK ? Column.IGNORED : column); // a word's rank
    }
    if (isOfQueriesAndTimes(columns)) {
      boolean times = columns.contains(Column.TIMESTAMP);
      take(times ? COUNTS_OF_DAYS : LESSER_COUNTS, names, Column.COUNT, columns);
    }
    return columns;
  }

  /** Leaves out columns beside which a better one says the same, as far as names tell. */
  private static void leaveOneOfTheSame(List<String> names, List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      boolean ofTwo = Collections.frequency(columns, columns.get(i)) == 2;
      if (ofTwo && standsBack(names.get(i), names)) { // beside a third nobody knows which
        columns.set(i, Column.IGNORED);
      }
    }
    for (int i = 0; i < columns.size(); i++) {
      String name = names.get(i);
      if (isMatomos(name) && Collections.frequency(columns, columns.get(i)) > 1) {
        columns.set(i, Column.IGNORED);
      }
    }
  }

  /** Whether a name is one that Matomo's tables use. */
  static boolean isMatomos(String name) {
    return LESSER_NAMES.stream().anyMatch(lesser -> is(lesser, name));
  }

  private static boolean standsBack(String name, List<String> names) {
    return BESIDE_MATOMOS.entrySet().stream()
        .anyMatch(
            pair ->
                is(pair.getKey(), name)
                    && names.stream().anyMatch(other -> is(pair.getValue(), other)));
  }

  /** Takes the first of some names that a column has; false without one. */
  private static boolean take(
      List<String> lesser, List<String> names, Column as, List<Column> columns) {
    for (String known : lesser) {
      for (int column = 0; column < names.size(); column++) {
        if (is(known, names.get(column))) {
          columns.set(column, as);
          return true;
        }
      }
    }
    return false;
  }

  private static Column column(String name) {
    return Column.named(name).orElse(Column.IGNORED);
  }

  private static boolean isAveragedOver(String name) {
    return is(CLICKS, name) || is("impressions", name);
  }

  private static boolean is(String known, String name) {
    return known.equalsIgnoreCase(name.strip());
  }

  private static boolean isHeader(FirstLines firstLines, char separator, int leastKnown) {
    String header = last(head(firstLines));
    List<String> names = Fields.of(header, separator);
    List<Column> columns = columns(header, separator);
    List<Column> used = columns.stream().filter(column -> column != Column.IGNORED).toList();
    long known =
        IntStream.range(0, names.size())
            .filter(
                column ->
                    columns.get(column) != Column.IGNORED
                        || Column.named(names.get(column)).isPresent())
            .count();
    return columns.stream().filter(column -> column == Column.QUERY).count() == 1
        && known >= leastKnown
        && used.stream().distinct().count() == used.size()
        && names.stream().noneMatch(name -> FirstLines.isNumber(name) || FirstLines.isTime(name));
  }
}
