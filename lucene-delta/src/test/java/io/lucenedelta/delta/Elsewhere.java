// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Does something in another thread, which holds no lock of this one, and waits until it is done.
 */
@FunctionalInterface
interface Elsewhere {
  void run() throws Exception;

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
              })
          .orTimeout(30, TimeUnit.SECONDS)
          .join();
    }
  }
}
