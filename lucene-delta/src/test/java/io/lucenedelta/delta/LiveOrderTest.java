// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;

import io.lucenedelta.scorer.refresh.UserUtility;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveOrderTest {
  private static final int PAGES = 500;
  private static final Instant NOW = Instant.parse("2024-12-01T00:00:00Z");

  @TempDir private Path folder;

  private static void put(PageStore store, int page, double gain) throws Exception {
    PageEntry entry = new PageEntry();
    entry.clear();
    entry.present = true;
    long fetched = NOW.toEpochMilli() - (20 + page % 7) * 86_400_000L;
    entry.add(false, fetched - 86_400_000L, 0, 0, 1 + page % 5);
    entry.add(true, fetched, 30L * 86_400_000L, gain, -1);
    store.put(new BytesRef("https://a.test/" + page), entry);
  }

  private List<PagePriority> asked(
      LiveOrder order, PageStore store, long changes, int minutesLater) {
    Instant now = NOW.plusSeconds(60L * minutesLater);
    OrderSources sources = OrderSources.of(new ToldChanges(0));
    return order.next(changes, new StoredHistories(store, PAGES), sources, 20, now).pages();
  }

  @Test
  void whatACommitSaysOfAPageCountsBeforeAllIsLearnedAgain() throws Exception {
    PageStore store = PageStore.create(folder, 1, PAGES, FaultPoints.NONE);
    for (int page = 0; page < PAGES; page++) {
      put(store, page, page % 3);
    }
    LiveOrder order = new LiveOrder(0);
    List<PagePriority> before = asked(order, store, 0, 0);
    put(store, 321, 1_000);
    assertThat(before).extracting(PagePriority::page).doesNotContain("https://a.test/321");
    assertThat(asked(order, store, 1, 1).get(0).page()).isEqualTo("https://a.test/321");
    store.discard();
  }

  @Test
  void afterManyChangesTheOrderIsThatOfAStrategyThatStartsAnew() throws Exception {
    PageStore store = PageStore.create(folder, 1, PAGES, FaultPoints.NONE);
    for (int page = 0; page < PAGES; page++) {
      put(store, page, page % 3);
    }
    LiveOrder order = new LiveOrder(0);
    asked(order, store, 0, 0);
    for (int page = 0; page < PAGES; page += 4) {
      put(store, page, page % 11);
    }
    List<PagePriority> anew =
        Priorities.next(
            new StoredHistories(store, PAGES),
            new ToldChanges(0),
            new VisitRecords(new ByteBuffersDirectory(), List.of(), 1, key -> true),
            new UserUtility(0),
            20,
            NOW.plusSeconds(60));
    assertThat(asked(order, store, PAGES / 4, 1)).isEqualTo(anew);
    store.discard();
  }
}
