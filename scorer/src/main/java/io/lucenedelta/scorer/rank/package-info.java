// SPDX-License-Identifier: Apache-2.0
/**
 * Score to rank and back, for one query: F_q of the 2005 paper, section 5.1.2.
 *
 * <p>Scores of a query's complete result enter once, through {@link
 * io.lucenedelta.scorer.rank.KnotSample}; a {@link io.lucenedelta.scorer.rank.RankTable} keeps 44
 * bytes a query of them; {@link io.lucenedelta.scorer.rank.FollowedRanks} keeps more and follows
 * the shifts of pages; {@link io.lucenedelta.scorer.rank.LogLogRankFunction} is the curve. Ranks
 * are 1-based and real: rank 2.4 lies between the second and the third result. This package imports
 * nothing of its siblings.
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805.
 */
package io.lucenedelta.scorer.rank;
