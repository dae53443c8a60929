// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.replay;

import io.lucenedelta.scorer.divergence.Eagerness;
import io.lucenedelta.scorer.divergence.Fragments;
import io.lucenedelta.scorer.divergence.MinHashes;
import java.util.stream.IntStream;

/**
 * The fragment staleness between every two versions of every page, computed once. Immutable: 4
 * bytes a pair.
 */
final class Divergences {
  /** Stands for all fragments in place of a summary. */
  static final int EXACT = Integer.MAX_VALUE;

  private final ReplayCorpus corpus;
  private final float[] pairs;
  private final float[] eagerness; // by page

  private Divergences(ReplayCorpus corpus, float[] pairs) {
    this.corpus = corpus;
    this.pairs = pairs;
    this.eagerness = new float[corpus.pageCount()];
    for (int page = 0; page < eagerness.length; page++) {
      eagerness[page] = corpus.versionCount(page) == 1 ? 0.5f : (float) eagernessOf(page);
    }
  }

  /** Over the weeks in which the page was there. */
  private double eagernessOf(int page) {
    int first = corpus.since(page, 0);
    return Eagerness.of(
        corpus.weeks() - first,
        (a, b) ->
            between(
                page, corpus.liveVersion(page, first + a), corpus.liveVersion(page, first + b)));
  }

  /** E(P), in [0, 1] (2008, appendix B). */
  double eagerness(int page) {
    return eagerness[page];
  }

  /**
   * Divergences measured on summaries of the {@code m} smallest hashes, or on all fragments when m
   * is {@link #EXACT}; every page is a step.
   */
  static Divergences of(ReplayCorpus corpus, int m, ReplayProgress progress) {
    float[] pairs = new float[corpus.pairCount()];
    IntStream.range(0, corpus.pageCount())
        .parallel()
        .forEach(
            page -> {
              measure(corpus, page, m, pairs);
              progress.step();
            });
    return new Divergences(corpus, pairs);
  }

  private static void measure(ReplayCorpus corpus, int page, int m, float[] pairs) {
    int versions = corpus.versionCount(page);
    MinHashes[] summaries = new MinHashes[versions];
    Fragments[] fragments = corpus.fragments(page);
    for (int later = 0; later < versions && versions > 1; later++) {
      summaries[later] = m == EXACT ? null : fragments[later].smallest(m);
      for (int earlier = 0; earlier < later; earlier++) {
        pairs[corpus.pair(page, earlier, later)] =
            (float)
                (m == EXACT
                    ? fragments[later].divergence(fragments[earlier])
                    : summaries[later].divergence(summaries[earlier]));
      }
    }
  }

  int pageCount() {
    return corpus.pageCount();
  }

  /** D between two versions of a page; 1 when just one of them is absent. */
  double between(int page, int a, int b) {
    if (a == b) {
      return 0;
    }
    if (Math.min(a, b) == ReplayCorpus.ABSENT) {
      return 1;
    }
    return pairs[corpus.pair(page, Math.min(a, b), Math.max(a, b))];
  }
}
