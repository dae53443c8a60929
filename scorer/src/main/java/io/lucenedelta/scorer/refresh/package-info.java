// SPDX-License-Identifier: Apache-2.0
/**
 * Histories of refreshes in, an order of pages to refresh out: strategies of the literature as pure
 * functions.
 *
 * <p>Start at {@code RefreshPolicy}. Histories are data that storage owns; no strategy keeps state
 * of its own.
 */
package io.lucenedelta.scorer.refresh;
