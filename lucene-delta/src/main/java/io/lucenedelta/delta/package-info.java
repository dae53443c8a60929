// SPDX-License-Identifier: Apache-2.0
/**
 * Lucene in, quality changes out: an index writer that measures what each refresh of a page did to
 * the results users look at.
 *
 * <p>Start at {@link io.lucenedelta.delta.DeltaIndexWriter}, made with a {@link
 * io.lucenedelta.delta.DeltaConfig}; {@link io.lucenedelta.delta.AnalyzedQueries} turns query texts
 * into the index's terms. Documents enter; the order in which to fetch pages leaves: as a list, or
 * through a {@link io.lucenedelta.delta.FetchQueue} that crawlers share. {@link
 * io.lucenedelta.delta.DeltaState} reads what was measured without a writer, {@link
 * io.lucenedelta.delta.PageExplanation} says why a page counts; {@link
 * io.lucenedelta.delta.DeltaListener} and {@link io.lucenedelta.delta.DeltaStatus} tell what could
 * not be measured.
 *
 * <p><b>The measure.</b> 2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston,
 * <i>User-Centric Web Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805. ΔQ_A, the <em>quality
 * change</em> of a refresh, is what users gained because the page was fetched again, as estimated
 * there (section 5.1): the sum over queries of how often each is asked times the scores that users
 * get to see more, or less, since pages have changed their ranks, each weighed by how likely users
 * look at its rank. It is in query frequency × score. δQ_A is the mean over a page's measured
 * refreshes of that by days since the fetch before; f_q is how often a query is asked, F_q its
 * <em>rank function</em>, which says what rank a score has in its result.
 *
 * <p>Files named {@code docs/…} lie in the project's sources.
 *
 * <p>Nothing here computes ranks or quality: that is {@code io.lucenedelta.scorer}'s.
 */
package io.lucenedelta.delta;

// Inside, the way of the data: CaptureCodec lets SegmentNotes take notes while a flush writes
// postings; Capture keeps the flushed segments' page vectors; at a commit Measurer has
// BatchMeasuring measure a Batch: CandidateWriter has MeasuringThreads share it, PageMeasure
// compares old vectors with new ones, and the outcome is written down before the commit; after
// it CommitSettling has Settlement find which captured copies are live, and PageStore take them
// over. Reconciliation rebuilds the store from the index whenever something does not add up, or
// the store cannot be taken over. File formats are in the classes that write them.
//
// One package, so that all but its doors stays package-private; the rooms inside it, and which may
// know which, are the table "Rooms of delta" in ARCHITECTURE.md.
