// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Fragments;

/**
 * What a replay keeps of one version of a page's contents.
 *
 * @param terms workload terms in the text, ascending term numbers
 * @param frequencies how often each occurs, parallel to {@code terms}
 * @param length tokens of the text
 * @param stacked tokens at the position of the token before, which Lucene leaves out of lengths
 * @param distinct distinct terms of the text, of the workload or not
 * @param highest frequency of the text's most frequent term
 * @param fragments F(P), what divergence is measured on
 * @param fingerprint of title and text: equal contents have equal fingerprints
 */
record PageVersion(
    int[] terms,
    int[] frequencies,
    int length,
    int stacked,
    int distinct,
    int highest,
    Fragments fragments,
    long fingerprint) {}
