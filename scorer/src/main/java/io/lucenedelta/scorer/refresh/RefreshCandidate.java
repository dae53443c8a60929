// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.refresh;

/**
 * A page that should be fetched.
 *
 * @param page the page's key
 * @param priority how urgent, in the strategy's own unit; only the order matters
 */
public record RefreshCandidate(String page, double priority) {}
