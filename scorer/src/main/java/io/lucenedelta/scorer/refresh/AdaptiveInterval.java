// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * Visits each page after an interval that grows when a visit finds it unmodified and shrinks when
 * it finds it modified: the shape of Apache Nutch's adaptive fetch schedule.
 *
 * <p>interval ← interval · 1.4 or · 0.8, kept between one day and a year, from 30 days at first
 * (the first may be any); the day is a choice made here, Nutch's own smallest interval is a minute.
 * A page that was never fetched is due at once, as in Nutch, and comes first. Nutch spends a
 * budget, {@code -topN}, on the due pages of the highest score, by default one of links; here the
 * pages due are fetched in order of how many times their interval they are overdue. Nothing is
 * fetched that is not due. An interval of whole days, such as the first and the shortest, is over
 * {@link RefreshBudget#earlyDays} sooner: else a page to be fetched every day would miss each
 * snapshot that begins a minute early. Starves nobody: every interval is finite.
 *
 * <p>A part of Nutch's default is left out: with {@code sync_delta} it moves the next fetch towards
 * the time at which the page last changed, by three tenths of how long ago that was, and lengthens
 * an interval that is shorter than that. Visits alone do not tell that time. Left out as well is
 * {@code db.fetch.interval.max}, 90 days by default, which stands above the schedule: there a page
 * whose interval outgrows it is due at once and goes on with nine tenths of it.
 */
public final class AdaptiveInterval implements RefreshPolicy {
  private static final double LONGEST_DAYS = 365;
  private static final double SHORTEST_DAYS = 1;

  /** Far above what rounding leaves of a product of whole days: 90 · 1.4 is just below 126. */
  private static final double ROUNDING_DAYS = 1e-9;

  private final double initialDays;
  private final double growth;
  private final double shrinkage;
  private final long seed;

  /** Nutch's defaults: 30 days, 1.4 and 0.8. */
  public AdaptiveInterval(long seed) {
    this(30, 1.4, 0.8, seed);
  }

  /**
   * Other constants.
   *
   * @param initialDays first interval, positive and finite
   * @param growth factor after a visit that found no change, at least 1 and finite
   * @param shrinkage factor after one that did, in (0, 1]
   * @throws IllegalArgumentException if one is out of range
   */
  public AdaptiveInterval(double initialDays, double growth, double shrinkage, long seed) {
    if (!(initialDays > 0
        && initialDays <= Double.MAX_VALUE
        && growth >= 1
        && growth <= Double.MAX_VALUE
        && shrinkage > 0
        && shrinkage <= 1)) {
      throw new IllegalArgumentException(
          "initialDays must be positive and finite, growth at least 1 and finite, shrinkage in (0, 1]; were %s, %s, %s"
              .formatted(initialDays, growth, shrinkage));
    }
    this.initialDays = initialDays;
    this.growth = growth;
    this.shrinkage = shrinkage;
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double early = budget.earlyDays();
    Priority overdue =
        (page, now) -> {
          if (page.neverFetched()) {
            return Double.MAX_VALUE;
          }
          double interval = interval(page.visits());
          boolean wholeDays = Math.abs(interval - Math.rint(interval)) < ROUNDING_DAYS;
          double age = page.age(now);
          return age >= (wholeDays ? interval - early : interval) ? age / interval : Priority.NEVER;
        };
    return overdue.highestFirst(seed);
  }

  /** The interval after a record of visits, in days. */
  double interval(Visits visits) {
    double interval = initialDays;
    for (int visit = 1; visit < visits.size(); visit++) {
      interval *= visits.changed(visit) ? shrinkage : growth;
      interval = Math.clamp(interval, SHORTEST_DAYS, LONGEST_DAYS);
    }
    return interval;
  }
}
