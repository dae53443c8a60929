// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TopPages;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Puts pages of similar change rate into buckets and decides per bucket, anew each period, how
 * often its pages are fetched, so that as few pages as possible are out of date (survey, section
 * 2.2, after Edwards, McCurley and Tomlin 2001).
 *
 * <p>Parameter: the number of buckets, 10 where nothing else is tried; the survey names none.
 *
 * <p>Choices: the source minimises outdated pages over a horizon of periods by a nonlinear program
 * whose coefficients are measured per bucket. Here pages are ranked by estimated rate (changes and
 * half a one, over the time watched and a period) and cut into equal buckets; a bucket's rate pools
 * the visits of its pages; the program is its steady state, whose optimum is found as for {@link
 * Staleness}. Pages that were discovered and not collected, and weights of periods, which the
 * source's goal has as well, are left out. Within a bucket the longest unvisited page comes first.
 * A bucket that changes too fast to keep up with is abandoned; pooled rates are never 0, so no
 * other bucket starves.
 */
public final class IncrementalBuckets implements RefreshPolicy {
  // columns of a page's row
  private static final int CHANGES = 0;
  private static final int WATCHED = 1;
  private static final int COLUMNS = 2;

  private final int buckets;
  private final long seed;

  /**
   * The policy.
   *
   * @param buckets number of buckets, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  public IncrementalBuckets(int buckets, long seed) {
    if (buckets < 1) {
      throw new IllegalArgumentException("buckets must be at least 1, was " + buckets);
    }
    this.buckets = buckets;
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double days = budget.periodDays();
    PageTable pages =
        PageTable.of(
            known,
            COLUMNS,
            page -> new double[] {ChangeRate.changes(page.visits()), page.visits().daysWatched()});
    double[] changes = pages.column(CHANGES);
    double[] watched = pages.column(WATCHED);
    int[] bucketOf = bucketsByRate(pages, days);
    double[] bucketRate = new double[buckets];
    double[] size = new double[buckets];
    double[] ones = new double[buckets];
    double[] bucketDays = new double[buckets];
    for (int i = 0; i < pages.size(); i++) {
      size[bucketOf[i]]++;
      bucketRate[bucketOf[i]] += changes[i];
      bucketDays[bucketOf[i]] += watched[i];
    }
    for (int bucket = 0; bucket < buckets; bucket++) {
      bucketRate[bucket] = (bucketRate[bucket] + 0.5) / (bucketDays[bucket] + days) * days;
    }
    Arrays.fill(ones, 1);
    double[] often = RefreshFrequencies.of(bucketRate, ones, size, budget.perPeriod(), 1);
    double[] perDay =
        IntStream.range(0, pages.size()).mapToDouble(i -> often[bucketOf[i]] / days).toArray();
    return FrequencyPlan.of(pages.byPage(perDay), Double.POSITIVE_INFINITY, seed);
  }

  private int[] bucketsByRate(PageTable pages, double days) {
    int n = pages.size();
    double[] rate = new double[n];
    for (int i = 0; i < n; i++) {
      rate[i] = (pages.column(CHANGES)[i] + 0.5) / (pages.column(WATCHED)[i] + days);
    }
    int[] byRate =
        IntStream.range(0, n)
            .boxed()
            .sorted(
                Comparator.comparingDouble((Integer i) -> rate[i])
                    .thenComparingLong(i -> TopPages.hash(seed, pages.pages()[i]))
                    .thenComparing(i -> i))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] bucketOf = new int[n];
    for (int rank = 0; rank < n; rank++) {
      bucketOf[byRate[rank]] = (int) ((long) rank * buckets / n);
    }
    return bucketOf;
  }
}
