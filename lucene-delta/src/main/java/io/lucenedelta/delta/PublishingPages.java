// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pages of an index some of which publish their changes. What they teach is learned in passes,
 * not kept up to date by every commit as {@link PageHistories#learned} is, which is for pages that
 * publish nothing.
 *
 * @param known what is known of a page
 */
record PublishingPages(PageHistories histories, Function<PageHistory, KnownPage> known)
    implements KnownPages {
  @Override
  public long size() {
    return histories.size();
  }

  @Override
  public void forEach(Consumer<? super KnownPage> reader) {
    histories.forEach(page -> reader.accept(known.apply(page)));
  }

  @Override
  public void forEach(Set<String> pages, Consumer<? super KnownPage> reader) {
    histories.forEach(pages, page -> reader.accept(known.apply(page)));
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super KnownPage> reader) {
    histories.forEachBut(pages, page -> reader.accept(known.apply(page)));
  }

  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return histories instanceof RowHistories rows
        ? Optional.of(rows.columns().learnedWithPublished(this, now))
        : Optional.empty();
  }

  /**
   * Pages that say they changed are handed over {@linkplain ToldChanges#pagesWithChanges apart} as
   * well.
   */
  @Override
  public boolean tellsWhenMoreIsKnown() {
    return true;
  }
}
