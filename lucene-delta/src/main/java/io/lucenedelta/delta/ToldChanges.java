// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What pages say of their changes: of those that were not fetched yet, by page, the times,
 * increasing; of all that ever said something, what {@link Publishers} remembers. Not safe for use
 * by several threads.
 */
final class ToldChanges {
  /**
   * Times kept of a page, the first, since which it waits, and the latest; more say no more about
   * how urgent it is.
   */
  private static final int KEPT = 16;

  /** The earliest and the latest time that a file of the queue can hold. */
  private static final Instant FIRST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private static final Instant LAST = Instant.ofEpochMilli(Long.MAX_VALUE);

  private final Map<String, List<Instant>> times = new HashMap<>();
  private final Set<String> unchecked = new HashSet<>(); // told since a look-up, or absent then
  private final ChangesToCome toCome = new ChangesToCome(); // as pages were looked at last
  private final Publishers publishers;

  /**
   * Nothing was told.
   *
   * @param hashSeed by which {@link Publishers} hash keys
   */
  ToldChanges(long hashSeed) {
    this(new Publishers(hashSeed));
  }

  private ToldChanges(Publishers publishers) {
    this.publishers = publishers;
  }

  /**
   * The pages that ever said something, as far as they were {@linkplain #catchUp caught up with}.
   */
  Publishers publishers() {
    return publishers;
  }

  /**
   * A page says that it changed at a time, which can be any, also one after {@code now}; returns
   * whether that is news.
   */
  boolean add(String page, Instant told, Instant now) {
    Instant at = told.isBefore(FIRST) ? FIRST : told.isAfter(LAST) ? LAST : told;
    if (!times.containsKey(page) && publishers.fetchedSince(page, at)) {
      return false; // as most pages of a sitemap say, whenever it is read
    }
    List<Instant> known = times.computeIfAbsent(page, p -> new ArrayList<>(1));
    int place = known.size();
    // a time still to come, perhaps of a wrong clock, is passed by: it says nothing of the past
    while (place > 0 && known.get(place - 1).isAfter(at) && known.get(place - 1).isAfter(now)) {
      place--;
    }
    if (place > 0 && !at.isAfter(known.get(place - 1))) {
      return false; // sitemaps say the same every day
    }
    known.add(place, at);
    unchecked.add(page);
    if (known.size() > KEPT) {
      known.remove(known.get(KEPT).isAfter(now) ? KEPT : 1);
    }
    return true;
  }

  /** Forgets what a page said; for pages that were not looked at yet. */
  void forget(String page) {
    times.remove(page);
    publishers.forget(page);
  }

  /**
   * The same, independent of this one but for the publishers, which only {@link #catchUp} changes.
   */
  ToldChanges copy() {
    ToldChanges copy = new ToldChanges(publishers.copyOfSites());
    times.forEach((page, changes) -> copy.times.put(page, new ArrayList<>(changes)));
    return copy;
  }

  /** Changes by page. */
  Map<String, List<Instant>> byPage() {
    return times;
  }

  /** Whether a page is in the index, as far as is known, that says it changed. */
  boolean isOfIndex(String page) {
    return !unchecked.contains(page);
  }

  /**
   * Looks at the pages concerned: forgets changes that were fetched since and those of pages that
   * are not in the index.
   *
   * @param written pages whose histories may have changed since the last time; of the others only
   *     what was told since is looked at; empty if it is not known which: then all are compared
   * @param forgetsAbsent whether pages that are not in the index are forgotten; else they are
   *     looked at once more the next time
   * @param remembered gets pages of which something else is known now
   */
  void catchUp(
      PageHistories histories,
      Optional<Set<String>> written,
      Instant now,
      boolean forgetsAbsent,
      Consumer<String> remembered) {
    publishers.setBack(now);
    unchecked.addAll(written.orElse(times.keySet()));
    if (written.isEmpty() && histories instanceof RowHistories rows) {
      // silent pages too, or what fetches found on them would tell against no site
      rows.columns().forEachUnseen(publishers, unchecked::add);
    }
    unchecked.removeIf(page -> !times.containsKey(page) && !publishers.has(page));
    Set<String> absent = new HashSet<>();
    for (String key : unchecked) {
      PageHistory page = histories.of(key).orElse(null);
      if (page == null && !forgetsAbsent) {
        absent.add(key);
        continue;
      }
      List<Instant> changes = times.getOrDefault(key, new ArrayList<>(0));
      boolean differs = publishers.update(key, page, changes);
      // HTTP and most sitemaps tell whole seconds. What may lie before or after the fetch then is
      // taken as before: a page that names the time of its answer would be fetched for ever.
      differs |= changes.removeIf(at -> page == null || !at.isAfter(page.lastRefresh()));
      if (differs) {
        remembered.accept(key);
      }
      if (changes.isEmpty()) {
        times.remove(key);
      }
      toCome.put(key, changes, now);
      if (histories instanceof RowHistories rows) {
        rows.columns().mark(key, publishers.fetched(key), !changes.isEmpty());
      }
    }
    unchecked.clear();
    unchecked.addAll(absent);
  }

  /**
   * Hands over the pages of which a change has come that was still to come when this was called
   * last, or they were looked at since: once for each such change, and perhaps once more by a clock
   * that was set back.
   */
  void forEachCome(Instant now, Consumer<String> reader) {
    toCome.forEachCome(times, now, reader);
  }

  /** Forgets of the pages that publish what the histories do not know: they went back, perhaps. */
  void retain(PageHistories histories) {
    publishers.retain(histories);
    if (histories instanceof RowHistories rows) {
      rows.columns().unmark();
    }
  }

  /** All pages, as their histories know them, with what they said. */
  KnownPages known(PageHistories histories, Instant now) {
    if (publishers.isEmpty()) {
      return KnownPages.of(histories);
    }
    if (histories instanceof RowHistories rows) {
      rows.columns().markAll(publishers, times.keySet());
    }
    return new PublishingPages(histories, page -> known(page, now));
  }

  /** The pages alone that say they changed, looked at since or not. */
  KnownPages pagesWithChanges(PageHistories histories, Instant now) {
    return new KnownPages() {
      @Override
      public long size() {
        return times.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        forEach(times.keySet(), reader);
      }

      @Override
      public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
        histories.forEach(
            pages,
            page -> {
              if (times.containsKey(page.page())) {
                int fetched = Math.max(0, publishers.fetched(page.page()));
                reader.accept(told(page, fetched, missed(page, now)));
              }
            });
      }
    };
  }

  private KnownPage known(PageHistory page, Instant now) {
    boolean marked = page instanceof MarkedHistory;
    int fetched =
        marked ? ((MarkedHistory) page).publishedAndFetched() : publishers.fetched(page.page());
    if (fetched < 0) {
      return new KnownPages.SummedPage(page);
    }
    boolean missed = !marked || ((MarkedHistory) page).missed();
    return told(page, fetched, missed ? missed(page, now) : List.of());
  }

  private KnownPage told(PageHistory page, int fetched, List<Instant> missed) {
    return new KnownPages.SummedPage(
        page, false, publishers.published(fetched, missed, page.directories()), 1);
  }

  /** The changes of a page that were not fetched, but for those still to come. */
  private List<Instant> missed(PageHistory page, Instant now) {
    List<Instant> changes = times.getOrDefault(page.page(), List.of());
    int from = 0;
    int to = changes.size();
    while (from < to && !changes.get(from).isAfter(page.lastRefresh())) {
      from++;
    }
    while (to > from && changes.get(to - 1).isAfter(now)) {
      to--;
    }
    return changes.subList(from, to);
  }
}
