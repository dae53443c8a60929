// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * Priority = expected quality change: P(p, t) = δQ_A(p) · (t − LR(p, t)), where δQ_A is the mean of
 * ΔQ_A / interval over the page's measured refreshes (Pandey and Olston 2005, section 6.1.3).
 *
 * <p>The paper does not say what a page without a measured refresh is worth. Here it gets the mean
 * δQ_A of the measured pages, so that it is explored at the pace at which an average page earns;
 * while nothing at all is measured, all rates are equal and the longest unvisited page comes first.
 * A page measured to gain nothing has priority 0 for ever and is fetched only when budget is left
 * over: the paper promises nothing else. The paper does not say how such ties are broken: the page
 * that was not visited for the longest time comes first.
 */
public final class UserCentric implements RefreshPolicy {
  private final long seed;

  /** Breaks ties by {@code seed}. */
  public UserCentric(long seed) {
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double unmeasured = meanRate(known);
    PagePriority priority = (page, now) -> priority(rate(page, unmeasured), page.age(now));
    return priority.highestFirst(seed);
  }

  /** δ · age; pages of rate 0 come after all others, the longest unvisited first. */
  private static double priority(double rate, double age) {
    return rate > 0 ? rate * age : rate - 1 / (1 + age);
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
   * The mean δQ_A of the measured pages; 1 when no page is measured or none ever gained anything.
   * Summed as {@link StableSum} does, so that the order of the pages cannot show.
   */
  private static double meanRate(KnownPages known) {
    StableSum rates = new StableSum();
    known.forEach(
        page -> {
          if (page.refreshes() > 0) {
            rates.add(page.sumOfRates() / page.refreshes());
          }
        });
    double mean = rates.mean();
    return mean > 0 ? mean : 1;
  }
}
