// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples;

import io.lucenedelta.delta.MeasuredRefresh;
import io.lucenedelta.delta.QueryContribution;
import java.util.List;

/**
 * The queries of a refresh that people are shown: those that added something, or in whose result
 * the page has another rank. Some that were recorded only had the page's score move, and what is
 * left when all is added up may be no more than what single numbers are rounded by, which can be
 * below 0.
 *
 * @param listed the largest contribution first; empty where they were dropped, or none was kept
 * @param others number of further queries, of which some may have added nothing; 0 where nothing is
 *     left for them
 * @param othersChange what these added together; 0 where there are none
 */
public record MovedQueries(List<QueryContribution> listed, int others, double othersChange) {
  /** Those of a refresh. */
  public static MovedQueries of(MeasuredRefresh refresh) {
    List<QueryContribution> listed =
        refresh.contributions().stream().filter(MovedQueries::moved).toList();
    // the parts are in single precision, and so are those that were added up
    double rounding = 0;
    for (QueryContribution query : listed) {
      rounding += Math.ulp(1f) * (Math.abs(query.own()) + Math.abs(query.others()));
    }
    boolean left = Math.abs(refresh.otherQueriesChange()) > rounding;
    boolean others = !listed.isEmpty() && refresh.otherQueries() > 0 && left;
    return new MovedQueries(
        listed, others ? refresh.otherQueries() : 0, others ? refresh.otherQueriesChange() : 0);
  }

  private static boolean moved(QueryContribution query) {
    return query.total() != 0 || query.rankBefore() != query.rankAfter();
  }
}
