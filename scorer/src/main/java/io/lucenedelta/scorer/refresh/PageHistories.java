// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories by page: a port that storage implements. Reading is safe for several threads. Methods
 * throw {@link java.io.UncheckedIOException} if the storage cannot be read.
 */
public interface PageHistories {
  /** Number of pages. */
  long size();

  /** The history of a page, if the page is known. */
  Optional<PageHistory> of(String page);

  /**
   * Hands every history to {@code reader}, in no promised order. The object handed out may be
   * reused for the next page: copy what you keep.
   */
  void forEach(Consumer<? super PageHistory> reader);

  /**
   * Hands over the histories of some pages only; pages that are not known are passed over. By
   * default one look-up a page.
   */
  default void forEach(Set<String> pages, Consumer<? super PageHistory> reader) {
    for (String page : pages) {
      of(page).ifPresent(reader);
    }
  }

  /**
   * Hands over all histories but those of some pages. By default every page is asked for its key;
   * storage that need not make keys for that should do better.
   */
  default void forEachBut(Set<String> pages, Consumer<? super PageHistory> reader) {
    forEach(
        history -> {
          if (!pages.contains(history.page())) {
            reader.accept(history);
          }
        });
  }

  /** What {@link UserUtility} has learned from all histories, where storage keeps it up to date. */
  default Optional<LearnedGains> learned(Instant now) {
    return Optional.empty();
  }
}
