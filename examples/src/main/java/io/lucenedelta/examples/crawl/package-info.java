// SPDX-License-Identifier: Apache-2.0
/**
 * Recorded crawls: bytes on disk in, pages with a title and readable text out, one snapshot after
 * the other.
 *
 * <p>Start at {@link io.lucenedelta.examples.crawl.SnapshotArchive}. {@link
 * io.lucenedelta.examples.crawl.PageAnalysis} is the only place that says how a page becomes terms
 * and which fields it has in an index. Nothing here knows of strategies, measurement or queries'
 * results.
 */
package io.lucenedelta.examples.crawl;
