// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistories;
import io.lucenedelta.scorer.refresh.PageHistory;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories from {@link PageColumns}, in which pages that publish their changes are marked: a pass
 * over all pages must not look each of them up by its key. Hand out {@link MarkedHistory}.
 */
interface RowHistories extends PageHistories {
  /** What is said to whoever asks for the history of no page. */
  String NO_PAGE = "a history is that of a page, was null";

  /** The rows. */
  PageColumns columns();

  /**
   * Marks all pages that publish, where that was not done yet.
   *
   * @param missed pages that said something that was not fetched yet
   */
  default void markAll(Publishers publishers, Set<String> missed) {
    columns().markAll(publishers, missed);
  }

  /** Hands out the pages that publish and were fetched, or left, since that was looked at. */
  default void forEachUnseen(Publishers publishers, Consumer<String> taker) {
    columns().forEachUnseen(publishers, taker);
  }

  /** All are to be marked again. */
  default void unmark() {
    columns().unmark();
  }

  /** Marks a page anew, one that left the index too; changes nothing before all are marked. */
  default void mark(String page, int published, boolean missed) {
    columns().mark(page, published, missed);
  }

  /**
   * What all pages teach where some publish their changes, learned in passes: a day after the last
   * time or when a hundredth of the pages were written since.
   *
   * @param told these histories, with what pages published
   */
  default LearnedGains learnedWithPublished(KnownPages told, Instant now) {
    return columns().learnedWithPublished(told, now);
  }

  @Override
  default Optional<PageHistory> of(String page) {
    return columns().of(Objects.requireNonNull(page, NO_PAGE));
  }

  @Override
  default void forEach(Consumer<? super PageHistory> reader) {
    columns().forEach(reader);
  }

  @Override
  default void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    columns().forEachBut(pages, reader);
  }

  @Override
  default Optional<LearnedGains> learned(Instant now) {
    return Optional.of(columns().learned(this, now));
  }
}
