// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.examples.cli;

import io.lucenedelta.workload.Workload;
import java.io.PrintWriter;
import java.util.Locale;

/** Says of tables that will hold nothing why they do, to every verb that compares results. */
final class NothingToCompare {
  private NothingToCompare() {}

  /** No result changes, whether or not pages match the queries. */
  static void tell(int matchingQueries, Workload workload, PrintWriter err) {
    err.printf(
        Locale.ENGLISH,
        "no query of the log changes its result in this crawl (%,d of %,d queries match a page):"
            + " there is nothing to compare%n",
        matchingQueries,
        workload.queryCount());
    err.flush();
  }

  /** No page matches a query that is measured. */
  static void tellUnanswered(Workload measured, PrintWriter err) {
    err.printf(
        Locale.ENGLISH,
        "no page of the crawl matches any of the %,d queries measured: measuring has nothing to do,"
            + " and there is nothing to compare%n",
        measured.queryCount());
    err.flush();
  }
}
