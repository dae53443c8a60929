// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.crawl;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 2, unit = MINUTES)
class ReadAheadTest {
  private static final byte[] SMALL = new byte[10];

  private final List<String> told = new ArrayList<>();
  private final SnapshotTally tally = new SnapshotTally();

  @Test
  void findingsAreHandedOutInTheirOrderHoweverLongTheyTake() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> expected = new ArrayList<>();
    try (ReadAhead ahead = reading(listing())) {
      for (int number = 0; number < 2_000; number++) {
        String name = "page " + number;
        if (random.nextInt(4) == 0) {
          expected.add("failed " + name);
          ahead.add(failure(name));
        } else {
          expected.add(name);
          int spins = random.nextInt(20) == 0 ? 100_000 : random.nextInt(1_000);
          ahead.add(
              SMALL,
              () -> {
                for (int spin = 0; spin < spins; spin++) {
                  Thread.onSpinWait();
                }
                return page(name);
              });
        }
      }
    }
    assertThat(told).describedAs("seed " + seed).isEqualTo(expected);
    assertThat(tally.pages() + tally.leftOut()).as("seed %d", seed).isEqualTo(2_000);
  }

  @Test
  void workIsDoneOnceAndNeverMuchAheadOfWhatIsHandedOut() {
    AtomicInteger done = new AtomicInteger();
    int most = 4 * (ForkJoinPool.getCommonPoolParallelism() + 1);
    int[] handedOut = new int[1];
    SnapshotReader reader =
        page -> {
          handedOut[0]++;
          assertThat(done.get()).isBetween(handedOut[0], handedOut[0] + most);
        };
    try (ReadAhead ahead = reading(reader)) {
      for (int number = 0; number < 1_000; number++) {
        ahead.add(SMALL, counted(done, "page " + number));
        assertThat(number + 1 - handedOut[0]).isLessThanOrEqualTo(most);
      }
    }
    assertThat(done).hasValue(1_000);
    assertThat(handedOut[0]).isEqualTo(1_000);
  }

  @Test
  void whereOtherThreadsAreAtWorkTheReaderWorksOnWhatFollows() throws InterruptedException {
    int others = Math.max(1, ForkJoinPool.getCommonPoolParallelism());
    CountDownLatch begun = new CountDownLatch(others);
    CountDownLatch followed = new CountDownLatch(1);
    try (ReadAhead ahead = reading(listing())) {
      for (int other = 0; other < others; other++) {
        ahead.add(
            SMALL,
            () -> {
              begun.countDown();
              awaitQuietly(followed);
              return page("before");
            });
      }
      begun.await(); // all of them wait for the one that is nobody's yet
      ahead.add(
          SMALL,
          () -> {
            followed.countDown();
            return page("behind");
          });
    }
    assertThat(told).hasSize(others + 1).endsWith("behind");
  }

  @Test
  void ofLargePagesOneIsHeldAtATime() {
    byte[] large = new byte[PageText.LARGEST / 2 + 1];
    try (ReadAhead ahead = reading(listing())) {
      for (int number = 0; number < 5; number++) {
        String name = "page " + number;
        ahead.add(large, () -> page(name));
        assertThat(told).hasSizeGreaterThanOrEqualTo(number);
      }
    }
    assertThat(told).hasSize(5);
  }

  @Test
  void aReaderThatFailsIsToldNoMore() {
    SnapshotReader reader =
        page -> {
          told.add(page.key());
          if (told.size() == 3) {
            throw new IllegalStateException("full");
          }
        };
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> readPages(reader, 100))
        .withMessage("full")
        .satisfies(e -> assertThat(e.getSuppressed()).isEmpty());
    assertThat(told).containsExactly("page 0", "page 1", "page 2");
  }

  @Test
  void whatWorkThrowsIsThrownBehindThePagesBeforeIt() {
    IllegalStateException bad = new IllegalStateException("bad");
    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() -> readAround(bad))
        .isSameAs(bad);
    StackOverflowError deep = new StackOverflowError();
    assertThatExceptionOfType(StackOverflowError.class)
        .isThrownBy(() -> readAround(deep))
        .isSameAs(deep);
    assertThat(told).containsExactly("before", "before");
  }

  private void readAround(Throwable thrown) {
    try (ReadAhead ahead = reading(listing())) {
      ahead.add(SMALL, () -> page("before"));
      ahead.add(SMALL, () -> throwing(thrown));
      ahead.add(SMALL, () -> page("behind"));
    }
  }

  private static Finding throwing(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) thrown;
  }

  @Test
  void whatWasReadBeforeReadingFailsIsHandedOut() {
    assertThatExceptionOfType(CrawlException.class)
        .isThrownBy(
            () -> {
              try (ReadAhead ahead = reading(listing())) {
                ahead.add(SMALL, () -> page("one"));
                ahead.add(failure("two"));
                throw new CrawlException("damaged");
              }
            });
    assertThat(told).containsExactly("one", "failed two");
  }

  @Test
  void pagesArePreparedByOtherThreadsAndHandedOutByTheOneThatReads() {
    Thread reads = Thread.currentThread();
    AtomicInteger prepared = new AtomicInteger();
    AtomicBoolean byOthers = new AtomicBoolean();
    SnapshotReader reader =
        new SnapshotReader() {
          @Override
          public Runnable prepare(CrawledPage page) {
            prepared.incrementAndGet();
            byOthers.compareAndSet(false, Thread.currentThread() != reads);
            return SnapshotReader.super.prepare(page);
          }

          @Override
          public void page(CrawledPage page) {
            assertThat(Thread.currentThread()).isSameAs(reads);
            told.add(page.key());
          }
        };
    boolean areOthers = ForkJoinPool.getCommonPoolParallelism() > 0;
    int pages = 0;
    try (ReadAhead ahead = reading(reader)) {
      // tests that run meanwhile may keep the only other thread for seconds
      while (pages < 500 || (areOthers && !byOthers.get() && pages < 60_000)) {
        String name = "page " + pages++;
        ahead.add(new byte[0], () -> slowPage(name));
      }
    }
    assertThat(told).hasSize(pages);
    assertThat(prepared).hasValue(pages);
    assertThat(byOthers.get()).isEqualTo(areOthers);
  }

  @Test
  void whoIsInterruptedWaitingStopsAndStaysInterrupted() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    ReadAhead ahead = reading(listing());
    ahead.add(
        SMALL,
        () -> {
          begun.countDown();
          awaitQuietly(end);
          return page("slow");
        });
    begun.await();
    try {
      Thread.currentThread().interrupt();
      assertThatExceptionOfType(CrawlException.class)
          .isThrownBy(ahead::close)
          .withMessageContaining("interrupted");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(told).isEmpty();
    } finally {
      end.countDown();
    }
  }

  private void readPages(SnapshotReader reader, int pages) {
    try (ReadAhead ahead = reading(reader)) {
      IntStream.range(0, pages).forEach(n -> ahead.add(SMALL, () -> page("page " + n)));
    }
  }

  private ReadAhead reading(SnapshotReader reader) {
    return new ReadAhead(new SnapshotFilter(reader, PageAddresses.ALL), tally);
  }

  private static Supplier<Finding> counted(AtomicInteger done, String name) {
    return () -> {
      done.incrementAndGet();
      return page(name);
    };
  }

  private SnapshotReader listing() {
    return new SnapshotReader() {
      @Override
      public void page(CrawledPage page) {
        told.add(page.key());
      }

      @Override
      public void failed(String key) {
        told.add("failed " + key);
      }
    };
  }

  private static Finding page(String key) {
    return new Finding.Page(new CrawledPage(key, Instant.EPOCH, "", "text"));
  }

  private static Finding slowPage(String key) {
    long end = System.nanoTime() + 1_000_000;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    return page(key);
  }

  private static Finding failure(String key) {
    return new Finding.NoPage(LeftOut.NOT_TEXT, key, Optional.of(key));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
