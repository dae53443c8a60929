// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.examples.crawl.CrawledPage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Pages that are indexed again and again, a share of them with another text each time.
 *
 * <p>A crawl smaller than the batch is repeated under other addresses. From one round to the next a
 * changing page goes to the next text of its recorded history, and back from the last one, so every
 * change is one that happened. Immutable.
 */
final class UpdateBatch {
  private static final Instant START = Instant.parse("2024-01-01T00:00:00Z");

  private record Slot(String key, List<String> texts, int first, boolean changes) {}

  private final List<Slot> slots = new ArrayList<>();
  private final long chars;

  private UpdateBatch(PageVersionPool pool, double changedShare, long wantedChars, int leastPages) {
    long sum = 0;
    int changed = 0;
    for (int i = 0; sum < wantedChars || i < leastPages; i++) {
      boolean changes = changed < changedShare * (i + 1);
      List<PageVersionPool.Versions> source = changes ? pool.changing() : pool.all();
      int number = changes ? changed : i - changed;
      int copy = number / source.size();
      PageVersionPool.Versions page = source.get(number % source.size());
      int first = copy % page.texts().size();
      String key = page.key() + (changes ? "#c" : "#u") + copy;
      slots.add(new Slot(key, page.texts(), first, changes));
      changed += changes ? 1 : 0;
      sum += page.texts().get(first).length();
    }
    this.chars = sum;
  }

  /**
   * A batch.
   *
   * @param megabytes size of all texts, in millions of characters, positive
   * @param leastPages the batch is larger where that is needed for so many pages
   * @param changedShare share of pages whose text differs from the round before, 0 to 1
   */
  static UpdateBatch of(
      PageVersionPool pool, double megabytes, int leastPages, double changedShare) {
    return new UpdateBatch(
        pool, changedShare, Math.max(1, Math.round(megabytes * 1e6)), leastPages);
  }

  /** Number of pages, at least 1. */
  int size() {
    return slots.size();
  }

  /** Characters of all texts in round 0, in millions. */
  double megabytes() {
    return chars / 1e6;
  }

  /** A page as it is in a round, {@code 0 <= i < size()}, rounds from 0. */
  CrawledPage page(int i, int round) {
    Slot slot = slots.get(i);
    Instant fetched = START.plus(Duration.ofDays(7L * round));
    return new CrawledPage(slot.key(), fetched, "", text(slot, round));
  }

  /** Goes up and down the history of texts. */
  private static String text(Slot slot, int round) {
    int last = slot.texts().size() - 1;
    if (!slot.changes()) {
      return slot.texts().get(slot.first());
    }
    int step = (slot.first() + round) % (2 * last);
    return slot.texts().get(step <= last ? step : 2 * last - step);
  }
}
