// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * How often something was asked in logs that tell of clicks: what a click at a rank is weighed
 * against. Logs of a kind count together, however they were cut into files: an hour without a click
 * counts like the others, and clicks may stand apart from queries, as events of UBI do. A kind is a
 * format, but each table is one for itself, since only some have a column of ranks. Not safe for
 * use by several threads.
 */
final class ClickedLogs {
  private final Map<String, Double> asked = new HashMap<>(); // by kind
  private final Set<String> clicked = new HashSet<>(); // kinds
  private String kind; // of the current log

  /** A new log begins. */
  void begin(String log, String format) {
    kind = TableLog.NAMES.contains(format) ? format + " " + log : format;
  }

  /** A query that counts so often. */
  void query(double times) {
    asked.merge(kind, times, Double::sum);
  }

  void click() {
    clicked.add(kind);
  }

  double asked() {
    return clicked.stream().mapToDouble(told -> asked.getOrDefault(told, 0.0)).sum();
  }
}
