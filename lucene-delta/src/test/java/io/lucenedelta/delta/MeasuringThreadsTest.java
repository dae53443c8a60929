// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads share work, all of them are waited for, and none is missed that cannot be had. */
@Timeout(60)
class MeasuringThreadsTest {
  @Test
  void everyThreadThatIsCalledSharesAndTheCallingOneIsNumberZero() throws IOException {
    try (MeasuringThreads threads = new MeasuringThreads(4, 1)) {
      for (int round = 0; round < 20; round++) {
        CountDownLatch all = new CountDownLatch(3);
        Set<Integer> numbers = ConcurrentHashMap.newKeySet();
        Thread caller = Thread.currentThread();
        threads.run(
            3,
            thread -> {
              assertThat(Thread.currentThread().equals(caller)).isEqualTo(thread == 0);
              numbers.add(thread);
              all.countDown();
              await(all); // so they run at once
            });
        assertThat(numbers).containsExactlyInAnyOrder(0, 1, 2);
      }
    }
  }

  @Test
  void smallBatchesCallFewer() {
    try (MeasuringThreads threads = new MeasuringThreads(4, 100)) {
      assertThat(threads.useful(0)).isEqualTo(1);
      assertThat(threads.useful(399)).isEqualTo(1);
      assertThat(threads.useful(400)).isEqualTo(2);
      assertThat(threads.useful(Integer.MAX_VALUE)).isEqualTo(4);
    }
  }

  @Test
  void whatOneThrowsIsThrownWhenTheOthersHaveDone() throws IOException {
    for (int thrower = 0; thrower < 3; thrower++) {
      int failing = thrower;
      AtomicInteger done = new AtomicInteger();
      CountDownLatch all = new CountDownLatch(3);
      try (MeasuringThreads threads = new MeasuringThreads(3, 1)) {
        assertThatThrownBy(
                () ->
                    threads.run(
                        3,
                        thread -> {
                          all.countDown();
                          await(all);
                          if (thread == failing) {
                            throw new IOException("thread " + thread);
                          }
                          sleep(); // or the first to fail would be the last to end
                          done.incrementAndGet();
                        }))
            .isExactlyInstanceOf(IOException.class)
            .hasMessage("thread " + failing);
        assertThat(done).hasValue(2);
      }
    }
  }

  @Test
  void errorsComeThroughAndFurtherOnesAreSuppressed() {
    try (MeasuringThreads threads = new MeasuringThreads(2, 1)) {
      CountDownLatch both = new CountDownLatch(2);
      assertThatThrownBy(
              () ->
                  threads.run(
                      2,
                      thread -> {
                        both.countDown();
                        await(both);
                        if (thread == 0) {
                          throw new IllegalStateException("the calling one");
                        }
                        throw new OutOfMemoryError("the other one");
                      }))
          .isExactlyInstanceOf(IllegalStateException.class)
          .satisfies(
              t ->
                  assertThat(t.getSuppressed())
                      .singleElement()
                      .isExactlyInstanceOf(OutOfMemoryError.class));
    }
  }

  @Test
  void theSameExceptionOfTwoThreadsAndOneThatExecutorsWrapOthersInComeThrough() {
    RuntimeException kept = new IllegalStateException("thrown by both");
    RuntimeException wrapper = new CompletionException("without a cause", null);
    try (MeasuringThreads threads = new MeasuringThreads(2, 1)) {
      assertThatThrownBy(() -> threads.run(2, thrown(kept, kept))).isSameAs(kept);
      assertThatThrownBy(() -> threads.run(2, thrown(null, wrapper))).isSameAs(wrapper);
      assertThatThrownBy(() -> threads.run(2, thrown(kept, wrapper))).isSameAs(kept);
      assertThat(kept.getSuppressed()).containsExactly(wrapper);
    }
  }

  /** Looking at it fails, as suppressing an exception does where memory has run out. */
  private static final class Unbearable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean equals(Object other) {
      throw new OutOfMemoryError("looking at a failure");
    }

    @Override
    public int hashCode() {
      return 1;
    }
  }

  @Test
  void allAreWaitedForThoughTheirFailuresCannotBePutTogether() {
    AtomicInteger done = new AtomicInteger();
    AtomicInteger doneThen = new AtomicInteger();
    CountDownLatch all = new CountDownLatch(3);
    try (MeasuringThreads threads = new MeasuringThreads(3, 1)) {
      assertThatThrownBy(
              () -> {
                try {
                  threads.run(
                      3,
                      thread -> {
                        all.countDown();
                        await(all);
                        if (thread == 1) {
                          throw new Unbearable();
                        }
                        if (thread == 2) {
                          sleep(); // the one before it has failed meanwhile
                        }
                        done.incrementAndGet();
                      });
                } finally {
                  doneThen.set(done.get());
                }
              })
          .isExactlyInstanceOf(OutOfMemoryError.class)
          .hasMessage("looking at a failure");
    }
    assertThat(doneThen).hasValue(2);
  }

  private static MeasuringThreads.Work thrown(RuntimeException byCaller, RuntimeException byOther) {
    CountDownLatch both = new CountDownLatch(2);
    return thread -> {
      both.countDown();
      await(both);
      RuntimeException failure = thread == 0 ? byCaller : byOther;
      if (failure != null) {
        throw failure;
      }
    };
  }

  @Test
  void anInterruptIsKeptAndEndsNothing() throws IOException {
    try (MeasuringThreads threads = new MeasuringThreads(2, 1)) {
      AtomicInteger done = new AtomicInteger();
      Thread.currentThread().interrupt();
      threads.run(
          2,
          thread -> {
            if (thread > 0) {
              sleep();
            }
            done.incrementAndGet();
          });
      assertThat(Thread.interrupted()).isTrue();
      assertThat(done).hasValue(2);
    }
  }

  @Test
  void withoutOtherThreadsTheCallingOneDoesAll() throws IOException {
    MeasuringThreads threads = new MeasuringThreads(4, 1);
    threads.close();
    AtomicInteger left = new AtomicInteger(10);
    threads.run(
        4,
        thread -> {
          while (left.get() > 0) {
            assertThat(thread).isZero();
            left.decrementAndGet();
          }
        });
    assertThat(left).hasValue(0);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void sleep() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
