// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * The changes of a page that brought its gains.
 *
 * @param count how many, 0 or more
 * @param gain the sum of their gains, 0 or more
 * @param rootGain the sum of the roots of their gains
 * @param relative usefulness of the page as a multiple of the mean, positive
 */
record FoundChanges(int count, double gain, double rootGain, double relative) {
  /** No change: adds nothing to any sum. */
  static final FoundChanges NONE = new FoundChanges(0, 0, 0, 1);
}
