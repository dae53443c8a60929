// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Optional;

/**
 * Queries that someone counted already: {@code query, count} between tabs or commas.
 *
 * <p>Used: both. One query: as many as the count says. No clicks, no sessions: every line is kept.
 */
final class CountedQueries {
  static final String NAME = "counts";
  static final List<Column> COLUMNS = List.of(Column.QUERY, Column.COUNT);

  private CountedQueries() {}

  static Optional<LogFormat> recognise(Sample sample) {
    return TableLog.separator(
            sample,
            separator ->
                sample.width(separator) == 2
                    && Sample.mostly(sample.column(separator, 1), Sample::isNumber)
                    && !Sample.mostly(sample.column(separator, 0), Sample::isNumber))
        .map(separator -> new DelimitedLog(NAME, separator, COLUMNS, null));
  }
}
