// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Groups pages that look alike, watches a few typical pages of each group and fetches from the
 * groups most likely to have changed (survey, section 3.2, after Tan, Zhuang, Mitra and Giles
 * 2007).
 *
 * <p>Pages become vectors of features, clustered by repeated bisection. The pages nearest to each
 * centroid are fetched every period as samples; their changes over the time watched give the
 * cluster's Poisson rate λ. A page that was not fetched for t days has changed with chance φ = 1 −
 * e^(−λt); pages are fetched in descending order of φ until the budget is spent.
 *
 * <p>Rates are fixed when a plan is made: what samples find counts in the next one.
 *
 * <p>Parameter: the number of clusters, 20 where nothing else is tried; the survey names none.
 *
 * <p>Choices: the survey orders whole clusters by φ; here each page has its own, its cluster's rate
 * over the page's age, so that a cluster is not fetched twice before another's turn. Features are
 * the logarithms of length, expected views and importance, the depth and length of the address, and
 * the site by two hash coordinates, each scaled to unit variance; the source's content features
 * need the text and are left out. Samples take at most a quarter of the budget, so there are at
 * most as many clusters; where a quarter is less than one page, one sample is fetched in every
 * fourth or second period, counted from 1970 in periods of the budget's length. Where that is
 * another one in each period, as online with unequal gaps between snapshots, it is so in the mean
 * only. Half a change is added to each cluster's count. Nobody starves while any cluster's rate is
 * positive, which it is.
 */
public final class ClusterSampling implements RefreshPolicy {
  private static final double SAMPLED_SHARE = 0.25;

  // columns of a page's row; those before are its features
  private static final int CHANGES = 7;
  private static final int WATCHED = 8;

  private final int clusters;
  private final long seed;

  /**
   * The policy.
   *
   * @param clusters number of clusters, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  public ClusterSampling(int clusters, long seed) {
    if (clusters < 1) {
      throw new IllegalArgumentException("clusters must be at least 1, was " + clusters);
    }
    this.clusters = clusters;
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    PageTable pages = PageTable.of(known, WATCHED + 1, ClusterSampling::row);
    double[][] features = new double[CHANGES][];
    System.arraycopy(pages.columns(), 0, features, 0, features.length);
    int samplesAtMost = (int) Math.max(1, SAMPLED_SHARE * budget.perPeriod());
    Bisection bisection = Bisection.of(features, Math.min(clusters, samplesAtMost), seed);
    int each = Math.max(1, samplesAtMost / bisection.clusters());
    boolean[] sampled = bisection.nearest(each);
    double[] changes = new double[bisection.clusters()];
    double[] watched = new double[bisection.clusters()];
    Set<String> samples = new HashSet<>();
    for (int i = 0; i < pages.size(); i++) {
      if (sampled[i]) {
        samples.add(pages.pages()[i]);
        changes[bisection.cluster(i)] += pages.column(CHANGES)[i];
        watched[bisection.cluster(i)] += pages.column(WATCHED)[i];
      }
    }
    Map<String, Double> rates = new HashMap<>();
    for (int i = 0; i < pages.size(); i++) {
      int cluster = bisection.cluster(i);
      rates.put(
          pages.pages()[i], (changes[cluster] + 0.5) / (watched[cluster] + budget.periodDays()));
    }
    Priority chance =
        (page, now) ->
            samples.contains(page.page()) && isSampled(now, budget)
                ? 2
                : -Math.expm1(-rates.getOrDefault(page.page(), 0.0) * page.age(now));
    return chance.highestFirst(seed);
  }

  /** Whether samples come first now: in every period unless a sample is over their share. */
  private static boolean isSampled(Instant now, RefreshBudget budget) {
    long every = (long) Math.ceil(1 / (SAMPLED_SHARE * Math.max(1, budget.perPeriod())));
    double periods = Days.between(Instant.EPOCH, now) / budget.periodDays();
    return Math.floorMod((long) Math.floor(periods), every) == 0;
  }

  /** Seven features, then changes and days watched. */
  private static double[] row(KnownPage page) {
    String address = page.page();
    int site = page.facts().site().hashCode();
    return new double[] {
      Math.log1p(page.facts().words()),
      Math.log1p(page.facts().expectedViews()),
      Math.log(page.facts().importance()),
      address.chars().filter(c -> c == '/').count(),
      address.length(),
      Math.cos(site),
      Math.sin(site),
      ChangeRate.changes(page.visits()),
      page.visits().daysWatched()
    };
  }
}
