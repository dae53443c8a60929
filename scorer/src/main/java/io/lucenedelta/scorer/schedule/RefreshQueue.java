// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.schedule;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Hands out the pages to fetch next, so that several crawlers can ask without fetching a page
 * twice.
 *
 * <p>A page handed out is leased: it is not handed out again until the lease runs out or the page
 * was refreshed, which the histories show by themselves. A page that fails is left alone for a
 * while, twice as long after each further failure; a page that is gone, until it is reported {@link
 * #returned}. Neither takes a place in a batch, so neither holds up the others.
 *
 * <p>Leases and reports are kept in memory, a few dozen bytes each, and are lost with the process:
 * then a page may be fetched once more than needed, no history is touched. Safe for use by several
 * threads.
 */
public final class RefreshQueue {
  /** The longest time a failing page is left alone. */
  static final Duration LONGEST_WAIT = Duration.ofDays(32);

  private final RefreshPolicy policy;
  private final Duration lease;
  private final Map<String, Hold> held = new HashMap<>();
  private RefreshPlan plan;
  private Instant plannedAt;

  /** Why and how long a page is held back. */
  private record Hold(Instant since, Instant until, int failures) {
    boolean holds(KnownPage page, Instant now) {
      boolean refreshed = !page.neverFetched() && page.lastRefresh().isAfter(since);
      return now.isBefore(until) && !refreshed;
    }
  }

  /**
   * A queue without leases.
   *
   * @param policy the order
   * @param lease how long a crawler may take to fetch a page and index it; also the wait after the
   *     first failure
   * @throws IllegalArgumentException if the lease is not positive
   */
  public RefreshQueue(RefreshPolicy policy, Duration lease) {
    if (lease.isNegative() || lease.isZero()) {
      throw new IllegalArgumentException("lease must be positive, was " + lease);
    }
    this.policy = policy;
    this.lease = lease;
  }

  /**
   * Leases the most urgent pages that nobody holds, at most {@code budget.perPeriod()}, best first.
   * What the strategy has learned is learned anew once a period.
   */
  public synchronized List<RefreshCandidate> take(
      KnownPages known, RefreshBudget budget, Instant now) {
    held.values().removeIf(hold -> hold.failures() == 0 && !now.isBefore(hold.until()));
    List<RefreshCandidate> batch =
        planned(known, budget, now).next(new Free(known, now), now, budget.perPeriod());
    for (RefreshCandidate candidate : batch) {
      Hold before = held.get(candidate.page());
      int failures = before == null ? 0 : before.failures();
      held.put(candidate.page(), new Hold(now, now.plus(lease), failures));
    }
    return batch;
  }

  /** The plan of the period; planning looks at every page several times, picking once. */
  private RefreshPlan planned(KnownPages known, RefreshBudget budget, Instant now) {
    boolean due = plan == null || now.isBefore(plannedAt);
    if (due || !now.isBefore(plannedAt.plus(budget.period()))) {
      plan = policy.plan(known, budget);
      plannedAt = now;
    }
    return plan;
  }

  /** What {@link #take} would start with if nobody held anything; leases nothing. */
  public List<RefreshCandidate> peek(KnownPages known, RefreshBudget budget, Instant now) {
    return policy.plan(known, budget).next(known, now, budget.perPeriod());
  }

  /** The page was fetched and indexed: its lease and its failures are forgotten. */
  public synchronized void fetched(String page) {
    held.remove(page);
  }

  /** The page could not be fetched for now. */
  public synchronized void failed(String page, Instant now) {
    Hold before = held.get(page);
    int failures = before == null ? 1 : before.failures() + 1;
    long factor = 1L << Math.min(failures - 1, 30);
    Duration longest = lease.compareTo(LONGEST_WAIT) > 0 ? lease : LONGEST_WAIT;
    boolean capped = lease.compareTo(longest.dividedBy(factor)) > 0;
    Duration wait = capped ? longest : lease.multipliedBy(factor);
    held.put(page, new Hold(now, now.plus(wait), failures));
  }

  /** The page does not exist any more: it is not handed out until it has {@link #returned}. */
  public synchronized void gone(String page, Instant now) {
    held.put(page, new Hold(now, Instant.MAX, 1));
  }

  /** A page thought gone or failing is there again. */
  public synchronized void returned(String page) {
    held.remove(page);
  }

  /** Number of pages held back: leased, failing or gone. */
  public synchronized int held() {
    return held.size();
  }

  /** The pages nobody holds. */
  private final class Free implements KnownPages {
    private final KnownPages known;
    private final Instant now;

    Free(KnownPages known, Instant now) {
      this.known = known;
      this.now = now;
    }

    @Override
    public long size() {
      return known.size();
    }

    @Override
    public void forEach(Consumer<? super KnownPage> reader) {
      if (held.isEmpty()) {
        known.forEach(reader);
        return;
      }
      known.forEach(
          page -> {
            Hold hold = held.get(page.page());
            if (hold == null || !hold.holds(page, now)) {
              reader.accept(page);
            }
          });
    }
  }
}
