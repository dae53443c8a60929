// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How often something was asked in logs that tell of clicks: what a click at a rank is weighed
 * against. Where a log holds clicks and no query, they belong to queries in other logs of its
 * format, as events of UBI do. Not safe for use by several threads.
 */
final class ClickedLogs {
  private final List<Log> logs = new ArrayList<>();
  private Log current;

  /** A log as far as it was read. */
  private static final class Log {
    private final String format;
    private double asked;
    private boolean clicked;

    Log(String format) {
      this.format = format;
    }
  }

  /** A new log begins. */
  void begin(String format) {
    current = new Log(format);
    logs.add(current);
  }

  /** A query that counts so often. */
  void query(double times) {
    current.asked += times;
  }

  void click() {
    current.clicked = true;
  }

  double asked() {
    Set<String> clickedElsewhere = new HashSet<>();
    for (Log log : logs) {
      if (log.clicked && log.asked == 0) {
        clickedElsewhere.add(log.format);
      }
    }
    return logs.stream()
        .filter(log -> log.clicked || clickedElsewhere.contains(log.format))
        .mapToDouble(log -> log.asked)
        .sum();
  }
}
