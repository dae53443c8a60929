// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * Fetch times, in milliseconds, of documents that tell none.
 *
 * @param now of those that came with the batch
 * @param firstSeen of those that were in the index before anything was measured: nobody knows how
 *     long before they were fetched
 */
record UndatedTimes(long now, long firstSeen) {}
