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
 * <p>The way of the data: {@code CaptureCodec} lets {@code SegmentNotes} take notes while a flush
 * writes postings; {@code Capture} keeps the flushed segments' page vectors; at a commit {@code
 * Measurer} closes a {@code Batch}: {@code CandidateWriter} has {@code MeasuringThreads} share it,
 * {@code PageMeasure} compares old vectors with new ones, and the outcome is written down before
 * the commit, {@code Settlement} finds after it which captured copies are live, and {@code
 * PageStore} takes them over. {@code Reconciliation} rebuilds the store from the index whenever
 * something does not add up. File formats are in the classes that write them.
 *
 * <p>One package, so that all but its doors stays package-private; the rooms inside it, and which
 * may know which, are the table <em>Rooms of delta</em> in {@code ARCHITECTURE.md}.
 *
 * <p>Nothing here computes ranks or quality: that is {@code io.lucenedelta.scorer}'s.
 */
package io.lucenedelta.delta;
