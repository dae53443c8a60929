// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

import java.util.Locale;

/**
 * A way to learn what a page's change did to the results.
 *
 * @param way its name, the same in every run, for people to read
 * @param pages pages of the batch
 * @param sample those that were looked at; null where all were
 * @param cpuMicrosPerPage CPU per page of the batch, indexing included
 * @param ratioToPlain that, over plain indexing in the same run
 */
public record Alternative(
    String way, int pages, Sample sample, double cpuMicrosPerPage, double ratioToPlain) {
  /**
   * Pages of the batch that must do for all.
   *
   * @param pages how many
   * @param changed how many of them had changed
   */
  public record Sample(int pages, int changed) {}

  /** The way, and of how many pages it was measured if not of all. */
  String described() {
    return sample == null
        ? way
        : String.format(
            Locale.ENGLISH,
            "%s (%d changed of %d pages sampled)",
            way,
            sample.changed(),
            sample.pages());
  }
}
