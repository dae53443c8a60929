// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * Passes everything on and ignores what the application's listener throws.
 *
 * <p>What fails in a commit ends here, also where memory lacks for a class or an object: so there
 * is no lambda, which would need both, and outside of what is caught.
 */
final class QuietListener implements DeltaListener {
  private final DeltaListener in;

  QuietListener(DeltaListener in) {
    this.in = in;
  }

  @Override
  public void batchMeasured(long generation, int refreshes, double qualityChange) {
    try {
      in.batchMeasured(generation, refreshes, qualityChange);
    } catch (Throwable ignored) {
      // a listener's failure must reach neither the commit nor the measurements
    }
  }

  @Override
  public void trouble(Trouble kind, String sentence, Throwable cause) {
    try {
      in.trouble(kind, sentence, cause);
    } catch (Throwable ignored) {
      // as above
    }
  }

  @Override
  public void progress(String task, long done, long total) {
    try {
      in.progress(task, done, total);
    } catch (Throwable ignored) {
      // as above
    }
  }
}
