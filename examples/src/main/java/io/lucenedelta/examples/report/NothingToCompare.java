// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.report;

import io.lucenedelta.workload.Workload;
import java.util.Locale;

/** Says of tables that hold nothing why they do, to every verb that compares results. */
public final class NothingToCompare {
  private NothingToCompare() {}

  /**
   * No result changes, whether or not pages match the queries.
   *
   * @param matchingQueries how many of the queries match a page
   */
  public static String sentence(int matchingQueries, Workload workload) {
    return matchingQueries == 0
        ? unanswered("of the crawl", workload) + ": there is nothing to compare"
        : String.format(
            Locale.ENGLISH,
            "no query of the log changes its result in this crawl (%,d of %,d queries match a page):"
                + " there is nothing to compare",
            matchingQueries,
            workload.queryCount());
  }

  /**
   * Measuring finds no page that matches a query, among those that were indexed so far.
   *
   * @param whole whether these are all; if not, one that is still to come may match
   */
  public static String unmeasurable(boolean whole, Workload measured) {
    return whole
        ? unanswered("that was indexed", measured)
            + ": measuring has nothing to do, and there is nothing to compare"
        : unanswered("that was indexed so far", measured) + ": measuring has had nothing to do";
  }

  private static String unanswered(String which, Workload measured) {
    return String.format(
        Locale.ENGLISH,
        "no page %s matches any of the %,d queries measured",
        which,
        measured.queryCount());
  }
}
