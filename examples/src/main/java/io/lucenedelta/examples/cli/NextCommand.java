// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.PagePriority;
import io.lucenedelta.scorer.refresh.UserCentric;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The verb {@code next}: the refresh order. */
@Command(
    name = "next",
    description = "Lists the pages to fetch next, the most urgent first.",
    footer = {
      "",
      "Examples:",
      "  lucene-delta next --index pages.index --count 20",
      "  lucene-delta next --index pages.index --at 2024-12-02T00:00:00Z --format json"
    })
final class NextCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--index",
      required = true,
      paramLabel = "DIR",
      description = "An index made with lucene-delta index.")
  private Path index;

  @Option(
      names = "--count",
      defaultValue = "20",
      paramLabel = "N",
      description = "How many pages (default: ${DEFAULT-VALUE}).")
  private int count;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "The time for which to plan, such as 2024-12-02T00:00:00Z (default: now).")
  private Instant at;

  @Option(
      names = "--policy",
      defaultValue = "user-utility",
      paramLabel = "NAME",
      description =
          "user-utility, or user-centric: the 2005 paper's priority over the stored quality changes"
              + " (default: user-utility).")
  private String policy;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    if (count < 1) {
      throw new ParameterException(spec.commandLine(), "--count must be at least 1, was " + count);
    }
    TableOutput table =
        new TableOutput("rank", "page", "priority", "rate", "last_refresh", "refreshes_measured");
    try (DeltaState state = MeasuredIndex.read(index)) {
      Instant time = at == null ? Instant.now() : at;
      int rank = 0;
      for (PagePriority page : order(state, time)) {
        table.row(
            ++rank,
            page.page(),
            page.priority(),
            page.rate(),
            page.lastRefresh(),
            page.refreshes());
      }
    }
    table.print(format.chosen(), spec.commandLine().getOut());
    return 0;
  }

  /** By the strategies that a live history can serve: it keeps no contents of earlier visits. */
  private List<PagePriority> order(DeltaState state, Instant time) {
    return switch (policy) {
      case "user-utility" -> state.nextPages(count, time);
      case "user-centric" -> state.nextPages(new UserCentric(0), count, time);
      default ->
          throw new ParameterException(
              spec.commandLine(),
              "--policy must be user-utility or user-centric, was '" + policy + "'");
    };
  }
}
