// SPDX-License-Identifier: Apache-2.0
/**
 * How much a page's text changed, whatever anybody asks (Olston and Pandey 2008).
 *
 * <p>Hashes of words enter; divergences in [0, 1], curves and utilities leave. Start at {@link
 * io.lucenedelta.scorer.divergence.Fragments} for two versions of a page, at {@link
 * io.lucenedelta.scorer.divergence.DivergenceCurve} for divergence over time. This package imports
 * nothing of its siblings and knows no pages, only contents and times. Everything is immutable.
 */
package io.lucenedelta.scorer.divergence;
