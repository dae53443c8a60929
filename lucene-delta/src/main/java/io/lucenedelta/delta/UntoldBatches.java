// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The batches that were measured and not told yet: a listener hears of them when they are settled.
 * Guarded by the measurer's lock.
 */
final class UntoldBatches {
  private final DeltaListener listener;
  private final Queue<MeasuredBatch> batches = new ArrayDeque<>();

  UntoldBatches(DeltaListener listener) {
    this.listener = listener;
  }

  void add(MeasuredBatch batch) {
    batches.add(batch);
  }

  /** Tells of each batch once; the listener may ask for more to be settled meanwhile. */
  void tell() {
    for (MeasuredBatch batch = batches.poll(); batch != null; batch = batches.poll()) {
      batch.tell(listener);
    }
  }
}
