// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.time.Instant;
import java.util.Objects;

/**
 * One page as a crawler saw it.
 *
 * @param key the page's address, which identifies it across snapshots
 * @param fetched when it was fetched
 * @param title its title, empty when it has none
 * @param text what a reader sees, without markup where markup is known, never null
 */
public record CrawledPage(String key, Instant fetched, String title, String text) {
  /** Checks that nothing is null and the key is not empty. */
  public CrawledPage {
    Objects.requireNonNull(fetched, "a page needs the time it was fetched, was null");
    Objects.requireNonNull(title, "a page needs a title, if need be an empty one, was null");
    Objects.requireNonNull(text, "a page needs its text, if need be an empty one, was null");
    if (key.isEmpty()) {
      throw new IllegalArgumentException("a page needs a key, this one's is empty: " + title);
    }
  }
}
