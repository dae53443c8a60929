// SPDX-License-Identifier: Apache-2.0
/**
 * Replays an archive of past crawls offline: how good would the results have stayed with this
 * strategy and that many refreshes a week?
 *
 * <p>A crawl and a workload enter; {@link io.lucenedelta.examples.replay.ReplayResult} leaves, and
 * tables. Start at {@link io.lucenedelta.examples.replay.Replay}. Inside: a {@code ReplayCorpus}
 * holds every version of every page; {@code Matches} knows which version matches which query with
 * which score; a {@code World} holds what all runs share; a {@code Run} takes one strategy and one
 * budget through the weeks over a {@code Repository}, whose rankings and exact quality it keeps up
 * to date incrementally. Strategies see {@code RunPages} alone, but for references such as {@code
 * Clairvoyant}, which get a {@code Foresight}. New strategies are entered in {@code Strategies}.
 *
 * <p>Runs are independent and single-threaded; everything shared between them is immutable.
 */
package io.lucenedelta.examples.replay;
