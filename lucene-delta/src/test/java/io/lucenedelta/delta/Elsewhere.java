// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * Does something in another thread, which holds no lock of this one, and waits until it is done.
 */
@FunctionalInterface
interface Elsewhere {
  void run() throws Exception;

  /**
   * A thread of its own for each step. Of the common pool two processors have one thread, and while
   * a test of another class keeps it busy no step of this one begins.
   */
  Executor THREADS = step -> Thread.ofPlatform().daemon().start(step);

  /** Does a step; null is none. */
  static void take(Elsewhere step) {
    if (step != null) {
      CompletableFuture.runAsync(
              () -> {
                try {
                  step.run();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              },
              THREADS)
          .orTimeout(30, TimeUnit.SECONDS)
          .join();
    }
  }
}
