// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * What is told of a batch, when it has been settled and not before: a listener may ask in turn.
 *
 * @param generation the batch's number
 * @param refreshes those recorded
 * @param qualityChange the sum of their ΔQ_A
 */
record MeasuredBatch(long generation, int refreshes, double qualityChange) {
  void tell(DeltaListener listener) {
    listener.batchMeasured(generation, refreshes, qualityChange);
  }
}
