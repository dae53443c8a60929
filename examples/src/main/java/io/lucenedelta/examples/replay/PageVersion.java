// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

/**
 * What a replay keeps of one version of a page's contents, its fragments aside: the corpus keeps
 * those of all versions of a page together.
 *
 * @param terms workload terms in the text, and how often each occurs
 * @param length tokens of the text
 * @param stacked tokens at the position of the token before, which Lucene leaves out of lengths
 * @param distinct distinct terms of the text, of the workload or not
 * @param highest frequency of the text's most frequent term
 * @param fingerprint of title and text: equal contents have equal fingerprints
 */
record PageVersion(
    PackedTerms terms, int length, int stacked, int distinct, int highest, long fingerprint) {}
