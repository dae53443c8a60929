// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.DemoCrawl;
import io.lucenedelta.examples.crawl.SnapshotArchive;
import io.lucenedelta.examples.replay.EstimateAudit;
import io.lucenedelta.examples.replay.Replay;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.replay.Scoring;
import io.lucenedelta.examples.report.AuditFiles;
import io.lucenedelta.examples.report.ReportTable;
import io.lucenedelta.examples.report.TextTable;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code audit}: how good the estimates are on a crawl, and what makes them so. */
@Command(
    name = "audit",
    description = {
      "Measures every change of a crawl exactly and compares: which estimate agrees best, how exact"
          + " rank functions are, how often they must be rebuilt. Without --crawl a demo crawl and"
          + " log are generated.",
      "Writes estimates.tsv, rank_functions.tsv and ageing.tsv."
    },
    footer = {
      "",
      "Example:",
      "  lucene-delta audit --crawl crawl --query-log queries.log.gz --scoring tfidf --out out"
    })
final class AuditCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--crawl",
      paramLabel = "DIR",
      description = "Directory of WARC files, or of one folder of files per snapshot.")
  private Path crawl;

  @Mixin private QueryLogOptions queries;

  @Option(
      names = "--scoring",
      defaultValue = "bm25",
      paramLabel = "NAME",
      description = "bm25, tfidf or importance (default: ${DEFAULT-VALUE}).")
  private String scoring;

  @Option(
      names = "--importance",
      paramLabel = "FILE",
      description = "Page and number of in-links, tab-separated, for --scoring importance.")
  private Path importance;

  @Option(
      names = "--seed",
      defaultValue = "42",
      paramLabel = "N",
      description = "Seed of the demo crawl (default: ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "Where to write the files.")
  private Path out;

  @Override
  public Integer call() throws IOException {
    if (crawl != null && !queries.given()) {
      throw bad("--crawl needs a query log as well: add --query-log FILE");
    }
    Scoring chosen = chosenScoring();
    if (chosen == Scoring.IMPORTANCE && importance == null && crawl != null) {
      throw bad("--scoring importance needs the in-link counts: add --importance FILE");
    }
    PrintWriter err = spec.commandLine().getErr();
    Files.createDirectories(out);
    Path source = crawl == null ? generate() : crawl;
    SnapshotArchive archive = SnapshotArchive.open(source);
    Workload workload =
        queries.given() ? queries.read(err) : queries.read(List.of(DemoCrawl.queryLog(out)), err);
    ReplayRequest request = ReplayRequest.of(workload).withScoring(chosen, inlinks(chosen));
    EstimateAudit.Result result;
    try (ReplayProgressBars progress = new ReplayProgressBars(err)) {
      result =
          EstimateAudit.run(
              Replay.read(archive, workload, request.tuning().fragmentWords(), progress),
              request,
              progress);
    }
    AuditFiles.write(result, out);
    PrintWriter text = spec.commandLine().getOut();
    for (ReportTable table : AuditFiles.tables(result)) {
      TextTable.print(table, text);
      text.println();
    }
    text.flush();
    return 0;
  }

  private Path generate() throws IOException {
    DemoCrawl.withSeed(seed).write(out);
    return DemoCrawl.snapshots(out);
  }

  private Map<String, Integer> inlinks(Scoring chosen) throws IOException {
    return chosen == Scoring.IMPORTANCE
        ? InlinkTable.read(importance == null ? DemoCrawl.inlinks(out) : importance)
        : Map.of();
  }

  private Scoring chosenScoring() {
    try {
      return Scoring.of(scoring);
    } catch (IllegalArgumentException e) {
      throw bad(e.getMessage());
    }
  }

  private ParameterException bad(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
