// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaState;
import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.delta.SelfAudit;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The verb {@code status}: how measuring stands. */
@Command(
    name = "status",
    description = {
      "Shows the state of the measurements: pages, queries, memory, what could not be measured.",
      "answered_share is the share of searches (queries measured whole, weighted by frequency) with"
          + " at least one result. If it is far below what users of the search see, they ask for"
          + " what is not in the index, or the workload was made with another analyzer than the"
          + " index. It is empty before there are rank functions, where these cannot be read (standard"
          + " error says so), and where no query is measured whole, as with index --whole-queries 0.",
      "With index --self-audit also how good the estimates are, over those of the last audit_kept"
          + " audited refreshes that moved a result (audit_moved): audit_rank_correlation is 1 when estimates and exact quality"
          + " changes put the refreshes in the same order, audit_bias is the sum of the estimates"
          + " divided by that of the exact changes. audit_broken_off is the number not finished in time."
    },
    footer = {"", "Example:", "  lucene-delta status --index pages.index"})
final class StatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Mixin private IndexOption index;

  @Mixin private FormatOption format;

  @Override
  public Integer call() throws IOException {
    DeltaStatus status;
    try (DeltaState state = index.open()) {
      status = state.status();
      index.tellTroubles(state);
    }
    table(status).print(format.chosen(), spec.commandLine().getOut());
    return 0;
  }

  /** A row for each number. */
  static TableOutput table(DeltaStatus status) {
    TableOutput table = new TableOutput("name", "value");
    table.row("pages", status.pages());
    table.row("pages_known", status.pagesKnown());
    table.row("documents_without_key", status.keylessDocuments());
    table.row("extra_copies", status.extraCopies());
    table.row("terms", status.terms());
    table.row("queries", status.queries());
    table.row("whole_queries", status.wholeQueries());
    table.row("whole_queries_share", status.coverage());
    table.row("answered_share", Double.isNaN(status.answered()) ? null : status.answered());
    table.row("generation", status.generation());
    table.row("batches_measured", status.batchesMeasured());
    table.row("batches_incomplete", status.batchesIncomplete());
    table.row("last_incomplete", status.lastIncomplete());
    table.row("page_bytes", status.pageBytes());
    table.row("bytes_per_page", status.bytesPerPage());
    table.row("order_bytes", status.orderBytes());
    table.row("rank_bytes", status.rankBytes());
    table.row("bytes_per_query", status.bytesPerQuery());
    table.row("refresh_files", status.refreshFiles());
    table.row("ranks_built", status.lastRebuild());
    table.row("ranks_failure", status.ranksFailure());
    addAudit(table, status.selfAudit());
    return table;
  }

  private static void addAudit(TableOutput table, SelfAudit audit) {
    table.row("audited_refreshes", audit == null ? 0 : audit.audited());
    if (audit != null) {
      table.row("audit_since", audit.since());
      table.row("audit_broken_off", audit.brokenOff());
      table.row("audit_kept", audit.kept());
      table.row("audit_moved", audit.agreement().refreshes());
      table.row("audit_rank_correlation", audit.agreement().spearman());
      table.row("audit_bias", audit.agreement().bias());
    }
  }
}
