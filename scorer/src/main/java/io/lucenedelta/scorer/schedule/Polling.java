// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;

/**
 * Polls each page in proportion to its change rate (survey, section 2.2, after Coffman, Liu and
 * Weber 1998): with weights proportional to change rates, the weighted share of outdated pages is
 * smallest when frequencies are proportional to change rates too, visits spaced evenly.
 *
 * <p>f = B·λ/Σλ, at most once a period; what the limit cuts off goes to the others in proportion.
 * The source takes rates as given. Where they are {@linkplain Rates#KNOWN known}, they are changes
 * ÷ the time watched, and a page that did not change is left alone. Else half a change in a period
 * is added to what was seen, so that a page not yet seen to change is polled now and then: over the
 * time watched and a period; a page visited once counts as watched for a period; nobody starves.
 */
public final class Polling implements RefreshPolicy {
  private static final int CHANGES = 0; // the only column of a page's row, changes a day

  private final Rates rates;
  private final long seed;

  /** Learns rates from what it fetches, and breaks ties by {@code seed}. */
  public Polling(long seed) {
    this(Rates.LEARNING, seed);
  }

  /**
   * Breaks ties by {@code seed}.
   *
   * @param rates {@link Rates#LEARNED} and {@link Rates#LEARNING} are the same to this strategy
   * @throws NullPointerException if rates are null
   */
  public Polling(Rates rates, long seed) {
    this.rates = Rates.named(rates);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double days = budget.periodDays();
    PageTable pages =
        PageTable.of(known, CHANGES + 1, page -> new double[] {changesPerDay(page.visits(), days)});
    double[] frequencies = proportional(pages.column(CHANGES), budget.perPeriod());
    for (int i = 0; i < frequencies.length; i++) {
      frequencies[i] /= days;
    }
    return FrequencyPlan.of(pages.byPage(frequencies), Double.POSITIVE_INFINITY, seed);
  }

  private double changesPerDay(Visits visits, double days) {
    int changes = ChangeRate.changes(visits);
    if (rates == Rates.KNOWN) {
      return changes == 0 ? 0 : changes / visits.daysWatched();
    }
    double watched = visits.size() < 2 ? days : visits.daysWatched();
    return (changes + 0.5) / (watched + days);
  }

  /** Splits a budget in proportion to rates, at most 1 each. */
  static double[] proportional(double[] rates, double budget) {
    double[] shares = new double[rates.length];
    boolean[] full = new boolean[rates.length];
    boolean changed = true;
    while (changed) {
      changed = false;
      double left = budget;
      double sum = 0;
      for (int i = 0; i < rates.length; i++) {
        left -= full[i] ? 1 : 0;
        sum += full[i] ? 0 : rates[i];
      }
      for (int i = 0; i < rates.length; i++) {
        shares[i] = full[i] ? 1 : sum == 0 ? 0 : Math.max(0, left) * rates[i] / sum;
        if (!full[i] && shares[i] >= 1) {
          full[i] = true;
          changed = true;
        }
      }
    }
    return shares;
  }
}
