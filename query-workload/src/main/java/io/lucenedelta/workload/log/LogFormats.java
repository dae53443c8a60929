// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The formats by name, and which of them a log is in.
 *
 * <p>Immutable and safe for use by several threads.
 */
public final class LogFormats {
  private static final List<String> NAMES =
      List.of(
          AltaVistaLog.NAME,
          AolLog.NAME,
          TrecTopics.NAME,
          CountedQueries.NAME,
          SolrLog.NAME,
          SlowLogJson.NAME,
          SlowLogText.NAME,
          UbiLog.NAME,
          AccessLog.NAME,
          "tsv",
          "csv");

  private final List<Column> columns;
  private final List<String> queryParameters;

  private LogFormats(List<Column> columns, List<String> queryParameters) {
    this.columns = columns;
    this.queryParameters = queryParameters;
  }

  /**
   * The formats as they usually are: columns by their headers, queries of access logs in the
   * parameters that search pages use most, {@code q} and {@code query} among them.
   */
  public static LogFormats usual() {
    return new LogFormats(List.of(), AccessLog.QUERY_PARAMETERS);
  }

  /**
   * With other columns, for the formats made of columns; an empty list means by headers again. If
   * two columns are of a kind the later one counts: name the other one {@link Column#IGNORED}.
   *
   * @throws IllegalArgumentException if there are some, but {@link Column#QUERY} is not there
   *     exactly once
   */
  public LogFormats withColumns(List<Column> others) {
    if (!others.isEmpty()) {
      DelimitedLog.requireOneQuery(others);
    }
    return new LogFormats(List.copyOf(others), queryParameters);
  }

  /**
   * With other parameters that may hold the query, for access logs; if an address has several, the
   * one that comes first here counts.
   *
   * @param names at least one: with none no request asks anything
   */
  public LogFormats withQueryParameters(List<String> names) {
    return new LogFormats(columns, List.copyOf(names));
  }

  /** The columns that were given; none if they go by headers. */
  List<Column> columns() {
    return columns;
  }

  /** The names of all formats. */
  public static List<String> names() {
    return NAMES;
  }

  /**
   * The format of a name.
   *
   * @throws IllegalArgumentException if there is none, or it needs columns and none were given
   */
  public LogFormat named(String name) {
    return switch (name) {
      case AltaVistaLog.NAME -> delimited(name, '\t', AltaVistaLog.COLUMNS);
      case AolLog.NAME ->
          columns.isEmpty() ? AolLog.format('\t') : delimited(name, '\t', AolLog.COLUMNS);
      case CountedQueries.NAME -> delimited(name, '\t', CountedQueries.COLUMNS);
      case TrecTopics.NAME -> new TrecTopics(/* ranked= */ false, /* doubtful= */ false);
      case SolrLog.NAME -> new SolrLog();
      case SlowLogJson.NAME -> new SlowLogJson();
      case SlowLogText.NAME -> new SlowLogText();
      case UbiLog.NAME -> new UbiLog();
      case AccessLog.NAME -> new AccessLog(queryParameters);
      case "tsv" -> delimited(name, '\t', given(name));
      case "csv" -> delimited(name, ',', given(name));
      default ->
          throw new IllegalArgumentException(
              "no log format " + name + "; there are " + String.join(", ", NAMES));
    };
  }

  /**
   * The format of a name for a log that begins with some lines: what separates its columns is found
   * out as if the format were not named, and a table whose columns were not given has those that
   * its header names. Empty if it has no header.
   *
   * @throws IllegalArgumentException if there is no format of the name
   */
  Optional<LogFormat> named(String name, List<String> firstLines) {
    FirstLines lines = new FirstLines(firstLines);
    return formOf(name, lines).map(format -> beginning(format, lines));
  }

  private Optional<LogFormat> formOf(String name, FirstLines lines) {
    if (isByHeader(name)) {
      return TableLog.named(name, lines);
    }
    LogFormat named = named(name);
    if (columns.isEmpty()) {
      return found(name, lines).or(() -> Optional.of(named));
    }
    return ofColumns(lines)
        .map(found -> named instanceof DelimitedLog ? called(name, found) : found)
        .filter(found -> found.name().equals(name))
        .or(() -> Optional.of(named));
  }

  /** Tables that are called by what separates their columns are not called otherwise. */
  private static LogFormat called(String name, LogFormat found) {
    return found instanceof DelimitedLog table && !TableLog.NAMES.contains(name)
        ? table.called(name)
        : found;
  }

  private static LogFormat beginning(LogFormat format, FirstLines lines) {
    return format instanceof DelimitedLog delimited ? delimited.beginningWith(lines) : format;
  }

  /** The form of a format that a log is in, of those that come in several. */
  private static Optional<LogFormat> found(String name, FirstLines firstLines) {
    return switch (name) {
      case AltaVistaLog.NAME -> AltaVistaLog.named(firstLines);
      case AolLog.NAME ->
          TableLog.separator(firstLines, separator -> AolLog.matches(firstLines, separator))
              .map(AolLog::format);
      case CountedQueries.NAME -> CountedQueries.named(firstLines);
      case TrecTopics.NAME -> Optional.of(TrecTopics.of(firstLines, /* doubtful= */ false));
      default -> Optional.empty();
    };
  }

  /** The format of the columns given, with the separator that most lines have between so many. */
  private Optional<LogFormat> ofColumns(FirstLines firstLines) {
    if (columns.equals(CountedQueries.COUNT_FIRST)
        && CountedQueries.numbersFirst(firstLines).isEmpty()
        && UniqCounts.fits(firstLines)) {
      return Optional.of(new UniqCounts());
    }
    return TableLog.separator(
            firstLines, separator -> firstLines.width(separator) == columns.size())
        .map(
            separator ->
                new DelimitedLog(
                    TableLog.name(separator),
                    separator,
                    columns,
                    TableLog.header(firstLines, separator, columns).orElse(null)));
  }

  /**
   * Checks that there is a format of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public void check(String name) {
    if (!isByHeader(name)) {
      named(name);
    }
  }

  /**
   * Checks that columns and parameters, where some were given, mean something in the format of a
   * name; one that has none passes them over.
   *
   * @throws IllegalArgumentException if they do not
   */
  public void checkUse(String name) {
    if (!columns.isEmpty() && !(named(name) instanceof DelimitedLog)) {
      throw new IllegalArgumentException(
          "logs of format " + name + " have no columns to name: leave the columns out");
    }
    if (!queryParameters.equals(AccessLog.QUERY_PARAMETERS) && !name.equals(AccessLog.NAME)) {
      throw new IllegalArgumentException(
          "logs of format " + name + " have no addresses: leave the query parameters out");
    }
  }

  private boolean isByHeader(String name) {
    return columns.isEmpty() && TableLog.NAMES.contains(name);
  }

  private List<Column> given(String name) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException(
          "format " + name + " needs the columns, such as timestamp,session,query,offset");
    }
    return columns;
  }

  private LogFormat delimited(String name, char separator, List<Column> usual) {
    return new DelimitedLog(name, separator, columns.isEmpty() ? usual : columns, null);
  }

  /**
   * The format that most of the first lines are in. The more particular ones are asked first.
   *
   * @param firstLines some dozens or more, as they stand in the log
   */
  public Optional<LogFormat> recognise(List<String> firstLines) {
    FirstLines lines = new FirstLines(firstLines);
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    Optional<LogFormat> format =
        columns.isEmpty() ? recognise(firstLines, lines) : ofColumns(lines);
    return format.map(found -> beginning(found, lines));
  }

  private Optional<LogFormat> recognise(List<String> firstLines, FirstLines lines) {
    UbiLog ubi = new UbiLog();
    SolrLog solr = new SolrLog();
    TrecTopics topics =
        TrecTopics.of(lines, /* doubtful= */ CountedQueries.numbersFirst(lines).isPresent());
    AccessLog access = new AccessLog(queryParameters);
    return when(ubi, ubi.matches(lines))
        .or(
            () ->
                Stream.of(new SlowLogJson(), new SlowLogText(), solr)
                    .filter(lines::readsAs)
                    .findFirst())
        .or(() -> when(access, access.matches(lines)))
        .or(() -> when(AolLog.format('\t'), AolLog.isRecognised(lines)))
        .or(() -> TableLog.recognise(lines))
        .or(() -> AltaVistaLog.recognise(lines, '\t').filter(log -> !AltaVistaLog.isTable(lines)))
        .or(() -> CountedQueries.recognise(lines))
        .or(() -> when(solr, solr.isAmong(firstLines)))
        .or(() -> when(topics, TrecTopics.matches(lines) && !CountedQueries.isRepeating(lines)))
        .or(() -> TableLog.ofQueriesAlone(lines));
  }

  @Override
  public String toString() {
    return "LogFormats[columns=" + columns + ", queryParameters=" + queryParameters + "]";
  }

  private static Optional<LogFormat> when(LogFormat format, boolean fits) {
    return fits ? Optional.of(format) : Optional.empty();
  }
}
