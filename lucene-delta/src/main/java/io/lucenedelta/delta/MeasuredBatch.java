// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Collection;

/**
 * What is told of a batch, when it has been settled and not before: a listener may ask in turn.
 *
 * @param generation the batch's number
 * @param refreshes those recorded
 * @param change the sum of their ΔQ_A
 */
record MeasuredBatch(long generation, int refreshes, double change) {
  static MeasuredBatch of(long generation, Collection<Refresh> refreshes) {
    double sum = 0;
    for (Refresh refresh : refreshes) {
      sum += refresh.change();
    }
    return new MeasuredBatch(generation, refreshes.size(), sum);
  }

  void tell(DeltaListener listener) {
    listener.batchMeasured(generation, refreshes, change);
  }
}
