// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.analysis.solvers.BrentSolver;

/**
 * How often a page changes, from visits that only tell whether it changed at all since the visit
 * before (Cho and Garcia-Molina 2003, Estimating frequency of change). Changes are taken as a
 * Poisson process; rates are changes a day.
 */
public final class ChangeRate {
  /** Intervals that differ by less than this share count as equal. */
  private static final double REGULAR = 0.01;

  private ChangeRate() {}

  /**
   * The bias-corrected estimate for regular visits: λ = −ln((n − X + ½) / (n + ½)) / interval. 0
   * when no visit found a change; finite when all did.
   *
   * @param visits n, visits after the first, 1 or more
   * @param changes X, those that found a change
   * @param intervalDays days between visits, positive
   * @throws IllegalArgumentException if an argument is out of range
   */
  public static double ofRegularVisits(int visits, int changes, double intervalDays) {
    if (visits < 1 || changes < 0 || changes > visits || !(intervalDays > 0)) {
      throw new IllegalArgumentException(
          "visits must be 1 or more, changes 0 to visits, intervalDays positive; were %d, %d, %s"
              .formatted(visits, changes, intervalDays));
    }
    return -Math.log((visits - changes + 0.5) / (visits + 0.5)) / intervalDays;
  }

  /**
   * The maximum-likelihood estimate for irregular visits: the λ at which Σ over intervals with a
   * change of t/(e^(λt) − 1) equals the sum of the intervals without. 0 when none found a change.
   * When all did the likelihood grows without bound; then the regular estimate at the mean interval
   * stands in. Whatever is above 0 of intervals without a change goes by the likelihood, which is
   * then highest at a large rate: three changes in three weeks are 0.28 a day, with an hour without
   * one 0.89, with a second 2.1.
   *
   * @param changed lengths in days of the intervals that ended with a change, finite
   * @param unchanged sum in days of the intervals that ended without, 0 or more and finite
   * @throws IllegalArgumentException if an interval that ended with a change is not positive, the
   *     sum of the others is negative, or the sum of all is not finite
   */
  public static double ofIrregularVisits(double[] changed, double unchanged) {
    double sum = 0;
    double shortest = Double.POSITIVE_INFINITY;
    for (double interval : changed) {
      if (interval <= 0) {
        throw new IllegalArgumentException(
            interval < 0
                ? "an interval between two visits was %s days; give visits in the order of time, oldest first"
                    .formatted(interval)
                : "a page changed between two visits %s days apart; count them as one visit"
                    .formatted(interval));
      }
      sum += interval;
      shortest = Math.min(shortest, interval);
    }
    if (!(unchanged >= 0 && sum + unchanged <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "intervals must be finite and not negative, those with a change add up to %s days, those without to %s"
              .formatted(sum, unchanged));
    }
    if (changed.length == 0) {
      return 0;
    }
    if (unchanged == 0) {
      return ofRegularVisits(changed.length, changed.length, sum / changed.length);
    }
    UnivariateFunction excess =
        rate -> {
          double expected = 0;
          for (double interval : changed) {
            expected += interval / Math.expm1(rate * interval);
          }
          return expected - unchanged;
        };
    // below the rate: x / (e^x − 1) is convex, so the sum is at least that of equal intervals
    double low = changed.length / (2 * (sum + unchanged));
    double high = 2 * low + 1 / shortest;
    while (excess.value(high) >= 0) {
      high *= 2;
    }
    // the rate lies above low: a millionth of a millionth of it either way, however large high is
    return new BrentSolver(1e-12, 1e-12 * low).solve(200, excess, low, high);
  }

  /**
   * The rate of all changes of the contents, of words or not, in a record of visits: the regular
   * estimator when all intervals are equal, else maximum likelihood; 0 without a second visit.
   *
   * @throws IllegalArgumentException if visits are not in the order of time, or two in the same
   *     second found different contents
   */
  public static double of(Visits visits) {
    return of(visits, visits::changed);
  }

  /**
   * The rate of changes larger than a threshold in a record of visits; see {@link #of(Visits)}.
   *
   * @param threshold τ: a change counts when the divergence from the visit before exceeds it
   */
  public static double of(Visits visits, double threshold) {
    return of(visits, largerThan(visits, threshold));
  }

  private static double of(Visits visits, IntPredicate counts) {
    int n = visits.size() - 1;
    if (n < 1) {
      return 0;
    }
    double[] changed = new double[n];
    int changes = 0;
    double unchanged = 0;
    double shortest = Double.POSITIVE_INFINITY;
    double longest = 0;
    for (int visit = 1; visit <= n; visit++) {
      double interval = interval(visits, visit);
      shortest = Math.min(shortest, interval);
      longest = Math.max(longest, interval);
      if (counts.test(visit)) {
        changed[changes++] = interval;
      } else {
        unchanged += interval;
      }
    }
    if (longest > 0 && longest - shortest <= REGULAR * longest) {
      return ofRegularVisits(n, changes, visits.days(0, n) / n);
    }
    return ofIrregularVisits(Arrays.copyOf(changed, changes), unchanged);
  }

  /** Days from the visit before, 0 or more. */
  private static double interval(Visits visits, int visit) {
    double days = visits.days(visit - 1, visit);
    if (days < 0 || (days == 0 && visits.changed(visit))) {
      throw new IllegalArgumentException(
          "visit %d of a page, at %s, must be a second or more after visit %d, at %s; give visits oldest first, and those of the same second as one"
              .formatted(visit, visits.time(visit), visit - 1, visits.time(visit - 1)));
    }
    return days;
  }

  /**
   * The maximum-likelihood rate of all changes in a record of visits to which two intervals are
   * added, one that ended with a change and one without: positive and finite whatever was found, ln
   * 2 / {@code days} before the second visit (Kolobov and others 2019, equation 10, who add half a
   * day of each).
   *
   * @param days length of each added interval, positive and finite
   * @throws IllegalArgumentException if it is not, or visits are not in the order of time
   */
  public static double smoothed(Visits visits, double days) {
    if (!(days > 0 && days <= Double.MAX_VALUE)) {
      throw new IllegalArgumentException(
          "the intervals added to the visits must be positive and finite, were %s days"
              .formatted(days));
    }
    double[] changed = new double[Math.max(1, visits.size())];
    changed[0] = days;
    int changes = 1;
    double unchanged = days;
    for (int visit = 1; visit < visits.size(); visit++) {
      double interval = interval(visits, visit);
      if (visits.changed(visit)) {
        changed[changes++] = interval;
      } else {
        unchanged += interval;
      }
    }
    return ofIrregularVisits(Arrays.copyOf(changed, changes), unchanged);
  }

  /** Number of visits that found the contents changed, words or not. */
  public static int changes(Visits visits) {
    return changes(visits, visits::changed);
  }

  /**
   * Number of visits that found a change larger than a threshold; see {@link #of(Visits, double)}.
   */
  public static int changes(Visits visits, double threshold) {
    return changes(visits, largerThan(visits, threshold));
  }

  private static int changes(Visits visits, IntPredicate counts) {
    return (int) IntStream.range(1, visits.size()).filter(counts).count();
  }

  /**
   * Tells a visit that found a change larger than a threshold. Both are rounded to floats: a share
   * such as 1 − 9/10 would else be above or below the same number as a constant.
   */
  private static IntPredicate largerThan(Visits visits, double threshold) {
    float most = (float) threshold;
    return visit -> visits.changed(visit) && (float) visits.divergence(visit - 1, visit) > most;
  }
}
