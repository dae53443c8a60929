// SPDX-License-Identifier: Apache-2.0
/**
 * Histories of refreshes in, an order of pages to refresh out: strategies of the literature as pure
 * functions.
 *
 * <p>Start at {@link io.lucenedelta.scorer.refresh.RefreshPolicy}: it gets what is known of the
 * pages and a {@link io.lucenedelta.scorer.refresh.RefreshBudget}, and makes a {@link
 * io.lucenedelta.scorer.refresh.RefreshPlan}, which answers for one period with {@linkplain
 * io.lucenedelta.scorer.refresh.RefreshCandidate pages and their priorities}.
 *
 * <p><b>The contract</b>, what a strategy gets and hands back. {@link
 * io.lucenedelta.scorer.refresh.KnownPages} goes through what is known, one {@code KnownPage} after
 * the other: its sums ({@code PageHistory}), its visits one by one ({@code Visits}), its measured
 * refreshes ({@code MeasuredRefreshes}, weighed by {@code Recency}), and what is known beside them
 * ({@code PageFacts}; {@code PublishedChanges} where the site tells of changes), which it may have
 * recorded itself or in hindsight ({@code Knowledge}). Storage owns histories: it implements {@code
 * PageHistories}. {@code TopPages} keeps the best of any number of pages, most plans by a {@code
 * Priority}; {@code ChangeRate} estimates how often a page changes, for the optimisers in {@code
 * schedule} too.
 *
 * <p><b>User-utility</b>, the strategy to leave on: {@link
 * io.lucenedelta.scorer.refresh.UserUtility} goes by what is learned of all pages, as {@code
 * GainParameters} say: it starts from what one page's record says and shrinks it towards what
 * others let expect, those of its site and of its directories ({@code DirectoryPath}). {@code
 * WordFactor} says what words promise of pages never fetched. {@code LearnedGains} keeps all this
 * up to date page by page for storage. {@code LongestWaiting} sets places aside for pages whose
 * utility does not grow.
 *
 * <p><b>Small strategies</b>, a class each: {@link io.lucenedelta.scorer.refresh.UserCentric} is
 * that of the 2005 paper; {@code Uniform} takes turns; {@code AdaptiveInterval} is the shape of
 * Nutch's; {@code SiteMetadata} and {@code ContentProvider} go by what sites tell. {@code
 * NeverRefresh} and {@code Clairvoyant}, which has {@code Foresight}, are the lower and the upper
 * reference. Those that optimise frequencies or schedules are in {@code schedule}; {@code queue}
 * hands out the pages of any.
 *
 * <p>No strategy keeps state of its own; policies and plans are immutable and safe for several
 * threads.
 *
 * <p>2005, or the 2005 paper, is Sandeep Pandey and Christopher Olston, <i>User-Centric Web
 * Crawling</i>, WWW 2005, doi:10.1145/1060745.1060805; 2008 is Christopher Olston and Sandeep
 * Pandey, <i>Recrawl Scheduling Based on Information Longevity</i>, WWW 2008,
 * doi:10.1145/1367497.1367557; the survey is Chen Lijun and Lin Huaizhong, <i>Survey of
 * Page-Refreshing Strategies of Search Engine</i> (in Chinese).
 */
package io.lucenedelta.scorer.refresh;

// Inside: UserUtility makes a UserUtilityPlan of what GainModel has learned of all pages. The model
// starts from RecordedChanges; factors of sites and Directories, each a DirectoryPath or the
// HashedPath of a key, and the UsefulnessWeight are what others let expect; the RateSpread says how
// far to go by it. RoundLength tells how long pages wait for their turn. LearnedGains sums in
// StableSums, which do not show the order of
// pages. AddressFacts is what is known where no more than the address is public. Uniform takes
// Rounds where their order is drawn.
