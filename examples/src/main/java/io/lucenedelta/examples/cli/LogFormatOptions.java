// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.workload.log.Column;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.LogFormats;
import io.lucenedelta.workload.log.WorkloadIngest.LogSource;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say what query logs look like, for every verb that reads some. */
final class LogFormatOptions {
  private static final String ACCESS_LOG = "access"; // in the names of formats

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "Format of the logs instead of recognising it: ${COMPLETION-CANDIDATES}.",
      completionCandidates = FormatNames.class)
  private String format = "";

  @Option(
      names = "--columns",
      split = ",",
      paramLabel = "NAME",
      description =
          "What the columns of a log are, in order: timestamp, session, query, offset, count,"
              + " rank, or a hyphen (-) for a column to ignore.")
  private List<String> columns = List.of();

  @Option(
      names = "--query-parameter",
      split = ",",
      paramLabel = "NAME",
      description = "Parameter that holds the query in the addresses of an access log.")
  private List<String> queryParameters = List.of();

  /** Whether anything was said. */
  boolean given() {
    return !format.isEmpty() || !columns.isEmpty() || !queryParameters.isEmpty();
  }

  /**
   * Complains of what no log looks like.
   *
   * @throws ParameterException if a format or a column is none
   */
  void check() {
    formats();
  }

  /**
   * The settings with these formats.
   *
   * @throws ParameterException if a format or a column is none
   */
  IngestSettings over(IngestSettings settings) {
    return settings.withFormat(formats(), format);
  }

  /** Says so if parameters were named and no log that was read has addresses. */
  void tellUnused(List<LogSource> read, PrintWriter err) {
    if (!queryParameters.isEmpty()
        && read.stream().noneMatch(source -> source.format().equals(ACCESS_LOG))) {
      err.println("--query-parameter had no effect: none of the logs read is an access log");
      err.flush();
    }
  }

  private LogFormats formats() {
    requireNames("--log-format", List.of(format), "altavista");
    requireNames("--columns", columns, "timestamp,session,query");
    requireNames("--query-parameter", queryParameters, "q");
    LogFormats formats = LogFormats.usual();
    if (!columns.isEmpty()) {
      formats = formats.withColumns(columns());
    }
    if (!queryParameters.isEmpty()) {
      formats = formats.withQueryParameters(queryParameters);
    }
    try {
      if (!format.isEmpty()) {
        formats.check(format);
        formats.checkUse(format);
      }
    } catch (IllegalArgumentException unknown) {
      throw bad("--log-format: " + unknown.getMessage());
    }
    return formats;
  }

  /** An option without a name would count as not given: mostly a variable that nobody set. */
  private void requireNames(String option, List<String> names, String example) {
    boolean named = !names.isEmpty() && names.stream().noneMatch(String::isBlank);
    if (!named && spec.commandLine().getParseResult().hasMatchedOption(option)) {
      throw bad(
          "%s '%s' has an empty name: give one such as %s, or leave the option out"
              .formatted(option, String.join(",", names), example));
    }
  }

  private List<Column> columns() {
    List<Column> named = new ArrayList<>();
    for (String name : columns) {
      named.add(
          Column.named(name)
              .orElseThrow(
                  () ->
                      bad(
                          "--columns: no column "
                              + name
                              + "; there are timestamp, session, query, offset, count, rank and"
                              + " -")));
    }
    if (named.stream().filter(column -> column == Column.QUERY).count() != 1) {
      throw bad("--columns needs query exactly once, was " + String.join(",", columns));
    }
    List<Column> used = named.stream().filter(column -> column != Column.IGNORED).toList();
    if (used.stream().distinct().count() < used.size()) {
      throw bad(
          "--columns has two columns of a kind: name all but one of them -, was "
              + String.join(",", columns));
    }
    return named;
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** The names that --help lists. */
  static final class FormatNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return LogFormats.names().iterator();
    }
  }
}
