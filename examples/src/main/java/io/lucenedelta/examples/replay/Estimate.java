// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.quality.IntegralSum;
import io.lucenedelta.scorer.quality.PaperSum;
import io.lucenedelta.scorer.quality.PassedPages;
import io.lucenedelta.scorer.quality.QualityChange;
import io.lucenedelta.scorer.quality.ViewingLikelihood;

/** How ΔQ_A is estimated. */
enum Estimate {
  /** Queries of several terms, real-valued ranks: what agrees best with exact changes. */
  MULTI_TERM(false),
  /**
   * Q′, rank functions of three pieces, the sum over positions: 2005 paper, section 5.1, read so
   * that ranks are rounded to whole positions.
   */
  PAPER(true),
  /** The same with ranks left as F_q has them, and an integral over the positions. */
  REAL_RANKS(true);

  private final boolean singleTerms;

  Estimate(boolean singleTerms) {
    this.singleTerms = singleTerms;
  }

  /**
   * Whether it measures single terms, by rank functions of three pieces that stay as they were in
   * the first week, as the paper does; else queries as asked, as the product does.
   */
  boolean ofSingleTerms() {
    return singleTerms;
  }

  /** The formula for one shift. */
  QualityChange formula(ViewingLikelihood views) {
    return switch (this) {
      case MULTI_TERM -> new PassedPages(views);
      case PAPER -> new PaperSum(views);
      case REAL_RANKS -> new IntegralSum(views);
    };
  }
}
