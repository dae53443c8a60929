// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistories;
import java.time.Instant;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Histories from {@link PageColumns}, in which pages that publish their changes are marked: a pass
 * over all pages must not look each of them up by its key. Hand out {@link MarkedHistory}.
 */
interface RowHistories extends PageHistories {
  /**
   * Marks all pages that publish, where that was not done yet.
   *
   * @param missed pages that said something that was not fetched yet
   */
  void markAll(Publishers publishers, Set<String> missed);

  /** Hands out the pages that publish and were fetched, or left, since that was looked at. */
  void forEachUnseen(Publishers publishers, Consumer<String> taker);

  /** All are to be marked again. */
  void unmark();

  /** Marks a page anew, one that left the index too; changes nothing before all are marked. */
  void mark(String page, int published, boolean missed);

  /**
   * What all pages teach where some publish their changes, learned in passes: a day after the last
   * time or when a hundredth of the pages were written since.
   *
   * @param told these histories, with what pages published
   */
  LearnedGains learned(KnownPages told, Instant now);
}
