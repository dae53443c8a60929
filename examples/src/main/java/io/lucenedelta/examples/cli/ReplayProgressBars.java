// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.examples.crawl.SnapshotTally;
import io.lucenedelta.examples.replay.ReplayProgress;
import java.io.PrintWriter;

/** Shows a replay's tasks one after the other. */
final class ReplayProgressBars implements ReplayProgress, AutoCloseable {
  private final PrintWriter err;
  private Progress current;

  ReplayProgressBars(PrintWriter err) {
    this.err = err;
  }

  @Override
  public synchronized void begin(String task, long steps) {
    close();
    current = Progress.start(task, steps, err);
  }

  @Override
  public synchronized void step() {
    current.step();
  }

  @Override
  public synchronized void within(long parts, String unit) {
    current.within(parts, unit);
  }

  @Override
  public synchronized void read(SnapshotTally tally) {
    close();
    CrawlNotes.leftOut(tally, err);
  }

  @Override
  public synchronized void close() {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
