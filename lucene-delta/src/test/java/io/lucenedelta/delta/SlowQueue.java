// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.TopPages;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * What a {@link FetchQueue} must hand out and remember, in plain maps that are looked through each
 * time: from the words of its documentation, without short lists, marks or files.
 */
final class SlowQueue {
  private static final Duration LONGEST = Duration.ofDays(32);
  private static final Duration CLOCKS = Duration.ofMinutes(30);
  private static final Duration BELIEVED = Duration.ofDays(1); // of a fetch still to come

  private final Duration lease;
  private final long hashSeed;

  /** Pages of the index as committed, with their last fetch. */
  final Map<String, Instant> index = new TreeMap<>();

  private final Map<String, Instant> left = new TreeMap<>(); // last fetches of pages that left it
  private final Set<String> came = new TreeSet<>(); // pages committed since the last look
  private boolean looked; // since the writer was opened

  /** Why a page is held; never changed. */
  private record Hold(
      Instant since,
      Instant until,
      int failures,
      boolean leased,
      Instant refreshed,
      boolean named) {
    Hold(Instant since, Instant until, int failures, boolean leased, Instant refreshed) {
      this(since, until, failures, leased, refreshed, false);
    }

    boolean ended(Instant last, Instant recorded) {
      return last != null
          && !recorded.equals(refreshed)
          && (last.isAfter(since) || (leased && last.getEpochSecond() == since.getEpochSecond()));
    }
  }

  private Map<String, Hold> held = new TreeMap<>();
  private Instant askedAt;
  private Map<String, Instant> discovered = new TreeMap<>();
  private final Map<String, Instant> hidden = new TreeMap<>(); // told, and in the index
  private final Map<String, Integer> toldAfter = new TreeMap<>(); // so many commits; not looked up
  private final Map<String, Integer> hiddenAfter = new TreeMap<>();
  private int commits;
  private boolean fresh = true; // the writer has committed nothing yet
  private boolean flushing;
  private Map<String, NavigableSet<Instant>> told = new TreeMap<>();
  private Runnable saved = () -> {};

  /**
   * Nothing is held, nor told.
   *
   * @param hashSeed that of the folder
   */
  SlowQueue(Duration lease, long hashSeed) {
    this.lease = lease;
    this.hashSeed = hashSeed;
    save();
  }

  /** All is on disk now. */
  void save() {
    Map<String, Hold> holds = new TreeMap<>(held);
    Map<String, Instant> addresses = new TreeMap<>(discovered);
    addresses.putAll(hidden);
    Map<String, NavigableSet<Instant>> changes = copy(told);
    saved =
        () -> {
          held = new TreeMap<>(holds);
          discovered = new TreeMap<>(addresses);
          told = copy(changes);
        };
  }

  private static Map<String, NavigableSet<Instant>> copy(Map<String, NavigableSet<Instant>> from) {
    Map<String, NavigableSet<Instant>> copy = new TreeMap<>();
    from.forEach((page, times) -> copy.put(page, new TreeSet<>(times)));
    return copy;
  }

  /**
   * A writer begins.
   *
   * @param youngest when the last hold began that it found: which of those are still there that a
   *     fetch ended is not promised
   */
  void begin(Instant youngest) {
    askedAt = youngest;
  }

  /** Another writer goes on, with what was on disk. */
  void restart() {
    saved.run();
    fresh = true;
    flushing = false;
    hidden.clear();
    toldAfter.clear();
    hiddenAfter.clear();
    came.clear();
    looked = false;
  }

  /** A commit holds a page, with a fetch. */
  void put(String page, Instant fetched) {
    index.put(page, fetched);
    came.add(page);
  }

  /** A commit deletes a page, if it is there. */
  void delete(String page) {
    Instant last = index.remove(page);
    if (last != null) {
      left.put(page, last);
    }
  }

  /** A commit was made that holds something. */
  void committed() {
    commits++;
    fresh = false;
    flushing = false;
  }

  /**
   * By a writer that never had anything to commit it begins to flush, and nobody hears of its end:
   * a commit seems to be under way from then on, and what is told stays one longer, to be sure.
   */
  void committedNothing() {
    flushing |= fresh;
  }

  void discover(String page, Instant now) {
    Instant since = hidden.remove(page);
    discovered.putIfAbsent(page, since == null ? now : since);
    toldAfter.put(page, commits + (flushing ? 1 : 0));
  }

  void forget(String page) {
    discovered.remove(page);
    hidden.remove(page);
    held.remove(page);
  }

  void modified(String page, Instant at, Instant now) {
    NavigableSet<Instant> times = told.computeIfAbsent(page, p -> new TreeSet<>());
    Instant latest = times.floor(at.isAfter(now) ? at : now); // those still to come hide none
    if (latest == null || at.isAfter(latest)) {
      times.add(at);
    }
  }

  void failed(String page, Instant now) {
    Hold before = held.get(page);
    int failures = before == null ? 1 : before.failures + 1;
    Instant until = now.plus(longer(failures - 1));
    held.put(page, new Hold(now, until, failures, false, refreshed(before)));
  }

  void retryAfter(String page, Instant now, Instant time) {
    if (!time.isAfter(now)) {
      failed(page, now);
      return;
    }
    Hold before = held.get(page);
    int failures = before == null ? 0 : before.failures;
    held.put(page, new Hold(now, time, failures, false, refreshed(before), true));
  }

  void gone(String page, Instant now) {
    held.put(page, new Hold(now, Instant.MAX, 1, false, refreshed(held.get(page))));
  }

  /** What was fetched before a lease ends no report on it. */
  private static Instant refreshed(Hold before) {
    return before == null ? Instant.MIN : before.refreshed;
  }

  void returned(String page) {
    held.remove(page);
  }

  /** Twice as long each time, up to 32 days or 32 leases. */
  private Duration longer(int times) {
    Duration leases = lease.multipliedBy(32);
    Duration longest = leases.compareTo(LONGEST) > 0 ? leases : LONGEST;
    Duration wait = lease;
    for (int i = 0; i < times && wait.compareTo(longest) < 0; i++) {
      wait = wait.multipliedBy(2);
    }
    return wait.compareTo(longest) > 0 ? longest : wait;
  }

  /** Whether a page is held by what a fetch has ended, or may have. */
  boolean holdEnded(String page, Instant now) {
    return held.containsKey(page) && held.get(page).ended(last(page, now), index.get(page));
  }

  /** The last fetch of a page of the index, long ago where it is not believed, else null. */
  private Instant last(String page, Instant now) {
    Instant last = index.get(page);
    return last != null && last.isAfter(now.plus(BELIEVED)) ? Instant.EPOCH : last;
  }

  /** Believed or not: which fetch it is. */
  private Instant recordedOrNone(String page) {
    return index.getOrDefault(page, Instant.MIN);
  }

  /** Pages held back, as a question for pages would find them. */
  Set<HeldPage> held(Instant now) {
    Map<String, Hold> before = new TreeMap<>(held);
    setBack(now);
    Set<HeldPage> pages = new HashSet<>();
    held.forEach(
        (page, hold) -> {
          if (isHeld(page, now)) {
            boolean isGone = hold.until.equals(Instant.MAX);
            HeldPage.Kind kind =
                isGone
                    ? HeldPage.Kind.GONE
                    : hold.leased ? HeldPage.Kind.LEASED : HeldPage.Kind.FAILED;
            pages.add(new HeldPage(page, kind, hold.since, hold.until));
          }
        });
    held = before;
    return pages;
  }

  private boolean isHeld(String page, Instant now) {
    Hold hold = held.get(page);
    return hold != null && now.isBefore(hold.until) && !holdEnded(page, now);
  }

  Set<String> discovered() {
    return discovered.keySet();
  }

  Map<String, List<Instant>> told() {
    Map<String, List<Instant>> times = new TreeMap<>();
    told.forEach((page, changes) -> times.put(page, List.copyOf(changes)));
    return times;
  }

  /** What a question for pages finds out and forgets before it hands out any. */
  void catchUp(Instant now) {
    lookUp();
    discovered.replaceAll((page, since) -> since.isAfter(now) ? now : since);
    told.keySet().retainAll(index.keySet());
    told.forEach((page, times) -> times.removeIf(at -> !at.isAfter(index.get(page))));
    told.values().removeIf(Set::isEmpty);
    forgetOld(now);
    setBack(now);
  }

  private void setBack(Instant now) {
    for (Map.Entry<String, Hold> entry : held.entrySet()) {
      Hold hold = entry.getValue();
      if (hold.since.isAfter(now.plus(CLOCKS))) { // by a clock that was set back since
        entry.setValue(setBack(hold, recordedOrNone(entry.getKey()), now));
      }
    }
    held.values().removeIf(hold -> hold.until.equals(Instant.MIN));
  }

  /** What nobody asked for again nor tells of: seen to be so twice, a lease apart or more. */
  private void forgetOld(Instant now) {
    if (now.isBefore(askedAt)) {
      askedAt = now;
    } else if (!askedAt.plus(lease).isAfter(now)) {
      Instant old = askedAt.minus(LONGEST);
      held.entrySet()
          .removeIf(
              entry -> {
                String page = entry.getKey();
                boolean isTold = discovered.containsKey(page) || told.containsKey(page);
                return entry.getValue().until.isBefore(old) && !isTold;
              });
      askedAt = now;
    }
  }

  /**
   * An address of a page of the index is forgotten once a commit holds it that was made since, and
   * one whose page came and left if it was not told again meanwhile.
   */
  private void lookUp() {
    for (String page : came) {
      boolean toldOnce = discovered.containsKey(page) && !toldAfter.containsKey(page);
      boolean hasLeft = !index.containsKey(page);
      if (looked && toldOnce && hasLeft && left.get(page).isAfter(discovered.get(page))) {
        discovered.remove(page);
      }
    }
    came.clear();
    looked = true;
    hiddenAfter.keySet().retainAll(hidden.keySet());
    for (String page : List.copyOf(hiddenAfter.keySet())) {
      if (!index.containsKey(page)) {
        discovered.put(page, hidden.remove(page));
      } else if (commits > hiddenAfter.get(page)) {
        hidden.remove(page);
      }
    }
    for (String page : index.keySet()) {
      Instant since = discovered.remove(page);
      if (since != null && commits <= toldAfter.getOrDefault(page, -1)) {
        hidden.put(page, since);
        hiddenAfter.put(page, toldAfter.get(page));
      }
    }
    toldAfter.clear();
  }

  private static Hold setBack(Hold hold, Instant last, Instant now) {
    boolean fetched = !last.equals(Instant.MIN) && !last.equals(hold.refreshed);
    if (fetched && (hold.leased || last.isAfter(hold.since))) {
      return new Hold(now, Instant.MIN, 0, false, Instant.MIN); // answered
    }
    Duration length = Duration.between(hold.since, hold.until);
    boolean less = Duration.between(now, hold.since).compareTo(length) <= 0;
    Instant until =
        hold.until.equals(Instant.MAX) || (hold.named && less) ? hold.until : now.plus(length);
    return new Hold(now, until, hold.failures, hold.leased, last, hold.named);
  }

  /** Pages that may be handed out. */
  Set<String> free(Instant now) {
    Set<String> free = new HashSet<>(discovered.keySet());
    for (String page : index.keySet()) {
      if (last(page, now).isBefore(now)) {
        free.add(page);
      }
    }
    free.removeIf(page -> isHeld(page, now));
    return free;
  }

  /** Those that must be in a batch for having waited longest. */
  List<String> longestWaiting(int count, Instant now, Predicate<String> wanted) {
    Map<String, Instant> since = new HashMap<>(discovered);
    told.forEach((page, times) -> since.merge(page, times.first(), (a, b) -> a));
    int places =
        Math.min(count, (int) (0.05 * count + TopPages.fraction(hashSeed, now.toString())));
    for (String page : List.copyOf(since.keySet())) {
      Hold hold = held.get(page);
      if (hold != null && holdEnded(page, now)) {
        places--; // may be among them, or found to be free later
        since.remove(page);
      } else if (hold != null && now.isBefore(hold.until)) {
        since.remove(page);
      } else if (hold != null && hold.since.isAfter(since.get(page))) {
        since.put(page, hold.since); // tried
      }
    }
    since.values().removeIf(at -> at.isAfter(now));
    since.keySet().removeIf(wanted.negate());
    Set<String> free = free(now);
    List<String> longest = new ArrayList<>(since.keySet());
    longest.retainAll(free);
    longest.sort(Comparator.comparing(since::get));
    List<String> first = longest.subList(0, Math.max(0, Math.min(places, longest.size())));
    // of those that have waited as long as the first that has no place any may have it
    return longest.size() == first.size()
        ? first
        : first.stream()
            .filter(page -> since.get(page).isBefore(since.get(longest.get(first.size()))))
            .toList();
  }

  /** A batch was handed out. */
  void lease(List<String> batch, Instant now) {
    for (String page : batch) {
      Instant last = recordedOrNone(page);
      Hold before = holdEnded(page, now) ? null : held.get(page);
      boolean answered =
          before != null
              && before.leased
              && !last.equals(Instant.MIN)
              && !last.equals(before.refreshed);
      int failures = before == null || answered ? 0 : before.failures + (before.leased ? 1 : 0);
      held.put(page, new Hold(now, now.plus(longer(failures)), failures, true, last));
    }
  }
}
