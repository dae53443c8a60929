// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import io.lucenedelta.delta.DeltaStatus;
import java.util.List;
import java.util.Locale;

/** Batches of a run that could not be measured whole, which would seem to cost little. */
final class UnmeasuredBatches {
  private long batches;
  private String why;

  /** How measuring stood when an index was done. */
  void add(DeltaStatus status) {
    if (status.batchesIncomplete() > 0) {
      batches += status.batchesIncomplete();
      why = status.lastIncomplete();
    }
  }

  /** What is to be known of the figures, a clause without a full stop; none where all is well. */
  List<String> notes() {
    return batches == 0
        ? List.of()
        : List.of(
            String.format(
                Locale.ENGLISH,
                "%,d of the batches could not be measured whole, so these are not the figures of"
                    + " measuring; the last because %s",
                batches,
                why));
  }
}
