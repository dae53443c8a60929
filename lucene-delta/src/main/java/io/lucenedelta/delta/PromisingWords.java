// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.scorer.quality.WordEvidence;
import io.lucenedelta.scorer.refresh.LearnedGains;
import io.lucenedelta.scorer.refresh.PageHistory;
import io.lucenedelta.scorer.refresh.WordFactor;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.util.function.Supplier;

/**
 * What words told of pages that were never fetched promise, learned from those that were fetched
 * afterwards. Knows nothing before there are rank functions. Not safe for use by several threads.
 */
final class PromisingWords {
  private final Workload workload;
  private final WordFactor learned;
  private Ranks ranks;
  private WordEvidence evidence; // made of the ranks; null if there are none
  private Object edition; // another for each
  private Supplier<LearnedGains> usual;

  PromisingWords(Workload workload, WordFactor learned) {
    this.workload = workload;
    this.learned = learned;
  }

  /**
   * What counts from now on.
   *
   * @param now rank functions, null when there are none
   * @param usefulness what is usual in which directory
   */
  void use(Ranks now, Supplier<LearnedGains> usefulness) {
    usual = usefulness;
    if (now == null) {
      evidence = null;
    } else if (ranks != now || evidence == null) {
      QueriesByTerm queries = QueriesByTerm.of(workload, now.documentFrequencies());
      use(new WordEvidence(workload, queries, now.table()));
    }
    ranks = now;
  }

  /** The same for a program that learns nothing. */
  void use(WordEvidence now) {
    evidence = now;
    edition = new Object();
  }

  /**
   * How many times as useful as is usual in its directory a page promises to be, by the evidence of
   * its words as it was when this was asked first since rank functions were built.
   */
  double factor(Discovery page) {
    return page.hasWords() && evidence != null ? learned.of(page.evidence(evidence, edition)) : 1;
  }

  /** Learns from a page that is in the index now, unless no other page is of any use. */
  void learn(Discovery told, PageHistory found) {
    if (told.hasWords() && evidence != null && found.usefulness() >= 0) {
      double words = evidence.of(told.terms());
      usual
          .get()
          .usualUsefulnessWithout(found)
          .ifPresent(expected -> learned.add(words, found.usefulness(), expected));
    }
  }
}
