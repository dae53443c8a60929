// SPDX-License-Identifier: Apache-2.0
/**
 * Which queries of a broad log concern a collection of pages (2005 paper, section 6).
 *
 * <p>A number a query enters: the sum of the query's scores over all pages, computed by whoever has
 * the index. A {@link io.lucenedelta.workload.relevance.RelevanceCut} leaves: the threshold at the
 * knee of the numbers' distribution, and how stable it is. Nothing here knows pages or scores.
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805.
 */
package io.lucenedelta.workload.relevance;
