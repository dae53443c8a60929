// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

import io.lucenedelta.workload.QuerySelection;
import io.lucenedelta.workload.Workload;

/**
 * How often each measured query is asked as it stands. A single term is also measured for the
 * queries that are not measured whole, which may have no result where each of their terms has.
 */
final class WholeFrequencies {
  private WholeFrequencies() {}

  /**
   * By the number of a measured query; 0 for a term that only stands for other queries.
   *
   * @param all what {@code selection} was made from
   */
  static double[] of(Workload all, QuerySelection selection) {
    double[] ofTerms = new double[all.termCount()]; // the selection numbers terms as all does
    for (int query = 0; query < selection.taken(); query++) {
      if (all.queryLength(query) == 1) {
        ofTerms[all.queryTerm(query, 0)] = all.frequency(query);
      }
    }
    Workload measured = selection.measured();
    double[] frequencies = new double[measured.queryCount()];
    for (int query = 0; query < frequencies.length; query++) {
      frequencies[query] =
          measured.queryLength(query) == 1
              ? ofTerms[measured.queryTerm(query, 0)]
              : measured.frequency(query);
    }
    return frequencies;
  }
}
