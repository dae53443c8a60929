// SPDX-License-Identifier: Apache-2.0
/**
 * What measuring costs: the same batches of pages go through Lucene's own writer and through ours,
 * in turns, and the difference is set beside the noise of two runs of the same writer.
 *
 * <p>Start at {@link io.lucenedelta.examples.overhead.OverheadProbe}. Times are medians with
 * quartiles, of fewer than five repeats with the least and the most; CPU that is too small to see
 * in the difference is counted directly, step by step.
 */
package io.lucenedelta.examples.overhead;
