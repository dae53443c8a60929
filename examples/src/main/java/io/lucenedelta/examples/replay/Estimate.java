// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ViewingLikelihood;
import io.lucenedelta.workload.Workload;

/** How ΔQ_A is estimated. */
enum Estimate {
  /** Queries of several terms, real-valued ranks: what agrees best with exact changes. */
  MULTI_TERM,
  /** Q′, rank functions of three pieces, the sum over whole ranks: 2005 paper, section 5.1. */
  PAPER;

  /** The queries that are measured. */
  Workload queries(Workload workload) {
    return this == PAPER ? workload.singleTerm() : workload;
  }

  /** The formula for one shift. */
  QualityChange formula(ViewingLikelihood views) {
    return this == PAPER ? new PaperSum(views) : new PassedPages(views);
  }
}
