// SPDX-License-Identifier: Apache-2.0
/**
 * What a page's change does to the quality users see: the 2005 paper, sections 3 and 5.1.
 *
 * <p>Score shifts enter; quality changes leave. Start at {@link
 * io.lucenedelta.scorer.quality.QualityChange}, the estimate through rank functions: {@link
 * io.lucenedelta.scorer.quality.Integral} is the form that agrees best with the truth, {@link
 * io.lucenedelta.scorer.quality.PaperSum} the paper's own; {@code over(table)} makes either a
 * {@link io.lucenedelta.scorer.quality.ShiftMeter} for a whole workload. {@link
 * io.lucenedelta.scorer.quality.ExactQuality} is the truth, over complete rankings: it is the
 * yardstick and never runs on the indexing path.
 *
 * <p>Everything here is immutable and may be shared between threads. This package knows {@code
 * rank} and nothing else of its siblings.
 */
package io.lucenedelta.scorer.quality;
