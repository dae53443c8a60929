// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.examples.crawl.SnapshotTally;

/** Hears how far a replay is. Steps come from several threads. */
public interface ReplayProgress {
  /** Tells nobody. */
  ReplayProgress NONE =
      new ReplayProgress() {
        @Override
        public void begin(String task, long steps) {}

        @Override
        public void step() {}
      };

  /**
   * A task begins; the one before has ended.
   *
   * @param task what is done, for people to read
   * @param steps number of steps, at least 1
   */
  void begin(String task, long steps);

  /** A step of the current task is done. */
  void step();

  /**
   * How far the step under way is, which may take long.
   *
   * @param parts of it that are done
   * @param unit what they are, for people to read
   */
  default void within(long parts, String unit) {}

  /**
   * The crawl was read.
   *
   * @param tally what became of its records
   */
  default void read(SnapshotTally tally) {}
}
