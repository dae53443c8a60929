// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.LogFormats;
import io.lucenedelta.workload.log.ParseTally;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import picocli.CommandLine.Option;

/** The options that say which queries count, for the verbs that need some. */
final class QueryLogOptions {
  @Option(
      names = "--query-log",
      arity = "1..*",
      converter = LogName.class,
      paramLabel = "FILE",
      description = "Query logs: files or directories, plain or packed.")
  private List<Path> logs = List.of();

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description = "Format of the logs instead of recognising it (see workload --help).")
  private String format = "";

  /** Whether a log was named. */
  boolean given() {
    return !logs.isEmpty();
  }

  /** The workload of the logs named. */
  Workload read(PrintWriter err) throws IOException {
    return read(logs, err);
  }

  /**
   * The workload of other logs, under the same options.
   *
   * @throws CommandFailure if no query is left
   */
  Workload read(List<Path> files, PrintWriter err) throws IOException {
    Path temporary = Files.createTempDirectory("lucene-delta-workload");
    IngestSettings settings =
        IngestSettings.usual(temporary).withFormat(LogFormats.usual(), format);
    try (WorkloadIngest ingest = new WorkloadIngest(settings);
        Analyzer analyzer = PageAnalysis.analyzer()) {
      for (Path file : files) {
        ingest.read(file);
      }
      Workload workload =
          ingest.workload(AnalyzedQueries.of(analyzer, PageAnalysis.BODY)).workload();
      if (workload.queryCount() == 0) {
        throw new CommandFailure(
            "no query could be read from " + named(files) + ": see workload --query-log");
      }
      report(ingest.tally(), workload, err);
      return workload;
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  private static void report(ParseTally tally, Workload workload, PrintWriter err) {
    err.printf(
        Locale.ENGLISH,
        "queries: %,d lines read, %,d kept, %,d rejected; %,d different queries of %,d terms%n",
        tally.read(),
        tally.of(Fate.KEPT),
        tally.rejected(),
        workload.queryCount(),
        workload.termCount());
    tally.damages().forEach(err::println);
    err.flush();
  }

  private static String named(List<Path> files) {
    return String.join(", ", files.stream().map(Path::toString).toList());
  }
}
