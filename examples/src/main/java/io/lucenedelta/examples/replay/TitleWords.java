// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.refresh.KnownPage;
import io.lucenedelta.scorer.refresh.KnownPages;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.WordFactor;
import java.time.Instant;

/**
 * Titles of pages in the part of the words that links to a page give before it is fetched: what
 * they promise, as learned each week from the pages fetched so far. Not safe for use by several
 * threads.
 */
final class TitleWords {
  private final ReplayCorpus corpus;
  private final double[] evidence; // by page, negative where there is no title
  private WordFactor factor = new WordFactor();

  TitleWords(ReplayCorpus corpus, GainTable gains) {
    this.corpus = corpus;
    this.evidence = new double[corpus.pageCount()];
    for (int page = 0; page < evidence.length; page++) {
      int[] title = corpus.titleTerms(page);
      evidence[page] = title == null ? -1 : gains.evidence(title);
    }
  }

  /** Learns from what is known. */
  void learn(KnownPages known, Instant now) {
    LearnedGains usual = LearnedGains.of(known, now);
    factor = new WordFactor();
    known.forEach(page -> learn(page, usual));
  }

  private void learn(KnownPage page, LearnedGains usual) {
    double words = evidence[corpus.number(page.page())];
    if (words >= 0 && !page.neverFetched() && page.usefulness() >= 0) {
      usual
          .usualUsefulnessWithout(page)
          .ifPresent(expected -> factor.add(words, page.usefulness(), expected));
    }
  }

  /** How many times as useful as is usual in its directory a page promises to be. */
  double factor(int page) {
    return evidence[page] < 0 ? 1 : factor.of(evidence[page]);
  }
}
