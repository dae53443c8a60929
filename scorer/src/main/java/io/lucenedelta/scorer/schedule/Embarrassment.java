// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Knowledge;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;

/**
 * Keeps clicks from landing on pages that no longer fit the query (EBR of the 2005 paper, section
 * 6.1.2, after Wolf, Squillante, Yu, Sethuraman and Ozsen 2002): freshness-optimal frequencies and
 * schedule with weight clicks(p)·d(p).
 *
 * <p>Formula: Σ clicks·d·(1 − F(f, λ)) over pages, smallest under Σ f = B, found as for {@link
 * Staleness}. d(p) is the chance that an outdated copy is irrelevant; as in the 2005 paper, the
 * share of the page's updates that change at least τ of its shingles. λ counts every update,
 * Poisson as there.
 *
 * <p>Parameter: τ. The source has no default and reports the best of 0.1, 0.2 … 1 for each budget.
 *
 * <p>Choices: the paper's clicks are the {@linkplain PageFacts#expectedViews() expected views} that
 * the workload brings to the page, since no log says what was clicked. With hindsight, pages
 * without expected views, without updates, or changing too often starve; online the warm-up of
 * {@link Staleness} rules that out.
 */
public final class Embarrassment implements RefreshPolicy {
  // columns of a page's row
  private static final int CHANGES = 0;
  private static final int WEIGHT = 1;
  private static final int COLUMNS = 2;

  private final double threshold;
  private final Knowledge knowledge;
  private final long seed;

  /**
   * The policy.
   *
   * @param threshold τ in [0, 1]
   * @param knowledge where it is hindsight all is known, so that all periods are scheduled at once
   * @throws IllegalArgumentException if the threshold lies outside
   * @throws NullPointerException if no knowledge is named
   */
  public Embarrassment(double threshold, Knowledge knowledge, long seed) {
    this.threshold = FreshestPlan.threshold(threshold);
    this.knowledge = FreshestPlan.named(knowledge);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    PageTable pages = PageTable.of(known, COLUMNS, page -> row(page, budget));
    return FreshestPlan.of(
        pages, pages.column(CHANGES), pages.column(WEIGHT), budget, knowledge, seed);
  }

  /** Changes in a period and weight. */
  private double[] row(KnownPage page, RefreshBudget budget) {
    double perDay = ChangeRate.of(page.visits());
    return new double[] {
      perDay * budget.periodDays(), page.facts().expectedViews() * irrelevance(page.visits())
    };
  }

  /**
   * d(p): the share of updates that change at least τ of the shingles, both rounded to floats; 0
   * without updates.
   */
  double irrelevance(Visits visits) {
    int updates = 0;
    int large = 0;
    for (int visit = 1; visit < visits.size(); visit++) {
      if (visits.changed(visit)) {
        updates++;
        large += (float) visits.divergence(visit - 1, visit) >= (float) threshold ? 1 : 0;
      }
    }
    return updates == 0 ? 0 : (double) large / updates;
  }
}
