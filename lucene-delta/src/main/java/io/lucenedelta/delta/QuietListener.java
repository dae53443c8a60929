// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/** Passes everything on and ignores what the application's listener throws. */
final class QuietListener implements DeltaListener {
  private final DeltaListener in;

  QuietListener(DeltaListener in) {
    this.in = in;
  }

  @Override
  public void batchMeasured(long generation, int refreshes, double qualityChange) {
    quietly(() -> in.batchMeasured(generation, refreshes, qualityChange));
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    quietly(() -> in.trouble(kind, sentence, cause));
  }

  @Override
  public void progress(String task, long done, long total) {
    quietly(() -> in.progress(task, done, total));
  }

  private static void quietly(Runnable call) {
    try {
      call.run();
    } catch (Throwable ignored) {
      // a listener's failure must reach neither the commit nor the measurements
    }
  }
}
