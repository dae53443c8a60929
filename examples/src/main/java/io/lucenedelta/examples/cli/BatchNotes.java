// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.delta.DeltaListener;
import io.lucenedelta.delta.Trouble;
import java.io.PrintWriter;

/** Remembers the last batch, and passes trouble on. */
final class BatchNotes implements DeltaListener {
  private final PrintWriter err;
  private volatile Progress progress; // null while none is shown
  private int refreshes;
  private double qualityChange;

  BatchNotes(PrintWriter err) {
    this.err = err;
  }

  /** Trouble is told beside a progress from now on, or alone where that is null. */
  void during(Progress shown) {
    progress = shown;
  }

  /** Nothing is told of a batch that cannot be measured. */
  void begin() {
    refreshes = 0;
    qualityChange = 0;
  }

  /** How many refreshes the last batch had; 0 where it was not measured. */
  int refreshes() {
    return refreshes;
  }

  /** The sum of what they were worth. */
  double qualityChange() {
    return qualityChange;
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    Progress.trouble(progress, err, sentence, cause);
  }

  @Override
  public void batchMeasured(long generation, int measured, double sum) {
    refreshes = measured;
    qualityChange = sum;
  }
}
