// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

import java.time.Instant;

/**
 * What one page's own record says, whatever other pages teach: how many changes there were, and
 * over how many days they could be seen. A page that publishes its changes tells of more of them
 * than its fetches found, and for as long as its site is heard.
 */
final class RecordedChanges {
  /** 1990: a fetch before there was a Web is at a time that nobody knows. */
  static final long EARLIEST_FETCH = 631_152_000L;

  private RecordedChanges() {}

  /**
   * Refuses a page with a sum that is no finite number: added to those of others it would leave
   * nothing that is known of any page, and nobody would see why.
   */
  static void requireFinite(PageHistory page, String sum, double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "%s of page %s must be finite, was %s: leave refreshes unmeasured of which a number is not"
              .formatted(sum, page.page(), value));
    }
  }

  /**
   * Days over which changes of a page could be seen. Where nobody knows when it was fetched, nobody
   * knows for how long its site was heard since either.
   */
  static double watchedDays(KnownPage page, Instant now) {
    boolean dated = page.recordedUntil().getEpochSecond() >= EARLIEST_FETCH;
    return publishes(page) && dated
        ? page.totalDays() + heardDays(page, page.recordedUntil(), now)
        : page.totalDays();
  }

  /** Days since a moment over which the site of a page that publishes would have told. */
  private static double heardDays(KnownPage page, Instant since, Instant now) {
    return Math.max(0, Days.between(since, page.facts().heardUntil(now)));
  }

  /** Days over which nobody would have told of a change of a page that publishes. */
  static double unheardDays(KnownPage page, Instant now) {
    return page.age(now) - heardDays(page, page.lastRefresh(), now);
  }

  /** How many changes were seen in the days watched: published, or found by fetches. */
  static int seenChanges(KnownPage page) {
    return publishedAny(page)
        ? Math.max(page.facts().publishedSince(firstFetch(page)), page.changes())
        : page.changes();
  }

  /**
   * How many changes brought the page's gains: where they are published every one since the first
   * fetch, of which a fetch may have brought several; else the fetches that found the page changed.
   */
  static int fetchedChanges(KnownPage page) {
    if (!publishedAny(page)) {
      return page.changes();
    }
    PageFacts facts = page.facts();
    int published =
        facts.publishedSince(firstFetch(page)) - facts.publishedSince(page.recordedUntil());
    return Math.max(published, page.changes());
  }

  /** From where on the page's days were watched; later than that where some were not measured. */
  private static Instant firstFetch(KnownPage page) {
    return page.recordedUntil().minusSeconds(Math.round(page.totalDays() * Days.SECONDS_A_DAY));
  }

  /** Whether it ever said that it did; most pages that publish have not changed. */
  private static boolean publishedAny(KnownPage page) {
    PageFacts facts = page.facts();
    return facts.publishedChanges() > 0 && facts.provider() != PageFacts.Provider.NORMAL;
  }

  /** Whether the site says when the page changes. */
  static boolean publishes(KnownPage page) {
    return page.facts().provider() != PageFacts.Provider.NORMAL;
  }
}
