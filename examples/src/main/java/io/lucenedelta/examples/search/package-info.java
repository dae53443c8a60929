// SPDX-License-Identifier: Apache-2.0
/**
 * A small search application over a measured index: results for people, and beside each why its
 * page is due to be fetched again.
 *
 * <p>Start at {@link io.lucenedelta.examples.search.SearchApp}. It only reads, so it can run while
 * another process indexes. Everything from the index or the browser is text and is escaped.
 */
package io.lucenedelta.examples.search;
