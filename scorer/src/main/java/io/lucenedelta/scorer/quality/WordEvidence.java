// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.scorer.quality;

import io.lucenedelta.scorer.rank.RankTable;
import io.lucenedelta.workload.QueriesByTerm;
import io.lucenedelta.workload.Workload;
import java.util.Arrays;

/**
 * What words about a page, of its title or of links to it, let expect that users get from it.
 *
 * <p>The sum over queries of f_q · (k/n)² · F_q⁻¹(1) / N: k of the query's n terms are among the
 * words, and what the result is worth, by its first score, is shared by the N pages in it. Only
 * queries whose rarest term is among the words count; the others of a query are likelier to be in a
 * page by chance. Ours, not from a paper; what it is worth in usefulness has to be learned. The
 * power of N and of k/n hardly matter (0 to 1 and 1 to 30 measured alike).
 *
 * <p>Cost: a step for each query kept under one of the words. Immutable, safe for several threads.
 */
public final class WordEvidence {
  private final Workload workload;
  private final QueriesByTerm queries;
  private final RankTable ranks;

  /**
   * Evidence by a workload.
   *
   * @param queries of the workload, by their rarest terms
   * @param ranks rank functions of the workload's queries
   */
  public WordEvidence(Workload workload, QueriesByTerm queries, RankTable ranks) {
    this.workload = workload;
    this.queries = queries;
    this.ranks = ranks;
  }

  /**
   * The evidence of some words.
   *
   * @param terms numbers of the workload's terms among them, ascending, each once
   * @return 0 or more, in units of query frequency × score
   */
  public double of(int[] terms) {
    double[] sum = new double[1];
    for (int term : terms) {
      queries.forEachUnder(term, query -> sum[0] += evidence(query, terms));
    }
    return sum[0];
  }

  private double evidence(int query, int[] terms) {
    int results = ranks.results(query);
    if (results == 0) {
      return 0;
    }
    int found = 0;
    for (int i = 0; i < workload.queryLength(query); i++) {
      found += Arrays.binarySearch(terms, workload.queryTerm(query, i)) >= 0 ? 1 : 0;
    }
    double share = (double) found / workload.queryLength(query);
    return workload.frequency(query) * share * share * ranks.knotScore(query, 0) / results;
  }
}
