// SPDX-License-Identifier: Apache-2.0
/**
 * What a page's change does to the quality users see: the 2005 paper, sections 3 and 5.1.
 *
 * <p>Score shifts enter; quality changes leave. Start at {@link
 * io.lucenedelta.scorer.quality.QualityChange}, the estimate through rank functions: {@link
 * io.lucenedelta.scorer.quality.PassedPages} agrees best with the truth and is the default, {@link
 * io.lucenedelta.scorer.quality.IntegralSum} is its plain form, {@link
 * io.lucenedelta.scorer.quality.PaperSum} the paper's own. {@code over(table)} makes any of them a
 * {@link io.lucenedelta.scorer.quality.ShiftMeter} for a whole workload, which measures one page's
 * {@link io.lucenedelta.scorer.quality.PageShifts} after the other. Where pages score by importance
 * alone, {@link io.lucenedelta.scorer.quality.ImportanceOrder} takes the place of scores.
 *
 * <p>{@link io.lucenedelta.scorer.quality.ExactQuality} is the truth, over complete rankings: what
 * every estimate is tested against, never on the indexing path. How likely users view a rank is
 * {@link io.lucenedelta.scorer.quality.ViewingLikelihood}.
 *
 * <p>Estimates, viewing likelihoods and orders are immutable and safe for several threads; meters
 * are safe but for {@code renew}; {@link io.lucenedelta.scorer.quality.ShiftParts}, {@link
 * io.lucenedelta.scorer.quality.PageShifts}, {@link io.lucenedelta.scorer.quality.ExactShift} and
 * builders belong to one thread. This package knows {@code rank} and nothing else of its siblings.
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805; 2008 is Christopher Olston and Sandeep
 * Pandey, <i>Recrawl Scheduling Based on Information Longevity</i>, WWW 2008,
 * doi:10.1145/1367497.1367557. Q of a repository is the quality of its results (equation 5 of
 * 2005), ΔQ_A an approximation of what one refresh adds to the numerator: the sum over queries of
 * how often each is asked times the scores that users get to see more, or less, since pages have
 * changed their ranks. It is in query frequency × score.
 */
package io.lucenedelta.scorer.quality;
