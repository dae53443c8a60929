// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Objects;

/**
 * Priority = expected quality change: P(p, t) = δQ_A(p) · (t − LR(p, t)), where δQ_A is the mean of
 * ΔQ_A / interval over the page's measured refreshes (Pandey and Olston 2005, section 6.1.3).
 *
 * <p>How ΔQ_A was estimated is not this class's business: it takes what the histories hold. A
 * replay gives it the paper's own estimate (single-term workload, three pieces of equal length and,
 * as we read it, whole ranks) unless told otherwise; a live index the estimate that it stores,
 * which is by default the multi-term one of this project, so that there it is the paper's priority
 * over better numbers.
 *
 * <p>Where the paper is silent:
 *
 * <ul>
 *   <li>A page without a measured refresh, of which nothing is known, gets the mean δQ_A of the
 *       measured pages: it is explored at the pace at which an average page earns. While that mean
 *       is not above 0, it gets 1 a day: where nothing at all was gained such pages come first, the
 *       longest unvisited of them before the others.
 *   <li>A page that was watched and gave no reason to refresh it, as hindsight knows of static
 *       pages, has δQ_A = 0: a sum over no refreshes.
 *   <li>Recent refreshes can be made to mean more by a {@link Recency}, which footnote 4 suggests
 *       and leaves open. All count alike by default, and where storage keeps sums alone.
 *   <li>An interval of less than a minute counts as one: a page committed twice in a second, which
 *       no crawler does, would be taken for the best of all by the mean of the rates.
 *   <li>Pages with δQ_A = 0 come after all that earn, the longest unvisited first, and before those
 *       whose estimates are negative, as sums over whole ranks can be. The paper promises neither
 *       more than what budget is left.
 * </ul>
 */
public final class UserCentric implements RefreshPolicy {
  private static final double SHORTEST_DAYS = 1.0 / (24 * 60);

  private final Recency recency;
  private final long seed;

  /** Breaks ties by {@code seed}. */
  public UserCentric(long seed) {
    this(Recency.ALL, seed);
  }

  /** Past refreshes count by {@code recency}. */
  public UserCentric(Recency recency, long seed) {
    this.recency =
        Objects.requireNonNull(
            recency,
            "how much recent refreshes mean is needed, was null; Recency.ALL for all alike");
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double unmeasured = meanRate(known);
    Priority priority = (page, now) -> priority(recentRate(page, unmeasured), page.age(now));
    return priority.highestFirst(seed);
  }

  /**
   * δ · age; where δ is 0, hardly less, the more so the younger; where it is negative, less than
   * that, also of a page fetched just now.
   */
  private static double priority(double rate, double age) {
    if (rate == 0) {
      return -Double.MIN_NORMAL / (1 + age);
    }
    return rate > 0 ? rate * age : Math.min(rate * age, -2 * Double.MIN_NORMAL);
  }

  /**
   * δQ_A(p) per day. A page that was watched without a reason to refresh it, as hindsight knows,
   * has 0; one of which nothing is known has {@code unmeasured}.
   */
  public static double rate(PageHistory page, double unmeasured) {
    if (page.refreshes() == 0) {
      return page.totalDays() > 0 ? 0 : unmeasured;
    }
    return page.sumOfRates() / page.refreshes();
  }

  /**
   * ΔQ_A / interval of one refresh, per day.
   *
   * @param days the interval; of less than a minute, a minute
   */
  public static double rateOfRefresh(double qualityChange, double days) {
    return qualityChange / Math.max(SHORTEST_DAYS, days);
  }

  /**
   * The mean δQ_A of the measured pages; 1 when no page is measured or that mean is not above 0.
   * Summed as {@link StableSum} does, so that the order of the pages cannot show.
   */
  private double meanRate(KnownPages known) {
    StableSum rates = new StableSum();
    known.forEach(
        page -> {
          if (page.refreshes() > 0) {
            double rate = recentRate(page, 0);
            RecordedChanges.requireFinite(page, "the mean rate", rate);
            rates.add(rate);
          }
        });
    double mean = rates.mean();
    return mean > 0 ? mean : 1;
  }

  /** {@link #rate} by the refreshes that count. */
  private double recentRate(KnownPage page, double unmeasured) {
    MeasuredRefreshes measured =
        recency.equals(Recency.ALL) ? MeasuredRefreshes.NOT_KEPT : page.measured();
    return measured.size() == 0 ? rate(page, unmeasured) : recency.mean(measured);
  }
}
