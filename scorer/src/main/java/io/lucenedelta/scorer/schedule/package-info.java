// SPDX-License-Identifier: Apache-2.0
/**
 * Strategies that optimise: rates and budget in, frequencies or whole schedules out; and the queue
 * that hands out the pages of any strategy.
 *
 * <p>Start at {@link io.lucenedelta.scorer.schedule.RefreshQueue}, which has leases and failures
 * and is safe for several threads. {@code RefreshFrequencies} says how often pages are fetched, by
 * Lagrange multiplier, and {@code TransportationSchedule} when, under a hard budget. The strategies
 * of the literature that need them, or a model of how pages drift, stand beside them; each names
 * its source, idea, formula and the choices its source leaves open. They are {@link
 * io.lucenedelta.scorer.refresh.RefreshPolicy policies}: pure functions, immutable, safe for
 * several threads.
 */
package io.lucenedelta.scorer.schedule;
