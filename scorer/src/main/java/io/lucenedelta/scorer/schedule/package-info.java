// SPDX-License-Identifier: Apache-2.0
/**
 * Strategies that optimise: rates and budget in, frequencies or whole schedules out.
 *
 * <p>Start at {@code RefreshFrequencies}, which says how often pages are fetched, by Lagrange
 * multiplier, then at {@code TransportationSchedule}, which says when, under a hard budget. The
 * strategies of the literature that need them, or a model of how pages drift, stand beside them;
 * each names its source, idea, formula and the choices its source leaves open. They are {@link
 * io.lucenedelta.scorer.refresh.RefreshPolicy policies}: pure functions, immutable, safe for
 * several threads.
 */
package io.lucenedelta.scorer.schedule;
