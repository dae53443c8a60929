// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.overhead;

/**
 * A way to learn what a page's change did to the results.
 *
 * @param name the way, for people to read
 * @param pages pages of the batch
 * @param cpuMicrosPerPage CPU per page of the batch, indexing included
 * @param ratioToPlain that, over plain indexing in the same run
 */
public record Alternative(String name, int pages, double cpuMicrosPerPage, double ratioToPlain) {}
