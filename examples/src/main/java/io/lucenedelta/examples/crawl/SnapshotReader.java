// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.time.Instant;

/** Hears what a snapshot holds, in the order in which it is recorded. */
@FunctionalInterface
public interface SnapshotReader {
  /** A page that can be read. */
  void page(CrawledPage page);

  /**
   * The part of the work on a page that needs no order, done before its turn comes: on any thread,
   * of several pages at once, and perhaps of one that is never handed out because reading fails.
   *
   * @return hands the page out; run in the order in which pages are recorded, by the thread that
   *     reads
   */
  default Runnable prepare(CrawledPage page) {
    return () -> page(page);
  }

  /**
   * The crawler asked for an address and got no page that can be read: an error, a redirect, an
   * answer that is broken or no text. Neither a change of the page nor that it is unchanged.
   *
   * @param key the address
   */
  default void failed(String key) {}

  /**
   * The crawler asked for an address and was told, or found, that it holds what it held before.
   *
   * @param key the address
   * @param visited when
   * @return whether it is known what that was: else nobody knows what the page holds
   */
  default boolean unchanged(String key, Instant visited) {
    return true;
  }
}
