// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

/**
 * A workload with what became of the counted texts.
 *
 * @param workload the workload
 * @param distinctTexts how many different raw texts were counted
 * @param withoutTerms occurrences whose text has no term (stop words and punctuation only)
 * @param withheldQueries queries left out because too few sessions asked them
 * @param withheldFrequency occurrences of those
 */
public record CountedWorkload(
    Workload workload,
    long distinctTexts,
    double withoutTerms,
    long withheldQueries,
    double withheldFrequency) {}
