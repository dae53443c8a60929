// SPDX-License-Identifier: Apache-2.0
/**
 * How much a page's text changed, whatever anybody asks (Olston and Pandey 2008).
 *
 * <p>Hashes of words enter; divergences in [0, 1], curves and utilities leave. Start at {@link
 * io.lucenedelta.scorer.divergence.Fragments} for two versions of a page, at {@link
 * io.lucenedelta.scorer.divergence.DivergenceCurve} for divergence over time. This package imports
 * nothing of its siblings and knows no pages, only contents and times. Everything is immutable.
 *
 * <p>2008 is Christopher Olston and Sandeep Pandey, <i>Recrawl Scheduling Based on Information
 * Longevity</i>, WWW 2008, doi:10.1145/1367497.1367557.
 */
package io.lucenedelta.scorer.divergence;
