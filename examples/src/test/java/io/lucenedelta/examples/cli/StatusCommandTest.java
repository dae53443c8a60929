// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.delta.DeltaStatus;
import io.lucenedelta.delta.SelfAudit;
import io.lucenedelta.scorer.quality.EstimateAgreement;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every number is another, so that none can stand under the name of another. */
class StatusCommandTest {
  private static final SelfAudit AUDIT =
      new SelfAudit(
          new EstimateAgreement(41, 0.43, 47, 1.53),
          59,
          61,
          67,
          Instant.parse("2024-01-08T00:00:00Z"));

  private static DeltaStatus status(double answered, SelfAudit audit) {
    return new DeltaStatus(
        3,
        4, // known
        5, // without a key
        7, // further copies
        11, // terms
        13,
        17, // whole
        0.19,
        23, // the last batch
        29,
        31, // incomplete
        "no space",
        37, // bytes of pages, of 4
        53, // of the order
        71, // of ranks, of 13 queries
        73,
        Instant.parse("2024-01-01T00:00:00Z"),
        answered,
        audit,
        "no memory");
  }

  private static List<String> rows(DeltaStatus status) throws IOException {
    StringWriter told = new StringWriter();
    StatusCommand.table(status).print(TableOutput.Format.TSV, new PrintWriter(told));
    return told.toString().lines().map(row -> row.replace('\t', '|')).toList();
  }

  @Test
  void everyNumberStandsUnderItsName() throws IOException {
    assertThat(rows(status(0.79, AUDIT)))
        .containsExactly(
            "name|value",
            "pages|3",
            "pages_known|4",
            "documents_without_key|5",
            "extra_copies|7",
            "terms|11",
            "queries|13",
            "whole_queries|17",
            "whole_queries_share|0.19",
            "answered_share|0.79",
            "generation|23",
            "batches_measured|29",
            "batches_incomplete|31",
            "last_incomplete|no space",
            "page_bytes|37",
            "bytes_per_page|9.25",
            "order_bytes|53",
            "rank_bytes|71",
            "bytes_per_query|5.46153846",
            "refresh_files|73",
            "ranks_built|2024-01-01T00:00:00.000Z",
            "ranks_failure|no memory",
            "audited_refreshes|61",
            "audit_since|2024-01-08T00:00:00.000Z",
            "audit_broken_off|67",
            "audit_kept|59",
            "audit_moved|41",
            "audit_rank_correlation|0.43",
            "audit_bias|1.53");
  }

  @Test
  void whatNobodyKnowsIsEmptyAndWithoutAnAuditNothingIsSaidOfOne() throws IOException {
    assertThat(rows(status(Double.NaN, null)))
        .contains("answered_share|")
        .endsWith("audited_refreshes|0")
        .hasSize(23);
  }
}
