// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.queue;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.LongestWaiting;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import io.lucenedelta.scorer.refresh.TopPages;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Hands out the pages to fetch next, so that several crawlers can ask without fetching a page
 * twice.
 *
 * <p>A page handed out is leased: it is not handed out again until the lease runs out or the page
 * was refreshed, which the histories show by themselves. A page that fails is left alone for a
 * while, twice as long after each further failure, up to 32 days or 32 leases, whichever is longer;
 * a page that is gone, until it is reported {@link #returned}. Neither takes a place in a batch
 * meanwhile, so neither holds up the others. A lease that runs out without a word counts as a
 * failure, since whoever drops a page in silence, for a redirect or a rule against it, would be
 * handed the same pages again and again: the next lease is twice as long. A refresh that the page's
 * crawler dates before the lease, by a clock that is slow, does not end it, but is no silence.
 * Holds that began more than half an hour from now, by a clock that was set back since, begin anew;
 * so a clock that is far behind for one question alone ends them, but for those of pages that are
 * gone. A page that has been free for 32 days and was not handed out again is as if it had never
 * failed, from the second batch after that on, those less than a lease apart being one: a clock
 * that is ahead for one question ends no hold. A page of which something is still told keeps its
 * failures: one of many that were told, and seem to be worth little, may wait longer than that for
 * its turn.
 *
 * <p>Cost: what the strategy learns is learned once a period, in a few passes over all pages,
 * including held pages that come free before the period ends, unless storage keeps what is learned.
 * Where priorities only grow with time, batches are picked by look-ups of short lists as long as
 * those serve.
 *
 * <p>Leases and reports are kept in memory, some 200 bytes and the key each; {@link #holds} gives
 * them to whoever wants to keep them longer. Safe for use by several threads.
 */
// Long because whatever begins, lengthens or ends a hold stands here once, under one lock.
public final class RefreshQueue {
  /** The longest time a failing page is left alone, unless {@link #MOST_LEASES} are longer. */
  static final Duration LONGEST_WAIT = Duration.ofDays(32);

  /** A crawl in batches a month apart, with leases as long, must double its waits, too. */
  private static final int MOST_LEASES = 32;

  /** How far apart clocks may be, or questions that waited for each other. */
  private static final Duration CLOCKS_DIFFER = Duration.ofMinutes(30);

  /** Ends in the range of times. */
  private static final Duration LONGEST_LEASE = Duration.ofDays(365_000);

  /** More pages than so many are not picked from lists, unless so many are to be leased. */
  private static final int LONGEST_LISTED = 1 << 13;

  private final RefreshPolicy policy;
  private final Duration lease;
  private final long seed; // of the order among ties
  private final Map<String, Hold> held = new HashMap<>();
  private final ShortlistedPages ofKnown = new ShortlistedPages();
  private final ShortlistedPages ofTold = new ShortlistedPages();
  private RefreshPlan plan;
  private Instant plannedAt;
  private Instant askedAt = Instant.MAX; // by whom holds that were old then are forgotten later
  private int passed; // pages gone through for the last batch of which not all were wanted

  /**
   * Why and how long a page is held back.
   *
   * @param page the page's key
   * @param since when it was handed out or reported; a refresh after that ends the hold, and so
   *     does one in the second of a hand-out: crawlers may keep whole seconds
   * @param until when the hold ends by itself; {@link Instant#MAX} for a page that is gone
   * @param failures how often it failed in a row before it was handed out, or the report included
   * @param leased whether it is handed out, and nothing was reported since
   * @param refreshed its last refresh recorded when it was handed out, or when the clock was set
   *     back, which does not end the hold, nor a report that follows; {@link Instant#MIN} for none
   * @param named whether its site named the end, which no clock moves
   */
  public record Hold(
      String page,
      Instant since,
      Instant until,
      int failures,
      boolean leased,
      Instant refreshed,
      boolean named) {
    /** A hold whose end follows from when it began, or that has none. */
    public Hold(
        String page,
        Instant since,
        Instant until,
        int failures,
        boolean leased,
        Instant refreshed) {
      this(page, since, until, failures, leased, refreshed, false);
    }

    /**
     * Checks that all is there: a hold without it would break every later question.
     *
     * @throws NullPointerException if page or time is null
     */
    public Hold {
      Objects.requireNonNull(page, "a hold needs the key of its page, was null");
      Objects.requireNonNull(since, "a hold needs the time it began, was null");
      Objects.requireNonNull(
          until, "a hold needs the time it ends, was null; Instant.MAX for never");
      Objects.requireNonNull(
          refreshed, "a hold needs the page's last refresh, was null; Instant.MIN for none");
    }

    boolean isInForce(KnownPage known, Instant now) {
      return now.isBefore(until) && !ended(known);
    }

    /** Long free, and not handed out since: perhaps deleted without a report. */
    boolean forgotten(Instant now) {
      return until.isBefore(now.minus(LONGEST_WAIT));
    }

    /**
     * The same by a clock that was set back: as long, but from now on. An end that its site named
     * stays, unless the clock went back by more than the wait: then it may be that of a clock that
     * was far ahead.
     */
    Hold from(Instant now, Instant lastRefresh) {
      Instant moved = until.equals(Instant.MAX) ? until : now.plus(Duration.between(since, until));
      Instant end = named && !moved.isBefore(since) ? until : moved;
      return new Hold(page, now, end, failures, leased, lastRefresh, named);
    }

    /** Whether a refresh came in, perhaps by a clock too slow to end the hold. */
    boolean answered(Instant lastRefresh) {
      return leased && !lastRefresh.equals(Instant.MIN) && !lastRefresh.equals(refreshed);
    }

    /** Whether a refresh came in by the clock, wrong or not, by which the hold began. */
    boolean refreshedSince(Instant lastRefresh) {
      return lastRefresh.isAfter(since) && !lastRefresh.equals(refreshed);
    }

    boolean ended(KnownPage known) {
      if (known.neverFetched() || known.recordedRefresh().equals(refreshed)) {
        return false;
      }
      Instant last = known.lastRefresh();
      return last.isAfter(since)
          || (leased && !last.isBefore(since.truncatedTo(ChronoUnit.SECONDS)));
    }
  }

  /**
   * A queue without leases.
   *
   * @param policy the order
   * @param lease how long a crawler may take to fetch a page, index it and commit; also the wait
   *     after the first failure
   * @throws IllegalArgumentException if the lease is not positive, or longer than 365,000 days
   */
  public RefreshQueue(RefreshPolicy policy, Duration lease) {
    this(policy, lease, List.of());
  }

  /**
   * A queue that goes on with the {@link #holds} of an earlier one.
   *
   * @throws IllegalArgumentException if the lease is not positive, or longer than 365,000 days
   */
  public RefreshQueue(RefreshPolicy policy, Duration lease, Collection<Hold> holds) {
    this(policy, lease, holds, 0);
  }

  /**
   * The same whose order among ties, where more is known of some pages, is that of a policy with a
   * seed.
   *
   * @param seed that of the policy, 0 for one without
   * @throws IllegalArgumentException if the lease is not positive, or longer than 365,000 days
   */
  public RefreshQueue(RefreshPolicy policy, Duration lease, Collection<Hold> holds, long seed) {
    if (lease.isNegative() || lease.isZero() || lease.compareTo(LONGEST_LEASE) > 0) {
      throw new IllegalArgumentException(
          "lease must be positive and at most %d days, was %s"
              .formatted(LONGEST_LEASE.toDays(), lease));
    }
    this.policy = Objects.requireNonNull(policy, "a queue needs a policy to order by, was null");
    this.lease = lease;
    this.seed = seed;
    holds.forEach(hold -> held.put(hold.page(), hold));
    holds.stream().map(Hold::since).max(Comparator.naturalOrder()).ifPresent(at -> askedAt = at);
  }

  /**
   * Leases the most urgent pages that nobody holds, at most {@code budget.perPeriod()}, best first.
   */
  public synchronized List<RefreshCandidate> take(
      KnownPages known, RefreshBudget budget, Instant now) {
    return take(known, KnownPages.NONE, Set.of(), budget, now);
  }

  /**
   * The same where more is known of some pages than {@code known} says, such as that they changed,
   * and where some have waited long enough.
   *
   * @param told pages of which more is known, or nothing but that they exist; they may be among the
   *     known ones: the higher priority counts; when more is told of a page, {@link #consider} has
   *     to hear of it
   * @param waiting pages that are leased whatever their priority, unless the policy leaves them
   *     out, if nobody holds them, at the end of the batch if it gives them no place; no more than
   *     {@code budget.perPeriod()}
   */
  public synchronized List<RefreshCandidate> take(
      KnownPages known, KnownPages told, Set<String> waiting, RefreshBudget budget, Instant now) {
    return take(known, told, waiting, WantedPages.all(), budget, now);
  }

  /**
   * The same where some pages are not wanted: they are passed over, and nobody holds them.
   *
   * @param waiting pages that are wanted, and are not asked about again
   * @param wanted is asked while the queue is locked and must not use it; what it throws is thrown
   *     here, and no page is leased then
   */
  public synchronized List<RefreshCandidate> take(
      KnownPages known,
      KnownPages told,
      Set<String> waiting,
      WantedPages wanted,
      RefreshBudget budget,
      Instant now) {
    forgetOld(told, now);
    beginAnew(known, told, now);
    Free free = new Free(known, now);
    Free freeOfTold = new Free(told, now);
    List<RefreshCandidate> batch = batch(free, freeOfTold, waiting, wanted, budget, now);
    held.keySet().removeAll(free.ended);
    held.keySet().removeAll(freeOfTold.ended);
    Set<String> leased = new HashSet<>();
    batch.forEach(candidate -> leased.add(candidate.page()));
    Map<String, Instant> refreshed = lastRefreshes(leased, known, told);
    batch.forEach(page -> lease(page.page(), now, refreshed));
    return batch;
  }

  /**
   * The batch that {@link #take} would lease with the same arguments, in the same order; leases
   * nothing.
   */
  public synchronized List<RefreshCandidate> nextFree(
      KnownPages known, KnownPages told, Set<String> waiting, RefreshBudget budget, Instant now) {
    List<Hold> before = beginAnew(known, told, now);
    try {
      return batch(
          new Free(known, now), new Free(told, now), waiting, WantedPages.all(), budget, now);
    } finally {
      before.forEach(hold -> held.put(hold.page(), hold));
    }
  }

  private List<RefreshCandidate> batch(
      Free free,
      Free freeOfTold,
      Set<String> waiting,
      WantedPages wanted,
      RefreshBudget budget,
      Instant now) {
    planAhead(new Free(free.known, now.plus(budget.period())), budget, now);
    int places = budget.perPeriod();
    List<RefreshCandidate> late =
        waiting.isEmpty()
            ? List.of()
            : best(new SomePages(free, waiting), new SomePages(freeOfTold, waiting), places, now);
    Set<String> placed = new HashSet<>();
    late.forEach(candidate -> placed.add(candidate.page()));
    List<RefreshCandidate> batch =
        wanted.first(
            places,
            passed,
            placed,
            RefreshCandidate::page,
            count -> best(free, freeOfTold, count, budget, now));
    passed = wanted.passed() == 0 ? passed : wanted.passed();
    return LongestWaiting.placedIn(batch, late, places);
  }

  /**
   * Forgets holds that were old a lease ago already, when pages were taken: a clock that is ahead
   * for one question ends none. Those of pages of which something is told stay, or such a page
   * would wait since that was told, before all that were never tried.
   */
  private void forgetOld(KnownPages told, Instant now) {
    Instant asked = askedAt;
    if (now.isBefore(asked)) {
      askedAt = now;
    } else if (Duration.between(asked, now).compareTo(lease) >= 0) {
      Set<String> old = new HashSet<>();
      held.values().stream().filter(hold -> hold.forgotten(asked)).forEach(h -> old.add(h.page()));
      Set<String> stillTold = new HashSet<>();
      told.forEach(old, page -> stillTold.add(page.page()));
      old.removeAll(stillTold);
      held.keySet().removeAll(old);
      askedAt = now;
    }
  }

  /**
   * Holds of a time still to come are those of a clock that was set back since.
   *
   * @return how they were
   */
  private List<Hold> beginAnew(KnownPages known, KnownPages told, Instant now) {
    Set<String> ahead = new HashSet<>();
    for (Hold hold : held.values()) {
      if (hold.since().isAfter(now.plus(CLOCKS_DIFFER))) {
        ahead.add(hold.page());
      }
    }
    if (ahead.isEmpty()) {
      return List.of();
    }
    List<Hold> before = ahead.stream().map(held::get).toList();
    Map<String, Instant> refreshed = lastRefreshes(ahead, known, told);
    for (String page : ahead) {
      Hold hold = held.get(page);
      Instant last = refreshed.getOrDefault(page, Instant.MIN);
      if (hold.answered(last) || hold.refreshedSince(last)) {
        held.remove(page);
      } else {
        held.put(page, hold.from(now, last));
      }
      consider(page); // free now, or sooner than a list was told
    }
    return before;
  }

  /**
   * A batch could not be handed out: its pages are held as before, but for those reported, or
   * leased to another, since.
   *
   * @param leases the {@link #hold} of each of its pages when they were leased
   * @param before the {@link #holds} when it was asked for
   */
  public synchronized void takeBack(Collection<Hold> leases, Collection<Hold> before) {
    Map<String, Hold> earlier = new HashMap<>();
    before.forEach(hold -> earlier.put(hold.page(), hold));
    for (Hold lease : leases) {
      held.computeIfPresent(
          lease.page(), (page, hold) -> hold.equals(lease) ? earlier.get(page) : hold);
      consider(lease.page());
    }
  }

  /** Pages are held as before: asking for a batch failed. */
  public synchronized void restore(Collection<Hold> before) {
    held.clear();
    before.forEach(hold -> held.put(hold.page(), hold));
  }

  private static Map<String, Instant> lastRefreshes(
      Set<String> pages, KnownPages known, KnownPages told) {
    Map<String, Instant> last = new HashMap<>();
    Consumer<KnownPage> reader =
        page -> last.put(page.page(), page.neverFetched() ? Instant.MIN : page.recordedRefresh());
    told.forEach(pages, reader);
    known.forEach(pages, reader);
    return last;
  }

  private void lease(String page, Instant now, Map<String, Instant> refreshed) {
    Hold before = held.get(page);
    Instant last = refreshed.getOrDefault(page, Instant.MIN);
    boolean fresh = before == null || before.answered(last);
    int failures = fresh ? 0 : before.failures() + (before.leased() ? 1 : 0);
    held.put(page, new Hold(page, now, now.plus(longer(failures)), failures, true, last));
  }

  /** The lease, doubled so many times, up to the longest wait. */
  private Duration longer(int times) {
    long factor = 1L << Math.min(times, 30);
    Duration leases = lease.multipliedBy(MOST_LEASES);
    Duration longest = leases.compareTo(LONGEST_WAIT) > 0 ? leases : LONGEST_WAIT;
    boolean capped = lease.compareTo(longest.dividedBy(factor)) > 0;
    return capped ? longest : lease.multipliedBy(factor);
  }

  private void planAhead(KnownPages planned, RefreshBudget budget, Instant now) {
    if (plan == null || now.isBefore(plannedAt) || !now.isBefore(end(budget))) {
      replan();
      plan = policy.plan(planned, budget);
      plannedAt = now;
    }
  }

  /** The best of all free pages: by short lists, unless those would be long. */
  private List<RefreshCandidate> best(
      Free known, Free told, int count, RefreshBudget budget, Instant now) {
    if (count > Math.max(budget.perPeriod(), LONGEST_LISTED)) {
      return best(known, told, count, now);
    }
    List<RefreshCandidate> best = ofKnown.best(plan, known, now, count, end(budget), held.values());
    return told.size() == 0
        ? best
        : best(best, ofTold.best(plan, told, now, count, end(budget), held.values()), count);
  }

  private Instant end(RefreshBudget budget) {
    return plannedAt.plus(budget.period());
  }

  private List<RefreshCandidate> best(KnownPages known, KnownPages told, int count, Instant now) {
    return best(plan.next(known, now, count), plan.next(told, now, count), count);
  }

  private List<RefreshCandidate> best(
      List<RefreshCandidate> some, List<RefreshCandidate> others, int count) {
    Map<String, Double> priorities = new HashMap<>();
    some.forEach(page -> priorities.put(page.page(), page.priority()));
    others.forEach(page -> priorities.merge(page.page(), page.priority(), Math::max));
    TopPages best = new TopPages(count, seed);
    priorities.forEach(best::offer);
    return best.bestFirst();
  }

  /** How long a page is leased for the first time. */
  public Duration lease() {
    return lease;
  }

  /**
   * What {@link #take} would start with if nobody held anything; leases nothing. If {@link #take}
   * or {@link #nextFree} is used as well, pages that were held when the queue last looked at all of
   * them may be missing.
   */
  public synchronized List<RefreshCandidate> peek(
      KnownPages known, KnownPages told, RefreshBudget budget, Instant now) {
    planAhead(known, budget, now);
    int count = budget.perPeriod();
    List<RefreshCandidate> batch =
        ofKnown.best(plan, known, now, count, end(budget), held.values());
    return told.size() == 0 ? batch : best(batch, plan.next(told, now, count), count);
  }

  /** Histories changed: the next question plans anew and looks at all pages again. */
  public synchronized void replan() {
    plan = null;
    ofKnown.forget();
    ofTold.forget();
  }

  /** A page became known, free or more urgent otherwise than by time: it may be among the next. */
  public synchronized void consider(String page) {
    ofKnown.consider(page);
    ofTold.consider(page);
  }

  /**
   * A page was fetched, and perhaps held or not known before: where few pages are free it may be
   * among the next before the plan ends, and anywhere if it was fetched before the plan was made. A
   * fetch that nobody tells of here ends a hold, too, but may be noticed only when the lease has
   * run out or the plan ends.
   *
   * @param at its last refresh
   */
  public synchronized void fetched(String page, Instant at) {
    if (plannedAt != null && at.isBefore(plannedAt)) {
      ofKnown.consider(page);
    } else {
      ofKnown.fetched(page);
    }
  }

  /**
   * The page could not be fetched for now.
   *
   * @throws NullPointerException if page or time is null
   */
  public synchronized void failed(String page, Instant now) {
    Hold before = held.get(page);
    int failures = before == null ? 1 : before.failures() + 1;
    Instant until = now.plus(longer(failures - 1));
    held.put(page, new Hold(page, now, until, failures, false, refreshed(before)));
    consider(page);
  }

  /**
   * The page could not be fetched for now, and it is known until when: it is left alone so long, or
   * 365,000 days if that is shorter. How long it is left alone after later failures does not
   * change. A time that is not after {@code now} says nothing: the page has {@link #failed}.
   *
   * @param time when it is free
   * @throws NullPointerException if page or time is null
   */
  public synchronized void retryAfter(String page, Instant now, Instant time) {
    if (!time.isAfter(now)) {
      failed(page, now);
      return;
    }
    Hold before = held.get(page);
    int failures = before == null ? 0 : before.failures();
    Instant latest = now.plus(LONGEST_LEASE);
    Instant until = time.isAfter(latest) ? latest : time;
    held.put(page, new Hold(page, now, until, failures, false, refreshed(before), true));
    consider(page);
  }

  /**
   * The page does not exist any more: it is not handed out until it has {@link #returned}.
   *
   * @throws NullPointerException if page or time is null
   */
  public synchronized void gone(String page, Instant now) {
    held.put(page, new Hold(page, now, Instant.MAX, 1, false, refreshed(held.get(page))));
    consider(page); // by a clock that was set back it is free: its refresh seems the later one
  }

  /** A refresh that did not end a lease does not end the report on it, by whatever clock. */
  private static Instant refreshed(Hold before) {
    return before == null ? Instant.MIN : before.refreshed();
  }

  /**
   * Nothing holds a page back any more: one thought gone or failing is there, or its lease ends.
   */
  public synchronized void returned(String page) {
    held.remove(page);
    consider(page);
  }

  /**
   * What holds pages back at a time, in no order: they are leased, failing or gone, and were not
   * refreshed since. Those of a clock that was set back are as {@link #take} would find them. One
   * look-up for each of them, two for those of such a clock.
   */
  public synchronized List<Hold> holds(KnownPages known, Instant now) {
    List<Hold> before = beginAnew(known, KnownPages.NONE, now);
    try {
      return inForce(known, now);
    } finally {
      before.forEach(hold -> held.put(hold.page(), hold));
    }
  }

  private List<Hold> inForce(KnownPages known, Instant now) {
    Set<String> pages = new HashSet<>();
    held.values().stream()
        .filter(hold -> now.isBefore(hold.until()))
        .forEach(h -> pages.add(h.page()));
    Set<String> refreshed = new HashSet<>();
    known.forEach(
        pages,
        page -> {
          Hold hold = held.get(page.page());
          if (hold.ended(page)) {
            refreshed.add(hold.page());
          }
        });
    pages.removeAll(refreshed);
    return pages.stream().map(held::get).toList();
  }

  /**
   * The hold of a page, which may have run out; empty if nobody had it, or a refresh ended it and a
   * {@link #take} has seen that.
   */
  public synchronized Optional<Hold> hold(String page) {
    return Optional.ofNullable(held.get(page));
  }

  /** Every hold, in no order, for a queue that goes on with them. */
  public synchronized List<Hold> holds() {
    return new ArrayList<>(held.values());
  }

  /** The pages nobody holds at a time. */
  private final class Free implements KnownPages {
    private final KnownPages known;
    private final Instant now;
    private final Set<String> ended = new HashSet<>(); // holds that a refresh has ended

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
      known.forEachBut(held.keySet(), reader);
      known.forEach(held.keySet(), free(reader));
    }

    @Override
    public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
      known.forEach(pages, held.isEmpty() ? reader : free(reader));
    }

    /** Where storage keeps what is learned, held pages teach like others. */
    @Override
    public Optional<LearnedGains> learned(Instant time) {
      return known.learned(time);
    }

    @Override
    public boolean tellsWhenMoreIsKnown() {
      return known.tellsWhenMoreIsKnown();
    }

    private Consumer<KnownPage> free(Consumer<? super KnownPage> reader) {
      return page -> {
        Hold hold = held.get(page.page());
        if (hold != null && hold.ended(page)) {
          ended.add(hold.page());
        }
        if (hold == null || !hold.isInForce(page, now)) {
          reader.accept(page);
        }
      };
    }
  }
}
