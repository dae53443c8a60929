// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.List;

/** Writes down the batches that are told as measured; troubles are another listener's. */
record ToldBatches(List<Long> generations, DeltaListener troubled) implements DeltaListener {
  @Override
  public void batchMeasured(long generation, int refreshes, double qualityChange) {
    generations.add(generation);
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    troubled.trouble(kind, sentence, cause);
  }
}
