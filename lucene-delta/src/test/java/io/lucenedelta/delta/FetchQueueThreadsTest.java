// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lucenedelta.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.lucene.analysis.core.SimpleAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several crawlers ask one queue, and the leases of some of them cannot be written. */
class FetchQueueThreadsTest {
  private static final int PAGES = 40;
  private static final int CRAWLERS = 3;
  private static final int ROUNDS = 7;
  private static final Duration LEASE = Duration.ofDays(60); // none runs out meanwhile

  private final Instant start = Instant.parse("2024-01-01T00:00:00Z");
  private final AtomicInteger minutes = new AtomicInteger(); // one passes with every look
  private final List<String> troubles = new ArrayList<>();
  private final ThreadLocal<Boolean> fails = ThreadLocal.withInitial(() -> false);
  private volatile Elsewhere whenLeased = () -> {};
  private final Directory index = new ByteBuffersDirectory();
  @TempDir Path folder;

  /** Who holds each page: entered when it is handed out, removed before it is told of. */
  private final ConcurrentHashMap<String, Thread> holders = new ConcurrentHashMap<>();

  private final Set<String> failed = ConcurrentHashMap.newKeySet();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @Test
  void noPageIsHandedOutTwiceAndThoseOfATakeThatFailsComeAgain() throws Exception {
    AtomicInteger takes = new AtomicInteger();
    try (DeltaIndexWriter writer = open()) {
      put(writer, IntStream.range(0, PAGES).mapToObj(page -> "p" + page).toList());
      FetchQueue queue = writer.fetchQueue(LEASE);
      whenLeased =
          () -> {
            boolean itsTurn = takes.incrementAndGet() % 10 == 0;
            if (itsTurn) {
              Elsewhere.take(() -> holdOn(queue.take(2)));
            }
            fails.set(itsTurn);
          };
      List<FutureTask<Void>> crawlers = new ArrayList<>();
      for (int crawler = 0; crawler < CRAWLERS; crawler++) {
        Random random = new Random(crawler);
        crawlers.add(
            new FutureTask<>(
                () -> {
                  for (int round = 0; round < ROUNDS; round++) {
                    crawl(writer, queue, random);
                  }
                  return null;
                }));
      }
      crawlers.forEach(Elsewhere.THREADS::execute);
      for (FutureTask<Void> crawler : crawlers) {
        crawler.get();
      }
      whenLeased = () -> {};
      assertThat(refused.get()).as("batches refused").isEqualTo(takes.get() / 10).isPositive();
      assertThat(taken.get()).as("pages handed out").isGreaterThan(PAGES);
      assertThat(queue.heldCount()).isEqualTo(holders.size() + failed.size());
      Set<String> free = new HashSet<>();
      IntStream.range(0, PAGES).forEach(page -> free.add("p" + page));
      free.removeAll(holders.keySet());
      free.removeAll(failed);
      assertThat(queue.take(PAGES)).containsExactlyInAnyOrderElementsOf(free);
    }
    assertThat(troubles).isEmpty();
  }

  /** Takes some pages; indexes some of them again, gives back or reports others, and keeps some. */
  private void crawl(DeltaIndexWriter writer, FetchQueue queue, Random random) throws IOException {
    List<String> batch;
    try {
      batch = queue.take(5);
    } catch (IOException e) {
      assertThat(e).hasRootCauseMessage("worn out");
      refused.incrementAndGet();
      return;
    } finally {
      fails.set(false);
    }
    holdOn(batch);
    List<String> fetched = new ArrayList<>();
    for (String page : batch) {
      switch (random.nextInt(40)) {
        case 0 -> {} // still being fetched
        case 1 -> {
          holders.remove(page);
          failed.add(page);
          queue.failed(page);
        }
        case 2, 3, 4, 5 -> {
          holders.remove(page);
          queue.returned(page);
        }
        default -> {
          holders.remove(page);
          fetched.add(page);
        }
      }
    }
    put(writer, fetched);
  }

  private void holdOn(List<String> batch) {
    for (String page : batch) {
      assertThat(holders.putIfAbsent(page, Thread.currentThread())).as("has %s", page).isNull();
      taken.incrementAndGet();
    }
  }

  /**
   * The page was indexed meanwhile, so that its lease ended, and the other crawler's is its own.
   */
  @Test
  void aTakeThatFailsLeavesAPageToWhoeverWasGivenItMeanwhile() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, List.of("a"));
      FetchQueue queue = writer.fetchQueue(LEASE);
      whenLeased =
          () -> {
            whenLeased = () -> {};
            put(writer, List.of("a"));
            assertThat(queue.take(1)).as("to another").containsExactly("a");
            fails.set(true);
          };
      assertThatThrownBy(() -> queue.take(1)).isInstanceOf(IOException.class);
      fails.set(false);
      assertThat(queue.heldCount()).isOne();
      assertThat(queue.take(1)).isEmpty();
    }
    assertThat(troubles).isEmpty();
  }

  /** The one gives its lease back while the other, which found it leased, is still looking. */
  @Test
  void neitherOfTwoTakesThatFailSideBySideHoldsAPage() throws Exception {
    try (DeltaIndexWriter writer = open()) {
      put(writer, List.of("a", "b"));
      FetchQueue queue = writer.fetchQueue(LEASE);
      queue.discovered("c"); // waits longest, so it is asked about first
      CountDownLatch leased = new CountDownLatch(1);
      CountDownLatch asked = new CountDownLatch(1);
      whenLeased =
          () -> {
            leased.countDown();
            asked.await();
            throw new IOException("worn out");
          };
      FutureTask<List<String>> first = new FutureTask<>(() -> queue.take(1, "a"::equals));
      Thread taker = Thread.ofPlatform().daemon().unstarted(first);
      taker.start();
      leased.await();
      assertThat(queue.heldCount()).isOne();
      assertThatThrownBy(
              () ->
                  queue.take(
                      20,
                      page -> {
                        asked.countDown();
                        while (taker.getState() != Thread.State.BLOCKED && !first.isDone()) {
                          Thread.onSpinWait();
                        }
                        throw new IllegalArgumentException("who knows " + page);
                      }))
          .hasMessage("who knows c");
      assertThatThrownBy(first::get).hasRootCauseMessage("worn out");
      whenLeased = () -> {};
      assertThat(queue.heldCount()).isZero();
      assertThat(queue.take(3)).containsExactlyInAnyOrder("a", "b", "c");
    }
    assertThat(troubles).isEmpty();
  }

  @Test
  void pagesHeldCanBeCountedWhileCrawlersReport() throws Exception {
    AtomicInteger counts = new AtomicInteger();
    try (DeltaIndexWriter writer = open()) {
      put(writer, List.of("a"));
      FetchQueue queue = writer.fetchQueue(LEASE);
      assertThat(queue.heldCount()).as("the first time slowly").isZero();
      FutureTask<Integer> crawler =
          new FutureTask<>(
              () -> {
                int reported = 0;
                while (reported < 50_000 && counts.get() < 100) {
                  queue.failed("x" + reported++);
                }
                return reported;
              });
      Elsewhere.THREADS.execute(crawler);
      int before = 0;
      while (counts.get() < 100) {
        int held = queue.heldCount();
        assertThat(held).isGreaterThanOrEqualTo(before);
        before = held;
        counts.incrementAndGet();
      }
      int reported = crawler.get();
      assertThat(queue.heldCount()).isEqualTo(reported);
    }
    assertThat(troubles).isEmpty();
  }

  private DeltaIndexWriter open() throws IOException {
    DeltaConfig config =
        DeltaConfig.builder(Workload.builder().add(List.of("alpha"), 10).build())
            .keyField("url")
            .scoredField("body")
            .statePath(folder.resolve("state"))
            .stateDirectory(WornOut::new)
            .clock(() -> start.plus(Duration.ofMinutes(minutes.incrementAndGet())))
            .listener(new Troubles(troubles))
            .faults(this::reached)
            .build();
    return new DeltaIndexWriter(index, new IndexWriterConfig(new SimpleAnalyzer()), config);
  }

  private void reached(String point) {
    if (point.equals(FaultPoints.LEASED)) {
      try {
        whenLeased.run();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void put(DeltaIndexWriter writer, List<String> pages) throws IOException {
    for (String page : pages) {
      Document document = new Document();
      document.add(new StringField("url", page, Field.Store.NO));
      document.add(new TextField("body", "alpha of " + page, Field.Store.NO));
      writer.updateDocument(new Term("url", page), document);
    }
    writer.commit();
  }

  /** Creates no file of the queue for a thread whose turn it is to fail. */
  private final class WornOut extends FilterDirectory {
    WornOut(Directory in) {
      super(in);
    }

    @Override
    public IndexOutput createOutput(String name, IOContext context) throws IOException {
      if (name.contains("queue") && fails.get()) {
        throw new IOException("worn out");
      }
      return super.createOutput(name, context);
    }
  }
}
