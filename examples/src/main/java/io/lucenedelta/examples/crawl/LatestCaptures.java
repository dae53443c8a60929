// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Hears one snapshot, and passes over a capture of a page that is older than one before it:
 * crawlers that write several files at once record a page that they captured twice in any order.
 */
final class LatestCaptures implements SnapshotReader {
  private final SnapshotReader reader;
  private final Map<String, Instant> latest = new HashMap<>();

  LatestCaptures(SnapshotReader reader) {
    this.reader = reader;
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
