// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.queue.RefreshQueue;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.RefreshBudget;
import io.lucenedelta.scorer.refresh.TopPages;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.util.BytesRef;

/**
 * What the order of pages costs over histories in the page store: prints processor seconds of the
 * asking thread, for the first question ever (all pages are copied into columns, everything is
 * learned), after a commit (one pass over all), after many pages changed, on the next day, in the
 * next process (the columns left are checked), and for second questions (look-ups); for batches
 * that are handed out while others are held; what writing costs once there are columns; and the
 * same where every page is in a sitemap.
 *
 * <p>Made-up histories with made-up vectors of the usual length. Whole path of {@link
 * DeltaIndexWriter#nextPages} but for settling a commit, which is no part of it. {@code mvn -q -pl
 * lucene-delta -am test-compile}, then run with the class path of the module's tests, the JVM flags
 * of the page store and the arguments number of pages, pages to pick, bytes of a vector, folder.
 */
final class StoredOrderSpeed {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final Instant NOW = Instant.parse("2024-12-01T00:00:00Z");

  private final int pages;
  private final int picked;
  private final int vector;
  private LiveOrder order = new LiveOrder(0);
  private final ToldChanges told = new ToldChanges(0);
  private long changes;
  private Instant now = NOW;

  private StoredOrderSpeed(String[] args) {
    pages = Integer.parseInt(args[0]);
    picked = Integer.parseInt(args[1]);
    vector = Integer.parseInt(args[2]);
  }

  public static void main(String[] args) throws Exception {
    new StoredOrderSpeed(args).run(Files.createTempDirectory(Path.of(args[3]), "order"));
  }

  private void run(Path folder) throws Exception {
    PageStore store = PageStore.create(folder, 1, pages, FaultPoints.NONE);
    timed("writing", () -> put(store, 0, pages, 1));
    System.out.printf("%,d pages, %,d bytes in the store%n", pages, store.bytes());
    asked("ever", store);
    for (int commit = 0; commit < 3; commit++) {
      commit(store, 1_000, commit);
      asked("after a commit of 1,000 pages", store);
    }
    commit(store, pages / 50, 3);
    asked("after a fiftieth of the pages changed", store);
    now = now.plus(Duration.ofDays(1));
    commit(store, 1_000, 4);
    asked("on the next day, after a commit", store);
    handedOut(store);
    timed("a sitemap read that has all pages", () -> readSitemap(store));
    for (int commit = 5; commit < 8; commit++) {
      commit(store, 1_000, commit);
      asked("with it, after a commit", store);
    }
    try (Directory files = FSDirectory.open(folder)) {
      long[] left = new long[1];
      timed("leaving the columns", () -> left[0] = store.saveColumns(files));
      System.out.printf("%,d bytes for the order%n", OrderFile.bytesOf(files));
      store.close();
      PageStore again = PageStore.open(folder, store.number(), store.capacity(), FaultPoints.NONE);
      again.columnsSaved(files, left[0]);
      order = new LiveOrder(0);
      StoredHistories histories = new StoredHistories(again, pages);
      timed(
          "finding what was fetched and not looked at",
          () -> told.catchUp(histories, Optional.empty(), now, true, remembered -> {}));
      asked("of the next process", again);
      commit(again, 1_000, 8);
      asked("after a commit of 1,000 pages", again);
      timed("learning everything", () -> LearnedGains.of(known(again), now));
      again.discard();
    }
  }

  private KnownPages known(PageStore store) {
    return KnownPages.of(new StoredHistories(store, pages));
  }

  private void asked(String when, PageStore store) throws Exception {
    StoredHistories histories = new StoredHistories(store, pages);
    for (String question : List.of("first question ", "second question ")) {
      timed(
          question + when,
          () -> order.next(changes, histories, OrderSources.of(told), picked, now));
      now = now.plusSeconds(60);
    }
  }

  /** Every page says that it has not changed; what is remembered of it is looked up at once. */
  private void readSitemap(PageStore store) {
    StoredHistories histories = new StoredHistories(store, pages);
    for (int page = 0; page < pages; page++) {
      told.publishers().hear(key(page), now);
      told.add(key(page), Instant.EPOCH, now);
      if (page % 1_000 == 999) {
        told.catchUp(histories, Optional.of(Set.of()), now, true, remembered -> {});
      }
    }
  }

  /** Batches of a queue, each from a pass over all pages. */
  private void handedOut(PageStore store) throws Exception {
    RefreshQueue queue = LiveOrder.queue(Duration.ofHours(6), List.of(), 0);
    RefreshBudget budget = RefreshBudget.atAnyTime(picked, now);
    for (String held : List.of("nobody holds any", "a batch is held", "two batches are held")) {
      queue.replan();
      timed("a batch while " + held, () -> queue.take(known(store), budget, now));
    }
  }

  private void commit(PageStore store, int count, int round) throws Exception {
    int first = (int) (TopPages.fraction(9, "round " + round) * (pages - count));
    timed("writing %,d pages".formatted(count), () -> put(store, first, count, 4 + round));
    changes += count;
  }

  /** Something that may fail. */
  @FunctionalInterface
  private interface Work {
    void run() throws Exception;
  }

  private static void timed(String what, Work work) throws Exception {
    long begin = CLOCK.getCurrentThreadCpuTime();
    work.run();
    System.out.printf("%-50s %8.3f s%n", what, (CLOCK.getCurrentThreadCpuTime() - begin) / 1e9);
  }

  private static String key(int page) {
    return "https://www.site%02d.example/section%02d/topic/page-%d.html"
        .formatted(page % 64, page / 64 % 64, page);
  }

  private void put(PageStore store, int first, int count, int seed) throws Exception {
    PageEntry entry = new PageEntry();
    byte[] bytes = new byte[vector];
    for (int page = first; page < first + count; page++) {
      String key = key(page);
      double random = TopPages.fraction(seed, key);
      double tail = 1 / (1e-4 + TopPages.fraction(2, key));
      long fetched = NOW.toEpochMilli() - (long) (random * 300 * 86_400_000.0);
      entry.clear();
      entry.present = true;
      entry.add(false, fetched, 0, 0, (float) tail);
      for (int refresh = 0; refresh < 2; refresh++) {
        double change = TopPages.fraction(3 + refresh, key) < 0.7 ? 0 : random * tail;
        entry.add(true, fetched, 30L * 86_400_000L, change, (float) tail);
      }
      entry.vector.copyFrom(bytes, 0, vector);
      store.put(new BytesRef(key), entry);
    }
  }
}
