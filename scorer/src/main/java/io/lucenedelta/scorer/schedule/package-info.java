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
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805; 2008 is Christopher Olston and Sandeep
 * Pandey, <i>Recrawl Scheduling Based on Information Longevity</i>, WWW 2008,
 * doi:10.1145/1367497.1367557; the survey is Chen Lijun and Lin Huaizhong, <i>Survey of
 * Page-Refreshing Strategies of Search Engine</i> (in Chinese).
 */
package io.lucenedelta.scorer.schedule;

// Inside: RefreshFrequencies says how often pages are fetched, TransportationSchedule when.
