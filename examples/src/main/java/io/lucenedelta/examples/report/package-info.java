// SPDX-License-Identifier: Apache-2.0
/**
 * Numbers in, files for people and machines out: tables of tab-separated values and one
 * self-contained HTML page with figures.
 *
 * <p>Start at {@link io.lucenedelta.examples.report.HtmlReport} and {@link
 * io.lucenedelta.examples.report.TsvFile}. All that is computed here is what a figure itself says
 * of its points, such as their correlation. Whatever comes from data (addresses, queries, titles)
 * is text: it is escaped where it is written.
 */
package io.lucenedelta.examples.report;
