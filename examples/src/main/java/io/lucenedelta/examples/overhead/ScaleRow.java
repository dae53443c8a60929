// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.Map;

/**
 * What measuring an update batch costs at one size of store, index and workload.
 *
 * @param series what varies from row to row: {@code pages}, {@code segments} or {@code terms}
 * @param pages pages in the store
 * @param segments segments of the index before the counted batches
 * @param terms terms of the workload
 * @param termsAPage different terms of the workload on a page, in the mean
 * @param batchPages pages of an update batch, each with a wholly different text
 * @param microsByStep CPU a page of the batch, by step, median over the counted batches; without
 *     rank functions, which these batches are too small to call for
 * @param rankMicros CPU of building all rank functions, and of finding how useful pages are, per
 *     page in the store
 * @param bytesAPage bytes outside the heap a page
 */
public record ScaleRow(
    String series,
    long pages,
    int segments,
    int terms,
    double termsAPage,
    int batchPages,
    Map<String, Double> microsByStep,
    double rankMicros,
    double bytesAPage) {

  /** CPU a page of the batch, all steps. */
  public double micros() {
    return microsByStep.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
