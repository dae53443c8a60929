// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

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
