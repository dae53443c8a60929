// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.replay.EstimateAudit;
import io.lucenedelta.examples.replay.Replay;
import io.lucenedelta.examples.replay.ReplayCorpus;
import io.lucenedelta.examples.replay.ReplayRequest;
import io.lucenedelta.examples.report.AuditFiles;
import io.lucenedelta.examples.report.NothingToCompare;
import io.lucenedelta.examples.report.TextTable;
import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
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
      "  lucene-delta audit --crawl crawl --query-log queries.log.gz \\",
      "      --scoring tfidf --out out"
    })
final class AuditCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private CrawlOptions input;

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
    input.check();
    input.checkImportance(List.of());
    if (!input.isDemo() && spec.commandLine().getParseResult().hasMatchedOption("--seed")) {
      throw new ParameterException(
          spec.commandLine(),
          "--seed is of the demo crawl, in place of which --crawl is read: leave one of them out");
    }
    PrintWriter err = spec.commandLine().getErr();
    CrawlOptions.Input given = input.read(seed, out, weeks -> {}, err);
    Workload workload = given.workload();
    ReplayRequest request =
        ReplayRequest.of(workload).withScoring(input.scoring(), given.inlinks());
    EstimateAudit.Result result;
    try (ReplayProgressBars progress = new ReplayProgressBars(err)) {
      ReplayCorpus corpus =
          Replay.read(given.archive(), workload, request.tuning().fragmentWords(), progress);
      input.inlinks(given.inlinks(), corpus, err);
      result = EstimateAudit.run(corpus, request, progress);
    }
    if (!result.isComparable()) {
      err.println(NothingToCompare.sentence(result.matchingQueries(), workload));
      err.flush();
    }
    PrintWriter text = spec.commandLine().getOut();
    TextTable.print(AuditFiles.tables(result), text);
    text.flush(); // before a file is written: where that fails, what took long is not lost
    AuditFiles.write(result, out);
    return 0;
  }
}
