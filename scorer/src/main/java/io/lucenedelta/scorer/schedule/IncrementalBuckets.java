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
 * whose coefficients are measured per bucket. Here pages are ranked by rate (changes ÷ the time
 * watched) and cut into equal buckets; a bucket's rate pools the visits of its pages; the program
 * is its steady state, whose optimum is found as for {@link Staleness}. Pages that were discovered
 * and not collected, and weights of periods, which the source's goal has as well, are left out.
 * Within a bucket the longest unvisited page comes first, and a bucket that changes too fast to
 * keep up with is abandoned, both but for the warm-up below.
 *
 * <p>Rates that are not {@linkplain Rates#KNOWN known} add half a change and a period, to each page
 * where pages are ranked and to each bucket where they are pooled, so that none is 0; of known ones
 * a bucket in which no page changed is left alone. Where rates are {@linkplain Rates#LEARNING being
 * learned}, a page's first intervals grow by four weeks each, as for {@link Staleness}: else pages
 * of which nothing is known, which are taken to change every second period, would be abandoned
 * beside any bucket that was watched, and a small budget stay with the pages visited first. So
 * nobody starves then.
 */
public final class IncrementalBuckets implements RefreshPolicy {
  // columns of a page's row
  private static final int CHANGES = 0;
  private static final int WATCHED = 1;
  private static final int COLUMNS = 2;

  private final int buckets;
  private final Rates rates;
  private final long seed;

  /**
   * The policy that learns rates from what it fetches.
   *
   * @param buckets number of buckets, at least 1
   * @throws IllegalArgumentException if there are fewer
   */
  public IncrementalBuckets(int buckets, long seed) {
    this(buckets, Rates.LEARNING, seed);
  }

  /**
   * The policy.
   *
   * @param buckets number of buckets, at least 1
   * @throws IllegalArgumentException if there are fewer
   * @throws NullPointerException if rates are null
   */
  public IncrementalBuckets(int buckets, Rates rates, long seed) {
    if (buckets < 1) {
      throw new IllegalArgumentException("buckets must be at least 1, was " + buckets);
    }
    this.buckets = buckets;
    this.rates = Rates.named(rates);
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
      bucketRate[bucket] = perDay(bucketRate[bucket], bucketDays[bucket], days) * days;
    }
    Arrays.fill(ones, 1);
    double[] often = RefreshFrequencies.of(bucketRate, ones, size, budget.perPeriod(), 1);
    double[] perDay =
        IntStream.range(0, pages.size()).mapToDouble(i -> often[bucketOf[i]] / days).toArray();
    double warmUp = rates == Rates.LEARNING ? FreshestPlan.WARM_UP_DAYS : Double.POSITIVE_INFINITY;
    return FrequencyPlan.of(pages.byPage(perDay), warmUp, seed);
  }

  /** Changes a day, of a page or of a bucket. */
  private double perDay(double changes, double watched, double periodDays) {
    if (rates == Rates.KNOWN) {
      return changes == 0 ? 0 : changes / watched;
    }
    return (changes + 0.5) / (watched + periodDays);
  }

  private int[] bucketsByRate(PageTable pages, double days) {
    int n = pages.size();
    double[] rate = new double[n];
    for (int i = 0; i < n; i++) {
      rate[i] = perDay(pages.column(CHANGES)[i], pages.column(WATCHED)[i], days);
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
