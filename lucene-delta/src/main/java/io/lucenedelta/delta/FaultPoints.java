// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.delta;

/** Named places where a test may make measuring fail; does nothing otherwise. */
@FunctionalInterface
interface FaultPoints {
  String BEGIN_SEGMENT = "begin segment";
  String NOTE = "note postings";
  String END_SEGMENT = "end segment";
  String BEGIN = "begin batch";
  String SETUP = "check setup";
  String MEASURE = "measure batch";
  String AUDIT = "audit refresh";
  String RANKS = "build ranks";
  String BEFORE_RUN = "before writing refreshes";
  String AFTER_RUN = "after writing refreshes";
  String VISITS = "before writing visits";
  String SETTLE = "settle batch";
  String APPLY = "apply page";
  String STORE = "store page";
  String BEFORE_MANIFEST = "before writing manifest";
  String COLUMNS_SAVED = "after saving columns";
  String BEFORE_FORCING_PAGES = "before forcing pages";
  String LEASED = "before writing leases";
  String AFTER_MANIFEST = "after writing manifest";

  /** No faults. */
  FaultPoints NONE = point -> {};

  void at(String point);
}
