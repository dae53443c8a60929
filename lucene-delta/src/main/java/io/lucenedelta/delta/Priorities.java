// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.RefreshCandidate;
import io.lucenedelta.scorer.refresh.RefreshPlan;
import io.lucenedelta.scorer.refresh.RefreshPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/** The order of a refresh strategy over live histories. */
final class Priorities {
  /** About two hundred million years from now: milliseconds of them fit into 64 bits. */
  private static final Instant LAST = Instant.ofEpochSecond(6_000_000_000_000_000L);

  private static final Instant FIRST = Instant.ofEpochSecond(-6_000_000_000_000_000L);

  private Priorities() {}

  /** Refuses to hand out fewer than no pages. */
  static void requireCount(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("the number of pages must be 0 or more, was " + count);
    }
  }

  /** A time to plan for, with room for a plan before and after it. */
  static Instant plannable(Instant now) {
    Objects.requireNonNull(now, "to say which pages are next takes a time, was null");
    return now.isBefore(FIRST) ? FIRST : now.isAfter(LAST) ? LAST : now;
  }

  /**
   * The first pages of a strategy.
   *
   * @param changes what pages say of their changes
   */
  static List<PagePriority> next(
      PageHistories histories,
      ToldChanges changes,
      VisitRecords visits,
      RefreshPolicy policy,
      int count,
      Instant time) {
    Objects.requireNonNull(policy, "pages are ordered by a strategy, was null");
    requireCount(count);
    Instant now = plannable(time);
    Function<PageHistories, KnownPages> knowing =
        pages -> new VisitedPages(changes.known(pages, now), visits);
    KnownPages known = knowing.apply(histories);
    RefreshPlan plan = policy.plan(known, RefreshBudget.atAnyTime(count, now));
    List<RefreshCandidate> first = plan.next(known, now, count);
    List<RefreshCandidate> all = withLaterRounds(first, plan, histories, knowing, count, now);
    return described(histories, all.subList(0, Math.min(count, all.size())));
  }

  /**
   * The pages of a period, in as many rounds as the strategy takes for them, and more where it does
   * not look at how many are left. Each round brings a page that none before it did, or is the
   * last: a strategy that breaks its law ends, too.
   */
  private static List<RefreshCandidate> withLaterRounds(
      List<RefreshCandidate> first,
      RefreshPlan plan,
      PageHistories histories,
      Function<PageHistories, KnownPages> knowing,
      int count,
      Instant now) {
    long most = Math.min(count, histories.size());
    if (first.isEmpty() || first.size() >= most) {
      return first;
    }
    List<RefreshCandidate> picked = new ArrayList<>(first);
    Set<String> pages = new HashSet<>();
    KnownPages left = knowing.apply(new PickedHistories(histories, pages, now));
    for (List<RefreshCandidate> round = first; !round.isEmpty() && picked.size() < most; ) {
      round.forEach(candidate -> pages.add(candidate.page()));
      round =
          plan.next(left, now, count - picked.size()).stream()
              .filter(candidate -> !pages.contains(candidate.page()))
              .toList();
      picked.addAll(round);
    }
    return picked;
  }

  /** Candidates with their histories, in the same order; without one they were never fetched. */
  static List<PagePriority> described(PageHistories histories, List<RefreshCandidate> candidates) {
    Map<String, Double> priority = new HashMap<>();
    candidates.forEach(candidate -> priority.put(candidate.page(), candidate.priority()));
    Map<String, PagePriority> described = new HashMap<>();
    histories.forEach(
        priority.keySet(),
        page -> described.put(page.page(), describe(page, priority.get(page.page()))));
    return candidates.stream()
        .map(
            candidate ->
                described.getOrDefault(
                    candidate.page(),
                    new PagePriority(candidate.page(), candidate.priority(), 0, null, 0)))
        .toList();
  }

  private static PagePriority describe(PageHistory page, double priority) {
    double rate = page.refreshes() > 0 ? page.sumOfRates() / page.refreshes() : 0;
    return new PagePriority(page.page(), priority, rate, page.lastRefresh(), page.refreshes());
  }
}
