// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;
import java.util.List;

/**
 * What the site of a page has published about it, as a live index remembers it: changes that were
 * fetched are only counted.
 *
 * @param fetched changes published and fetched since, 0 or more
 * @param missed times of the published changes that were not fetched yet, increasing; not copied
 * @param heard when the site published anything last: until then its silence about the page means
 *     that the page has not changed
 * @param unpublishedShare see {@link PageFacts#unpublishedShare}
 */
public record PublishedChanges(
    int fetched, List<Instant> missed, Instant heard, double unpublishedShare) {
  /** For a page about which nothing is published. */
  public static final PublishedChanges NONE = new PublishedChanges(0, List.of(), Instant.MIN, 0);

  /** Whether nothing is published: the site was never heard. */
  boolean isNone() {
    return heard.equals(Instant.MIN);
  }
}
