// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload;

import java.util.List;

/**
 * The queries that are measured whole, chosen from a workload by frequency; the rest falls back to
 * its single terms.
 *
 * <p>Measuring a query takes memory for its rank function and its place in the index of queries.
 * Queries are taken in the order of their frequency until they make up the wanted share of the
 * volume or the limit is reached. Every term of a query that is not taken becomes a single-term
 * query with the query's frequency, as the 2005 paper does with all (section 5.1.1). The result is
 * a workload like any other, with the terms and term numbers of the original: a limit of 0 gives
 * Q′, a share of 1 without a limit gives the original.
 *
 * @param measured the workload to measure
 * @param taken number of queries measured whole
 * @param coverage the share of the volume that these make up, from 0 to 1
 */
public record QuerySelection(Workload measured, int taken, double coverage) {
  /**
   * Selects.
   *
   * @param all the whole workload
   * @param share the share of the volume to cover, from 0 to 1
   * @param limit the largest number of queries to take, 0 or more
   * @throws IllegalArgumentException if the share or the limit is out of range
   */
  public static QuerySelection of(Workload all, double share, int limit) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("the share must be between 0 and 1, was " + share);
    }
    if (limit < 0) {
      throw new IllegalArgumentException("the limit must not be negative, was " + limit);
    }
    int most = Math.min(limit, all.queryCount());
    double wanted = share * all.totalFrequency();
    int taken = 0;
    double volume = 0;
    while (taken < most && (volume < wanted || share == 1)) {
      volume += all.frequency(taken++);
    }
    double coverage = taken == all.queryCount() ? 1 : volume / all.totalFrequency();
    return new QuerySelection(measured(all, taken), taken, coverage);
  }

  private static Workload measured(Workload all, int taken) {
    WorkloadBuilder builder = Workload.builder();
    for (int query = 0; query < all.queryCount(); query++) {
      List<String> terms = all.askedTerms(query);
      if (query < taken) {
        builder.add(terms, all.frequency(query));
      } else {
        for (String term : terms) {
          builder.add(List.of(term), all.frequency(query));
        }
      }
    }
    return builder.build().madeOf(all);
  }
}
