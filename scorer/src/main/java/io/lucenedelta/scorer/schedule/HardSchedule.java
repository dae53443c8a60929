// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.divergence.ChurnCurve;
import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.TopPages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A schedule over all planned periods that keeps given frequencies as well as a hard budget allows
 * (the second part of Wolf and others 2002; used for both schemes in the 2005 paper, section 6.1).
 *
 * <p>Frequencies become whole numbers of refreshes by largest remainders. A page refreshed x times
 * had best be refreshed at x points that cut the time from its synchronisation to the end of the
 * last period into equal parts. Doing a refresh in another period costs the expected staleness that
 * this adds while the page's other refreshes stay at their points, and beyond the points of its
 * neighbours more the farther, so that the page's refreshes keep their order; the transportation
 * problem finds the assignment of least total cost. It cannot forbid two refreshes of one page in
 * one period; the second of them is dropped.
 */
final class HardSchedule {
  private final PageTable pages;
  private final double[] rates;
  private final double[] weights;
  private final RefreshBudget budget;
  private final long seed;
  private final double[] times; // when each period is, in mean periods since synchronisation

  /**
   * A scheduler for pages synchronised in the period before the first planned one.
   *
   * @param rates changes per period by page
   * @param weights by page
   */
  HardSchedule(PageTable pages, double[] rates, double[] weights, RefreshBudget budget, long seed) {
    this.pages = pages;
    this.rates = rates;
    this.weights = weights;
    this.budget = budget;
    this.seed = seed;
    this.times =
        budget.times().stream()
            .mapToDouble(time -> Days.between(budget.since(), time))
            .map(days -> days / budget.periodDays())
            .toArray();
  }

  /** The plan that follows the schedule for frequencies per period. */
  RefreshPlan plan(double[] frequencies) {
    int[] counts = wholeCounts(frequencies);
    int tasks = IntStream.of(counts).sum();
    int[] pageOf = new int[tasks];
    int[] ordinal = new int[tasks];
    int task = 0;
    for (int page : byHash()) { // the first tasks decide between schedules that cost the same
      for (int i = 0; i < counts[page]; i++) {
        pageOf[task] = page;
        ordinal[task++] = i;
      }
    }
    int[] periods =
        TransportationSchedule.of(
            tasks,
            budget.periods(),
            budget.perPeriod(),
            (t, period) -> cost(pageOf[t], ordinal[t], counts[pageOf[t]], period));
    List<Set<String>> byPeriod = new ArrayList<>();
    for (int period = 0; period < budget.periods(); period++) {
      byPeriod.add(new HashSet<>());
    }
    for (int t = 0; t < tasks; t++) {
      byPeriod.get(periods[t]).add(pages.pages()[pageOf[t]]);
    }
    return follow(byPeriod);
  }

  /** All pages, in the order that breaks ties. */
  private int[] byHash() {
    return IntStream.range(0, pages.size())
        .boxed()
        .sorted(
            Comparator.comparingLong((Integer i) -> TopPages.hash(seed, pages.pages()[i]))
                .thenComparing(i -> i))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** The pages of the period that were not fetched in it yet, the longest unvisited first. */
  private RefreshPlan follow(List<Set<String>> byPeriod) {
    return (known, now, left) -> {
      Set<String> scheduled = byPeriod.get(budget.periodOf(now));
      TopPages top = new TopPages(left, seed);
      known.forEach(
          page -> {
            if (scheduled.contains(page.page()) && page.lastRefresh().isBefore(now)) {
              top.offer(page.page(), page.age(now));
            }
          });
      return top.bestFirst();
    };
  }

  /** Rounds frequencies times periods so that the total fits the budget. */
  private int[] wholeCounts(double[] frequencies) {
    int n = frequencies.length;
    int[] counts = new int[n];
    double[] remainder = new double[n];
    double wanted = 0;
    long given = 0;
    for (int i = 0; i < n; i++) {
      double exact = frequencies[i] * budget.periods();
      counts[i] = (int) Math.min(budget.periods(), Math.floor(exact + 1e-9));
      remainder[i] = exact - counts[i];
      wanted += exact;
      given += counts[i];
    }
    long all = (long) budget.perPeriod() * budget.periods();
    int left = (int) (Math.min(all, Math.round(wanted)) - given);
    int[] byRemainder =
        IntStream.of(byHash())
            .filter(i -> frequencies[i] > 0 && counts[i] < budget.periods())
            .boxed()
            .sorted(Comparator.comparingDouble(i -> -remainder[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    for (int i = 0; i < Math.min(left, byRemainder.length); i++) {
      counts[byRemainder[i]]++;
    }
    return counts;
  }

  /**
   * Added expected staleness when refresh {@code ordinal} of {@code count} happens in a period.
   * Times are mean periods since the page was synchronised.
   */
  private double cost(int page, int ordinal, int count, int period) {
    double part = (budget.periods() + 1.0) / (count + 1);
    double before = part * ordinal;
    double after = part * (ordinal + 2);
    double at = times[period];
    double excess =
        staleness(page, at - before) + staleness(page, after - at) - 2 * staleness(page, part);
    return weights[page] * excess;
  }

  /** Expected stale time within a stretch after a refresh; falls linearly before it. */
  private double staleness(int page, double periods) {
    if (periods < 0) {
      return -periods; // a refresh before the one it should follow: worse the farther
    }
    return ChurnCurve.holistic(rates[page]).integral(periods);
  }
}
