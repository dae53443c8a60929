// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

/**
 * One refresh, with what the product would have estimated and what really happened.
 *
 * @param week the week of the refresh
 * @param page the page's key
 * @param intervalDays days since the refresh before
 * @param deltaQa ΔQ_A, the estimate
 * @param deltaQExact the numerator of equation 6 at that moment
 */
public record Measurement(
    int week, String page, double intervalDays, double deltaQa, double deltaQExact) {}
