// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories from columns alone.
 *
 * @param size pages in the index
 */
record ColumnHistories(PageColumns columns, long size) implements RowHistories {
  @Override
  public Optional<PageHistory> of(String page) {
    return columns.of(page);
  }

  @Override
  public void forEach(Consumer<? super PageHistory> reader) {
    columns.forEach(reader);
  }

  @Override
  public void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    columns.forEachBut(pages, reader);
  }

  @Override
  public Optional<LearnedGains> learned(Instant now) {
    return Optional.of(columns.learned(this, now));
  }

  @Override
  public void markAll(Publishers publishers, Set<String> missed) {
    columns.markAll(publishers, missed);
  }

  @Override
  public void forEachUnseen(Publishers publishers, Consumer<String> taker) {
    columns.forEachUnseen(publishers, taker);
  }

  @Override
  public void unmark() {
    columns.unmark();
  }

  @Override
  public void mark(String page, int published, boolean missed) {
    columns.mark(page, published, missed);
  }

  @Override
  public LearnedGains learned(KnownPages told, Instant now) {
    return columns.learned(told, now);
  }
}
