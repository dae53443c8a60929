// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The batches that were measured and not told yet: a listener hears of them when they are settled.
 * Guarded by the measurer's lock.
 */
final class MeasuredBatches {
  private final DeltaListener listener;
  private final Queue<MeasuredBatch> untold = new ArrayDeque<>();

  MeasuredBatches(DeltaListener listener) {
    this.listener = listener;
  }

  void add(MeasuredBatch batch) {
    untold.add(batch);
  }

  /** Tells of each batch once; the listener may ask for more to be settled meanwhile. */
  void tell() {
    for (MeasuredBatch batch = untold.poll(); batch != null; batch = untold.poll()) {
      batch.tell(listener);
    }
  }
}
