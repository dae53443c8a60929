// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.refresh.TopPages;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.apache.lucene.util.BytesRef;

/**
 * What the order of pages costs over histories in the page store: prints processor seconds of the
 * asking thread, for the first question after opening (all pages are copied into columns), after a
 * commit (one pass over all) and after many pages changed (three more passes to learn), and for the
 * next ones (look-ups).
 *
 * <p>Made-up histories with made-up vectors of the usual length. Whole path of {@link
 * DeltaIndexWriter#nextPages} but for settling a commit, which is no part of it. {@code mvn -q -pl
 * lucene-delta -am test-compile}, then run with the class path of the module's tests, the JVM flags
 * of the page store and the arguments number of pages, pages to pick, bytes of a vector, folder.
 */
final class StoredOrderSpeed {
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
  private static final Instant NOW = Instant.parse("2024-12-01T00:00:00Z");

  private StoredOrderSpeed() {}

  public static void main(String[] args) throws Exception {
    int pages = Integer.parseInt(args[0]);
    int picked = Integer.parseInt(args[1]);
    int vector = Integer.parseInt(args[2]);
    Path folder = Files.createTempDirectory(Path.of(args[3]), "order");
    PageStore store = PageStore.create(folder, 1, pages, FaultPoints.NONE);
    fill(store, pages, vector);
    System.out.printf("%,d pages, %,d bytes in the store%n", pages, store.bytes());
    StoredHistories histories = new StoredHistories(store, pages);
    LiveOrder order = new LiveOrder();
    long changes = 0;
    for (String after : List.of("opening", "a commit", "a commit", "many", "a commit", "many")) {
      changes += after.equals("many") ? pages : 1;
      for (int question = 0; question < 2; question++) {
        Instant now = NOW.plusSeconds(60L * question);
        long begin = CLOCK.getCurrentThreadCpuTime();
        int found = order.next(changes, histories, new ToldChanges(), picked, now).size();
        System.out.printf(
            "%s after %s: best %,d in %.3f s%n",
            question == 0 ? "first question" : "next question",
            after,
            found,
            (CLOCK.getCurrentThreadCpuTime() - begin) / 1e9);
      }
    }
    System.out.printf("%,d bytes in columns%n", store.columns().bytes());
    store.discard();
  }

  private static void fill(PageStore store, int pages, int vector) throws Exception {
    PageEntry entry = new PageEntry();
    byte[] bytes = new byte[vector];
    for (int page = 0; page < pages; page++) {
      String key =
          "https://www.site%02d.example/section%02d/topic/page-%d.html"
              .formatted(page % 64, page / 64 % 64, page);
      double random = TopPages.fraction(1, key);
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
