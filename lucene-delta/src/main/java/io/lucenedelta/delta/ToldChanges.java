// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.PageFacts;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Changes that pages say they had and that were not fetched yet: by page, times increasing. Not
 * safe for use by several threads.
 */
final class ToldChanges {
  /** Times kept of a page; more say no more about how urgent it is. */
  private static final int KEPT = 16;

  private final Map<String, List<Instant>> times = new HashMap<>();

  /** A page says that it changed at a time; true if that is news. */
  boolean add(String page, Instant at) {
    List<Instant> known = times.computeIfAbsent(page, p -> new ArrayList<>(1));
    if (!known.isEmpty() && !at.isAfter(known.get(known.size() - 1))) {
      return false; // sitemaps say the same every day
    }
    if (known.size() == KEPT) {
      known.remove(0);
    }
    known.add(at);
    return true;
  }

  /** The same, independent of this one. */
  ToldChanges copy() {
    ToldChanges copy = new ToldChanges();
    times.forEach((page, changes) -> copy.times.put(page, new ArrayList<>(changes)));
    return copy;
  }

  /** Changes by page. */
  Map<String, List<Instant>> byPage() {
    return times;
  }

  /** Forgets changes of pages that were fetched since, or are not in the index. */
  void forgetFetched(PageHistories histories) {
    times
        .entrySet()
        .removeIf(
            told -> {
              PageHistory page = histories.of(told.getKey()).orElse(null);
              Instant last = told.getValue().get(told.getValue().size() - 1);
              return page == null || !last.isAfter(page.lastRefresh());
            });
  }

  /** The pages concerned alone, as their histories know them, with what they say. */
  KnownPages over(PageHistories histories, Instant now) {
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
                reader.accept(told(new KnownPages.SummedPage(page), now));
              }
            });
      }
    };
  }

  /** All pages, those concerned with what they say. */
  KnownPages among(KnownPages pages, Instant now) {
    return new KnownPages() {
      @Override
      public long size() {
        return pages.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        pages.forEach(
            page -> reader.accept(times.containsKey(page.page()) ? told(page, now) : page));
      }
    };
  }

  private KnownPage told(KnownPage page, Instant now) {
    List<Instant> changes =
        times.get(page.page()).stream()
            .filter(at -> at.isAfter(page.lastRefresh()) && !at.isAfter(now))
            .toList();
    return changes.isEmpty() ? page : new ToldPage(page, new Facts(page.facts(), changes));
  }

  /** What is public of a page that told of its changes. */
  private record Facts(PageFacts address, List<Instant> changes) implements PageFacts {
    @Override
    public String site() {
      return address.site();
    }

    @Override
    public double clicks() {
      return address.clicks();
    }

    @Override
    public double importance() {
      return address.importance();
    }

    @Override
    public int words() {
      return address.words();
    }

    @Override
    public Provider provider() {
      return Provider.SMART;
    }

    @Override
    public int modifications() {
      return changes.size();
    }

    @Override
    public Instant modification(int i) {
      return changes.get(i);
    }

    @Override
    public double changeProbability() {
      return 0;
    }
  }
}
