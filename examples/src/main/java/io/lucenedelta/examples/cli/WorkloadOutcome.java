// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.scorer.quality.ViewingLikelihoodFit;
import io.lucenedelta.workload.ClickCounts;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.Workload;
import io.lucenedelta.workload.log.WorkloadIngest;
import io.lucenedelta.workload.relevance.RelevanceCut;
import java.util.List;
import java.util.Optional;

/**
 * What the verb {@code workload} found out, before anybody is told.
 *
 * @param ingest what was in the logs
 * @param counted what was asked, as counted
 * @param relevance how relevance to an index cut the workload down, if asked for
 * @param forgotten how often queries were asked that fell, or came, below the floor of a merger
 * @param workload what is left in the end
 * @param notes what the counts do not show, in sentences
 */
record WorkloadOutcome(
    WorkloadIngest ingest,
    CountedWorkload counted,
    Optional<Relevance> relevance,
    double forgotten,
    Workload workload,
    List<String> notes) {
  static final double ROUNDING = 1e-9; // of sums in another order

  /**
   * A cut by relevance.
   *
   * @param sums the summed score of each query of {@code before}
   * @param cut where it was cut
   * @param before the workload before
   */
  record Relevance(double[] sums, RelevanceCut cut, Workload before) {
    Workload after() {
      return before.filter(query -> cut.keeps(sums[query]));
    }
  }

  /**
   * What a merger forgot, of the sum of frequencies that it had to start with.
   *
   * @param before the older workload, grown older, and the newer one
   */
  static double forgotten(double before, Workload merged) {
    double less = before - merged.totalFrequency();
    return less > ROUNDING * before ? less : 0;
  }

  /** How often something was asked in all logs. */
  double asked() {
    return counted.workload().totalFrequency()
        + counted.withoutTerms()
        + counted.withheldFrequency();
  }

  /**
   * What the clicks say about I(r), the best curve first; empty for too few ranks, and where nobody
   * asked, as in a file of click events alone. Logs that have no clicks say nothing of it.
   */
  List<ViewingLikelihoodFit> fits() {
    ClickCounts clicks = ingest.clicks();
    double asked = ingest.askedWhereClicked();
    return clicks.clickedRanks() < 2 || asked == 0
        ? List.of()
        : ViewingLikelihoodFit.all(clicks, asked);
  }
}
