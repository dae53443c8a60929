// SPDX-License-Identifier: Apache-2.0
/**
 * Strategies that optimise: rates and budget in, frequencies or whole schedules out.
 *
 * <p>Start at {@link io.lucenedelta.scorer.schedule.Staleness}: how often pages are fetched, by
 * Lagrange multiplier, and when, under a hard budget; then at {@link
 * io.lucenedelta.scorer.schedule.LambdaCrawl}, whose optimum is a formula. The strategies of the
 * literature that need such, or a model of how pages drift, stand beside them; each names its
 * source, idea, formula and the choices its source leaves open. They are {@link
 * io.lucenedelta.scorer.refresh.RefreshPolicy policies}: pure functions, immutable, safe for
 * several threads.
 */
package io.lucenedelta.scorer.schedule;

// Inside: RefreshFrequencies says how often pages are fetched, TransportationSchedule when.
