// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import java.util.Set;

/**
 * The batch that a commit closed, as far as it is known when pages are read from that commit.
 *
 * @param generation that the commit names
 * @param incomplete why the batch is incomplete, null when it is not known to be
 * @param alike whether it was measured with the workload and fields of now
 * @param gone its segments known to be neither in the commit nor merged into one of it: a document
 *     that looks like one of theirs is another
 * @param foreign whether the commit closed no batch, for it is of another writer, say: what it
 *     changed is recorded nowhere
 */
record ClosedBatch(
    long generation, String incomplete, boolean alike, Set<String> gone, boolean foreign) {}
