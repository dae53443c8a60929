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
final class SnapshotFilter implements SnapshotReader {
  private final SnapshotReader reader;
  private final PageAddresses addresses;
  private final Map<String, Instant> latest = new HashMap<>();

  SnapshotFilter(SnapshotReader reader, PageAddresses addresses) {
    this.reader = reader;
    this.addresses = addresses;
  }

  @Override
  public Optional<LeftOut> leavesOut(String key) {
    return addresses.leaveOut(key).or(() -> reader.leavesOut(key));
  }

  @Override
  public boolean wants(String key, Instant fetched) {
    Instant last = latest.merge(key, fetched, (before, now) -> now.isBefore(before) ? before : now);
    return !fetched.isBefore(last) && reader.wants(key, fetched);
  }

  @Override
  public void page(CrawledPage page) {
    reader.page(page);
  }

  @Override
  public Runnable prepare(CrawledPage page) {
    return reader.prepare(page);
  }

  @Override
  public void failed(String key) {
    reader.failed(key);
  }

  @Override
  public boolean unchanged(String key, Instant visited) {
    return reader.unchanged(key, visited);
  }
}
