// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Hears one snapshot, and passes on what counts: addresses that are pages, and no capture that is
 * older than one of the same page before it. Crawlers that write several files at once record a
 * page that they captured twice in any order.
 */
final class SnapshotFilter {
  private final SnapshotReader reader;
  private final PageAddresses addresses;
  private final Map<String, Instant> latest = new HashMap<>();

  SnapshotFilter(SnapshotReader reader, PageAddresses addresses) {
    this.reader = reader;
    this.addresses = addresses;
  }

  /**
   * Why nothing that a snapshot says of an address counts, if so; asked first, on any thread.
   *
   * @param key the address
   */
  Optional<LeftOut> leavesOut(String key) {
    return addresses.leaveOut(key);
  }

  /**
   * Whether a page is to be handed out; asked when its turn comes, of every page once.
   *
   * @param key its address
   * @param fetched when it was fetched
   */
  boolean wants(String key, Instant fetched) {
    Instant last = latest.merge(key, fetched, (before, now) -> now.isBefore(before) ? before : now);
    return !fetched.isBefore(last);
  }

  Runnable prepare(CrawledPage page) {
    return reader.prepare(page);
  }

  void failed(String key) {
    reader.failed(key);
  }

  boolean unchanged(String key, Instant visited) {
    return reader.unchanged(key, visited);
  }
}
