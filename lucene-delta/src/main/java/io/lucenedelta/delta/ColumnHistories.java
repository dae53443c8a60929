// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/**
 * Histories from columns alone.
 *
 * @param size pages in the index
 */
record ColumnHistories(PageColumns columns, long size) implements RowHistories {}
