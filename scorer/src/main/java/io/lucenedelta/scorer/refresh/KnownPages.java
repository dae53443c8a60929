// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The pages a strategy orders, with all it may know of them. Reading changes nothing.
 *
 * <p>A strategy reads them in the thread that asked it, one page after the other. A page's visits,
 * measured refreshes and facts belong to the page that hands them out, and are reused with it: one
 * that is kept may tell of a later page.
 */
public interface KnownPages {
  /** No page. */
  KnownPages NONE =
      new KnownPages() {
        @Override
        public long size() {
          return 0;
        }

        @Override
        public void forEach(Consumer<? super KnownPage> reader) {
          // there is none
        }
      };

  /** Number of pages. */
  long size();

  /**
   * Hands every page to {@code reader}, in no promised order. The object handed out may be reused
   * for the next page: copy what you keep.
   */
  void forEach(Consumer<? super KnownPage> reader);

  /**
   * Hands over some pages only; those that are not known are passed over. By default in one pass
   * over all.
   */
  default void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
    forEach(
        page -> {
          if (pages.contains(page.page())) {
            reader.accept(page);
          }
        });
  }

  /** Hands over all pages but some. By default every page is asked for its key. */
  default void forEachBut(Set<String> pages, Consumer<? super KnownPage> reader) {
    forEach(
        page -> {
          if (!pages.contains(page.page())) {
            reader.accept(page);
          }
        });
  }

  /**
   * Whether whoever picks from these pages is told at once when something new becomes known of one.
   * If not, a page may become more urgent unnoticed.
   */
  default boolean tellsWhenMoreIsKnown() {
    return false;
  }

  /**
   * What {@link UserUtility} learns from these pages, where storage keeps it up to date; otherwise
   * the strategy learns in passes. A selection of pages may hand over what all of them teach.
   */
  default Optional<LearnedGains> learned(Instant now) {
    return Optional.empty();
  }

  /**
   * Pages of whose histories only the sums are known, enough for {@link UserUtility}, {@link
   * UserCentric}, {@link Uniform} and {@link NeverRefresh}: without visits, facts from the address.
   */
  static KnownPages of(PageHistories histories) {
    return new KnownPages() {
      @Override
      public long size() {
        return histories.size();
      }

      @Override
      public void forEach(Consumer<? super KnownPage> reader) {
        histories.forEach(history -> reader.accept(new SummedPage(history)));
      }

      @Override
      public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
        histories.forEach(pages, history -> reader.accept(new SummedPage(history)));
      }

      @Override
      public void forEachBut(Set<String> pages, Consumer<? super KnownPage> reader) {
        histories.forEachBut(pages, history -> reader.accept(new SummedPage(history)));
      }

      @Override
      public Optional<LearnedGains> learned(Instant now) {
        return histories.learned(now);
      }
    };
  }

  /**
   * A page known by its address and sums, and by what it tells of its changes.
   *
   * @param history its sums; reused by whoever hands it out
   * @param neverFetched whether only its address is known
   * @param published what its site tells of its changes; {@link PublishedChanges#NONE} where that
   *     tells nothing
   * @param wordFactor what words about it promise, 1 where none are known
   */
  record SummedPage(
      PageHistory history, boolean neverFetched, PublishedChanges published, double wordFactor)
      implements KnownPage, PageHistory.Wrapper {
    /** A page that was fetched and says nothing of its changes. */
    public SummedPage(PageHistory history) {
      this(history, false, PublishedChanges.NONE, 1);
    }

    @Override
    public Visits visits() {
      return Visits.NONE;
    }

    @Override
    public PageFacts facts() {
      return new AddressFacts(history, published);
    }
  }
}
