// SPDX-License-Identifier: Apache-2.0
/**
 * What a page's change does to the quality users see: the 2005 paper, sections 3 and 5.1.
 *
 * <p>Score shifts enter; quality changes leave: estimated through rank functions, or exact over
 * complete rankings. The exact evaluator is the yardstick and never runs on the indexing path.
 */
package io.lucenedelta.scorer.quality;
