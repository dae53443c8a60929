// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.AnalyzedQueries;
import io.lucenedelta.examples.crawl.PageAnalysis;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.Fate;
import io.lucenedelta.workload.log.IngestSettings;
import io.lucenedelta.workload.log.WorkloadIngest;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.lucene.analysis.Analyzer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code workload}: reads query logs, says what is in them, writes the workload. */
@Command(
    name = "workload",
    description = "Builds a workload from query logs and says what became of every line.",
    footer = {
      "",
      "Example: look at a log, keep its workload, and use it",
      "  lucene-delta workload --query-log queries.log.gz --out queries.workload",
      "  lucene-delta replay --crawl crawl --workload queries.workload --out out"
    })
final class WorkloadCommand implements Callable<Integer> {
  private static final long RESAMPLING_SEED = 2005;

  @Spec private CommandSpec spec;

  @Option(
      names = "--query-log",
      required = true,
      arity = "1..*",
      converter = LogName.class,
      paramLabel = "FILE",
      description =
          "Query logs: files, directories, or - for standard input; plain, gzip, zstd or bzip2.")
  private List<Path> logs;

  @Mixin private LogFormatOptions format;

  @Option(
      names = "--session-window",
      defaultValue = "30",
      paramLabel = "MINUTES",
      description =
          "The same text from the same session within this time is one query (default:"
              + " ${DEFAULT-VALUE}).")
  private int sessionWindowMinutes;

  @Option(
      names = "--queries-an-hour",
      defaultValue = "100",
      paramLabel = "N",
      description = "A session that asks more is reported as a robot (default: ${DEFAULT-VALUE}).")
  private int queriesAnHour;

  @Option(names = "--drop-robots", description = "Leave out what robots ask beyond that.")
  private boolean dropRobots;

  @Option(
      names = "--min-sessions",
      defaultValue = "1",
      paramLabel = "K",
      description =
          "Leave out queries that fewer sessions asked in the logs of this run; those of an older"
              + " workload (--merge) stay. Above 1 no line that could not be read is shown, but"
              + " its place (default: ${DEFAULT-VALUE}).")
  private int minSessions;

  @Option(
      names = "--merge",
      paramLabel = "FILE",
      description =
          "An older workload to which the logs are added. It must have been made with"
              + " StandardAnalyzer, too, as this command makes workloads: merge others in an"
              + " application, by Workload.merge.")
  private Path older;

  @Option(
      names = "--older-weight",
      defaultValue = "1",
      paramLabel = "W",
      description =
          "With --merge: what the older workload's frequencies are multiplied by, over 0 and at most"
              + " 1: 2^(-days/half-life) for exponential decay (default: ${DEFAULT-VALUE}).")
  private double olderWeight;

  @Option(
      names = "--floor",
      defaultValue = "0",
      paramLabel = "F",
      description =
          "With --merge: forget queries, new ones too, whose frequency is below this then (default:"
              + " ${DEFAULT-VALUE}).")
  private double floor;

  @Option(
      names = "--relevant-to",
      paramLabel = "INDEX",
      description =
          "Keep only queries that concern the pages of an index: those whose scores, summed over"
              + " all pages, are not under the knee of their distribution. Pages are searched in"
              + " their field body, which must be analysed with StandardAnalyzer.")
  private Path index;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "An HTML page: what became of the lines, the queries and, with --relevant-to, a picture"
              + " of the summed scores and the knee.")
  private Path report;

  @Option(
      names = "--format",
      defaultValue = "text",
      paramLabel = "FORMAT",
      description = "What to print: text or json (default: ${DEFAULT-VALUE}).")
  private Output output;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Where to write the workload, which other verbs read by --workload.")
  private Path out;

  @Option(
      names = "--top",
      defaultValue = "10",
      paramLabel = "N",
      description = "How many queries and terms to show (default: ${DEFAULT-VALUE}).")
  private int top;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description =
          "Threads that parse, at most "
              + IngestSettings.MOST_THREADS
              + " (default: as many as there are processors).")
  private int threads = Runtime.getRuntime().availableProcessors();

  /** What is printed. */
  private enum Output {
    TEXT,
    JSON
  }

  @Override
  public Integer call() throws IOException {
    check();
    if (out != null) {
      OutputPlace.requireWorkload(out);
    }
    if (report != null) {
      OutputPlace.requireFile(report);
    }
    requireUnread();
    if (index != null) {
      RelevanceSums.requireIndex(index);
    }
    Workload running = older == null ? null : Workload.open(older);
    if (running != null) {
      running.checkIntegrity();
    }
    Path temporary = TemporaryFolder.make();
    try (WorkloadIngest ingest = new WorkloadIngest(settings(temporary));
        Analyzer analyzer = PageAnalysis.analyzer()) {
      readLogs(ingest);
      format.tellUnused(ingest.sources(), spec.commandLine().getErr());
      tellUnusedDropping(ingest);
      CountedWorkload counted = ingest.workload(AnalyzedQueries.of(analyzer, PageAnalysis.BODY));
      Workload workload =
          running == null
              ? counted.workload()
              : running.merge(olderWeight, counted.workload(), floor);
      Optional<WorkloadOutcome.Relevance> relevance = relevance(workload);
      Workload left = relevance.map(WorkloadOutcome.Relevance::after).orElse(workload);
      double forgotten =
          running == null
              ? 0
              : WorkloadOutcome.forgotten(
                  olderWeight * running.totalFrequency() + counted.workload().totalFrequency(),
                  workload);
      tell(new WorkloadOutcome(ingest, counted, relevance, forgotten, left, notes()));
    } finally {
      TemporaryFolder.delete(temporary, spec.commandLine().getErr());
    }
    return 0;
  }

  private void readLogs(WorkloadIngest ingest) throws IOException {
    for (Path log : logs) {
      if (log.equals(LogName.STANDARD_INPUT)) {
        ingest.read("standard input", System.in);
      } else {
        QueryLogOptions.requireLog(log, "add logs to it by --merge");
        ingest.read(log);
      }
    }
    if (ingest.sources().isEmpty()) {
      throw new CommandFailure(QueryLogOptions.noLogIn(logs, ingest.tally()));
    }
  }

  /** Says so if robots were to be left out and nothing that was read tells them from people. */
  private void tellUnusedDropping(WorkloadIngest ingest) {
    if (dropRobots && ingest.tally().of(Fate.KEPT) > 0 && !ingest.knowsSessions()) {
      PrintWriter err = spec.commandLine().getErr();
      err.println("--drop-robots had no effect: none of the logs read tells who asked and when");
      err.flush();
    }
  }

  /** The older workload alone may be written over, by the newer one. */
  private void requireUnread() throws IOException {
    List<Path> read = new ArrayList<>(logs);
    read.replaceAll(LogName::place);
    if (index != null) {
      read.add(index);
    }
    if (out != null && !QueryLogOptions.isWorkload(out)) {
      OutputPlace.requireUnread("--out", out, read);
    }
    if (older != null) {
      read.add(older);
    }
    if (report != null) {
      OutputPlace.requireUnread("--report", report, read);
    }
    if (out != null && report != null && OutputPlace.isSame(out, report)) {
      throw new CommandFailure("--out and --report are one file, " + out + ": name two");
    }
  }

  private Optional<WorkloadOutcome.Relevance> relevance(Workload workload) throws IOException {
    if (index == null) {
      return Optional.empty();
    }
    double[] sums = RelevanceSums.of(workload, index, spec.commandLine().getErr());
    RelevanceCut cut = RelevanceCut.of(sums, RESAMPLING_SEED);
    return Optional.of(new WorkloadOutcome.Relevance(sums, cut, workload));
  }

  /** A workload knows no sessions: what an older one holds cannot be withheld any more. */
  private List<String> notes() {
    return older == null || minSessions == 1
        ? List.of()
        : List.of(
            ("--min-sessions %d holds for the logs of this run alone: what %s holds of fewer"
                    + " sessions stays, and sessions of other runs do not count")
                .formatted(minSessions, older));
  }

  private void tell(WorkloadOutcome outcome) throws IOException {
    PrintWriter told = spec.commandLine().getOut();
    if (output == Output.JSON) {
      told.println(WorkloadJson.of(outcome, top));
    } else {
      new WorkloadSummary(outcome, told).print(top);
    }
    told.flush(); // before a file is written: where that fails, what took long is not lost
    boolean empty = outcome.workload().queryCount() == 0;
    if (out != null && !empty) {
      outcome.workload().write(out); // before its report: this is what took long
      if (output == Output.TEXT) {
        told.println("\nwritten to " + out);
        told.flush();
      }
    }
    if (report != null) {
      WorkloadReport.of(outcome, top).write(report);
    }
    if (out != null && empty) {
      throw new CommandFailure("no query is left, " + out + " is not written: see the counts");
    }
  }

  private void requireAtLeast(int least, String option, long value) {
    if (value < least) {
      throw bad("%s must be at least %d, was %d".formatted(option, least, value));
    }
  }

  private void check() {
    requireAtLeast(0, "--session-window", sessionWindowMinutes);
    requireAtLeast(1, "--queries-an-hour", queriesAnHour);
    requireAtLeast(1, "--min-sessions", minSessions);
    requireAtLeast(1, "--threads", threads);
    if (threads > IngestSettings.MOST_THREADS) {
      throw bad(
          "--threads must be at most %d, was %d; more than there are processors gain nothing"
              .formatted(IngestSettings.MOST_THREADS, threads));
    }
    requireAtLeast(0, "--top", top);
    if (!(olderWeight > 0 && olderWeight <= 1)) {
      throw bad("--older-weight must be over 0 and at most 1, was " + olderWeight);
    }
    if (!(floor >= 0 && floor < Double.POSITIVE_INFINITY)) {
      throw bad("--floor must be a frequency of at least 0, was " + floor);
    }
    for (String ofMerging : List.of("--older-weight", "--floor")) {
      if (older == null && spec.commandLine().getParseResult().hasMatchedOption(ofMerging)) {
        throw bad(
            ofMerging
                + " has no effect without an older workload: name it by --merge, or leave "
                + ofMerging
                + " out");
      }
    }
  }

  private IngestSettings settings(Path temporary) {
    IngestSettings usual = IngestSettings.usual(temporary);
    return format
        .over(usual)
        .withSessions(Duration.ofMinutes(sessionWindowMinutes), queriesAnHour, dropRobots)
        .withMinSessions(minSessions)
        .withResources(threads, usual.heapBytes());
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
