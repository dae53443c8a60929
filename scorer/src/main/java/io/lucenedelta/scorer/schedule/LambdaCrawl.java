// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.ChangeRate;
import io.lucenedelta.scorer.refresh.Days;
import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.Priority;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.Visits;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Minimises the importance-weighted harmonic penalty for changes not yet fetched (Kolobov, Peres,
 * Lu and Horvitz, NeurIPS 2019): n missed changes cost 1 + 1/2 + … + 1/n.
 *
 * <p>A page that tells nothing is crawled at rate ρ at a penalty of μ·ln((Δ + ρ)/ρ), Δ its change
 * rate, μ its importance. A page whose site publishes changes is crawled after each of them with
 * chance p at a penalty of −μ·ln p. Under Σρ + ΣpΔ = B the optimum has one multiplier λ: ρ = (√(Δ²
 * + 4μΔ/λ) − Δ)/2 and p = min(1, μ/(λΔ)). Unlike for freshness, no page that changes is abandoned.
 *
 * <p>Parameter: what importance is, {@link Importance#VIEWS} or {@link Importance#INLINKS}; the
 * source takes it as given.
 *
 * <p>Rates that must be learned are estimated as in the source. Visits to a page that tells nothing
 * only show whether it changed in between: maximum likelihood, smoothed by one interval of each
 * outcome ({@link ChangeRate#smoothed}; equation 10). Where changes are published every one is
 * known: (N + ½) / (T + ½) for N in T (equation 11). The source's half days are half periods here.
 * Where rates are {@linkplain Rates#KNOWN known}, as the source's optimum takes them, no change is
 * added ({@link ChangeRate#of(Visits)}, N / T), and a page that did not change is left alone.
 *
 * <p>Choices: a page is crawled at equal distances 1/ρ rather than at random ones, the most overdue
 * first; a published change is due with urgency p times the changes published. A page that was
 * never fetched waits for its first visit like one that tells nothing, whatever its site publishes.
 * Importance is the expected views of a page, or its in-links.
 */
public final class LambdaCrawl implements RefreshPolicy {
  /** What a page's importance is. */
  public enum Importance {
    /** Views the workload brings to the page, plus a hundredth of their mean for every page. */
    VIEWS,
    /** 1 + in-links. */
    INLINKS
  }

  // columns of a page's row
  private static final int CHANGES = 0;
  private static final int WEIGHT = 1;
  private static final int PUBLISHES = 2;
  private static final int COLUMNS = 3;

  private final Importance importance;
  private final Rates rates;
  private final long seed;

  /** Weighs pages by their importance, and learns their rates from what it fetches. */
  public LambdaCrawl(Importance importance, long seed) {
    this(importance, Rates.LEARNING, seed);
  }

  /**
   * Weighs pages by their importance.
   *
   * @param rates {@link Rates#LEARNED} and {@link Rates#LEARNING} are the same to this strategy
   * @throws NullPointerException if importance or rates are null
   */
  public LambdaCrawl(Importance importance, Rates rates, long seed) {
    this.importance = Objects.requireNonNull(importance, "what importance is, is needed, was null");
    this.rates = Rates.named(rates);
    this.seed = seed;
  }

  @Override
  public RefreshPlan plan(KnownPages known, RefreshBudget budget) {
    double days = budget.periodDays();
    PageTable pages = PageTable.of(known, COLUMNS, page -> row(page, budget.first(), days));
    double[] weights = weights(pages.column(WEIGHT));
    boolean[] publishes = new boolean[pages.size()];
    for (int i = 0; i < publishes.length; i++) {
      publishes[i] = pages.column(PUBLISHES)[i] > 0;
    }
    double multiplier = multiplier(pages.column(CHANGES), weights, publishes, budget.perPeriod());
    Map<String, Crawls> crawls = new HashMap<>();
    for (int i = 0; i < publishes.length; i++) {
      double change = pages.column(CHANGES)[i];
      double often =
          publishes[i]
              ? chance(change, weights[i], multiplier)
              : rate(change, weights[i], multiplier) / days;
      crawls.put(pages.pages()[i], new Crawls(often, publishes[i]));
    }
    Priority overdue =
        (page, now) -> {
          Crawls planned = crawls.get(page.page());
          // a page that came after the plan was made has what all others leave
          return planned == null ? 0 : planned.urgency(page, now);
        };
    return overdue.highestFirst(seed);
  }

  /**
   * How a page is crawled as long as the plan lasts, also one that is fetched for the first time
   * meanwhile.
   *
   * @param often p of each published change, or ρ in crawls a day
   */
  private record Crawls(double often, boolean publishes) {
    double urgency(KnownPage page, Instant now) {
      if (!publishes) {
        return often == 0 ? Priority.NEVER : often * page.age(now);
      }
      int missed = page.facts().publishedSince(page.lastRefresh());
      return missed == 0 ? Priority.NEVER : often * missed;
    }
  }

  /** Changes in a period, weight, and 1 where the site publishes changes, else 0. */
  private double[] row(KnownPage page, Instant now, double days) {
    PageFacts facts = page.facts();
    boolean publishes = publishes(page);
    double perDay;
    if (rates == Rates.KNOWN) {
      perDay = publishes ? publishedRate(page, now, 0) : ChangeRate.of(page.visits());
    } else if (publishes) {
      perDay = publishedRate(page, now, days / 2);
    } else {
      perDay = ChangeRate.smoothed(page.visits(), days / 2);
    }
    double weight = importance == Importance.VIEWS ? facts.expectedViews() : facts.importance();
    return new double[] {perDay * days, weight, publishes ? 1 : 0};
  }

  /**
   * Changes a day since the first visit where each is published, half of one in {@code half} days
   * added; nothing added where that is 0. In hindsight visits tell of changes that are not
   * published yet.
   */
  static double publishedRate(KnownPage page, Instant now, double half) {
    Visits visits = page.visits();
    Instant first = visits.size() == 0 ? page.lastRefresh() : visits.time(0);
    double watched = Math.max(Days.between(first, now), visits.daysWatched());
    int changes = Math.max(page.facts().publishedSince(first), ChangeRate.changes(visits));
    if (half == 0) {
      return watched > 0 ? changes / watched : 0;
    }
    return (changes + 0.5) / (watched + half);
  }

  private double[] weights(double[] given) {
    double sum = 0;
    for (double weight : given) {
      sum += weight;
    }
    double least = sum == 0 ? 1 : 0.01 * sum / given.length;
    double[] weights = given.clone();
    for (int i = 0; i < weights.length; i++) {
      weights[i] += importance == Importance.VIEWS ? least : 0;
    }
    return weights;
  }

  /** Whether the page is crawled after its site publishes a change, by p, or by a rate ρ. */
  private static boolean publishes(KnownPage page) {
    return !page.neverFetched() && page.facts().provider() != PageFacts.Provider.NORMAL;
  }

  /** The optimal crawl rate ρ; 0 for a page that does not change. */
  static double rate(double change, double importance, double multiplier) {
    if (change == 0) {
      return 0; // the quotient below is 0/0
    }
    double root = Math.sqrt(change * change + 4 * importance * change / multiplier);
    // the difference of nearly equal numbers, written without cancellation
    return 2 * importance * change / multiplier / (root + change);
  }

  /** The optimal chance p to crawl after a published change. */
  static double chance(double change, double importance, double multiplier) {
    return Math.min(1, importance / (multiplier * change));
  }

  /**
   * The λ at which the rates add up to the budget; bisection in ln λ, λ in units of the largest
   * importance, with which it grows. That is 1e-300 to 1e260, or 0.
   */
  static double multiplier(
      double[] changes, double[] importance, boolean[] publishes, double budget) {
    double largest = Arrays.stream(importance).max().orElse(1);
    double unit = largest > 0 ? largest : 1;
    double low = -100;
    double high = 100;
    for (int step = 0; step < 80; step++) {
      double middle = (low + high) / 2;
      double multiplier = unit * Math.exp(middle);
      double spent = 0;
      for (int i = 0; i < changes.length; i++) {
        spent +=
            publishes[i]
                ? changes[i] * chance(changes[i], importance[i], multiplier)
                : rate(changes[i], importance[i], multiplier);
      }
      if (spent > budget) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return unit * Math.exp(high);
  }
}
