// SPDX-License-Identifier: Apache-2.0
/**
 * What users ask and how often.
 *
 * <p>Text of queries enters, with how often each was asked; a {@link
 * io.lucenedelta.workload.Workload} leaves: immutable, in a stable order, over terms that were
 * analysed the way the pages are. Start at {@code Workload}. Log formats live in the {@code log}
 * package; nothing here knows Lucene: a {@link io.lucenedelta.workload.QueryNormalizer} turns text
 * into terms.
 *
 * <p>Workloads are immutable and may be shared between threads; builders may not.
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805.
 */
package io.lucenedelta.workload;
