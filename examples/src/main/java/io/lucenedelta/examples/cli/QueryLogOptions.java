// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.OneLine;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.WorkloadFileException;
import io.lucenedelta.workload.WorkloadFileException.Problem;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.ParseTally;
import io.lucenedelta.workload.log.WorkloadIngest;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.lucene.analysis.Analyzer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which queries count, for the verbs that need some. */
final class QueryLogOptions {
  /** What to do if lines that are not UTF-8 are not in the charset either that they are read in. */
  static final String ANOTHER_CHARSET =
      "in another charset? recode the log first: iconv -f GBK -t UTF-8 LOG > NEW (escapes such as %E9 stay as they are)";

  private static final int MOST_REASONS = 3; // why files of a directory are no logs

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--query-log",
      arity = "1..*",
      converter = LogName.class,
      paramLabel = "FILE",
      description = "Query logs: files or directories, plain or packed.")
  private List<Path> logs = List.of();

  @Option(
      names = "--workload",
      paramLabel = "FILE",
      description = "A workload that the verb workload has written, in place of query logs.")
  private Path workload;

  @Mixin private LogFormatOptions format;

  /**
   * Whether a log or a workload was named.
   *
   * @throws ParameterException if both were, a log is standard input, which other verbs do not
   *     read, or a log cannot look as was said
   */
  boolean given() {
    format.check();
    if (workload != null && (!logs.isEmpty() || format.given())) {
      throw new ParameterException(
          spec.commandLine(),
          "--workload holds queries read from logs already: leave out either it, or --query-log and"
              + " what is said of its format");
    }
    if (logs.contains(LogName.STANDARD_INPUT)) {
      throw new ParameterException(
          spec.commandLine(),
          "--query-log - is for the verb workload: write a workload by it, with --out, and name that by --workload");
    }
    return workload != null || !logs.isEmpty();
  }

  /**
   * Complains of a format where no log is named: the demo's would be read by it.
   *
   * @throws ParameterException in one sentence
   */
  void checkFormat() {
    if (format.given() && !given()) {
      throw new ParameterException(
          spec.commandLine(),
          "--log-format, --columns and --query-parameter say what your logs look like: add"
              + " --query-log FILE, or leave them out");
    }
  }

  /** Whether it was said what logs look like. */
  boolean saysFormat() {
    return format.given();
  }

  /** What is read: the logs, which may be directories, or the workload. */
  List<Path> files() {
    return workload == null ? logs : List.of(workload);
  }

  /** The workload named, or that of the logs named. */
  Workload read(PrintWriter err) throws IOException {
    return workload == null ? read(logs, err) : open(err);
  }

  private Workload open(PrintWriter err) throws IOException {
    Workload opened = Workload.open(workload);
    opened.checkIntegrity();
    if (opened.queryCount() == 0) {
      throw new CommandFailure(workload + " holds no query: see workload --query-log");
    }
    err.printf(
        Locale.ENGLISH,
        "queries: %,d different queries of %,d terms in %s%n",
        opened.queryCount(),
        opened.termCount(),
        workload);
    err.flush();
    return opened;
  }

  /**
   * The workload of other logs, under the same options.
   *
   * @throws CommandFailure if no query is left
   */
  Workload read(List<Path> files, PrintWriter err) throws IOException {
    Path temporary = TemporaryFolder.make();
    try (WorkloadIngest ingest = new WorkloadIngest(format.over(IngestSettings.usual(temporary)));
        Analyzer analyzer = PageAnalysis.analyzer()) {
      for (Path file : files) {
        requireLog(file, "name it by --workload");
        ingest.read(file);
      }
      Workload workload =
          ingest.workload(AnalyzedQueries.of(analyzer, PageAnalysis.BODY)).workload();
      if (workload.queryCount() == 0) {
        throw new CommandFailure(whyNone(files, ingest));
      }
      report(ingest.tally(), workload, err);
      reportRobots(ingest, err);
      format.tellUnused(ingest.sources(), err);
      return workload;
    } finally {
      TemporaryFolder.delete(temporary, err);
    }
  }

  /**
   * Refuses a workload where logs are read.
   *
   * @param remedy what to do with a workload instead
   */
  static void requireLog(Path file, String remedy) throws IOException {
    if (isWorkload(file)) {
      throw new CommandFailure(file + " is no query log but a workload: " + remedy);
    }
  }

  /** Whether a file is there and is a workload, be it a damaged one. */
  static boolean isWorkload(Path file) throws IOException {
    try {
      return Files.isRegularFile(file) && Workload.open(file).queryCount() >= 0;
    } catch (WorkloadFileException e) {
      return e.problem() != Problem.NOT_A_WORKLOAD;
    }
  }

  private static String whyNone(List<Path> files, WorkloadIngest ingest) {
    if (ingest.sources().isEmpty()) {
      return noLogIn(files, ingest.tally());
    }
    if (ingest.tally().read() == 0 && ingest.tally().damages().isEmpty()) {
      return named(files)
          + (ingest.sources().size() == 1 ? " is empty" : " are empty")
          + ": name a log that holds queries";
    }
    return "no query could be read from " + named(files) + ": see workload --query-log";
  }

  /** The sentence for names under which no log was found. */
  static String noLogIn(List<Path> files, ParseTally tally) {
    StringBuilder sentence = new StringBuilder("no log in " + named(files));
    sentence.append(": name a file, or a directory with logs");
    List<String> reasons = tally.damages();
    if (!reasons.isEmpty()) {
      List<String> first = reasons.subList(0, Math.min(MOST_REASONS, reasons.size()));
      sentence.append("; passed over: ").append(OneLine.of(String.join("; ", first)));
      int more = reasons.size() - first.size();
      sentence.append(more > 0 ? "; and " + more + " more" : "");
    }
    return sentence.toString();
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
    if (tally.readAsWestern() > 0) {
      err.printf(
          Locale.ENGLISH,
          "lines not UTF-8, read as windows-1252: %,d; %s%n",
          tally.readAsWestern(),
          ANOTHER_CHARSET);
    }
    tally.damages().forEach(damage -> err.println(OneLine.of(damage)));
    tally.doubts().forEach(doubt -> err.println(OneLine.of(doubt)));
    err.flush();
  }

  /** Their queries count here, and one session may outweigh all others. */
  private static void reportRobots(WorkloadIngest ingest, PrintWriter err) {
    if (ingest.robotSessions() > 0) {
      err.printf(
          Locale.ENGLISH,
          "robots: %,d %s beyond what a person asks in an hour, kept; workload --drop-robots leaves"
              + " them out%n",
          ingest.robotQueries(),
          ingest.robotQueries() == 1 ? "query" : "queries");
      err.flush();
    }
  }

  private static String named(List<Path> files) {
    return String.join(", ", files.stream().map(Path::toString).toList());
  }
}
