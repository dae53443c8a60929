// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The AltaVista shape: {@code timestamp, session, query, result offset} between tabs, in this order
 * or another, the offset present or not.
 *
 * <p>Used: all four. One query: a line with offset 0 whose text the session did not ask within the
 * session window. No clicks.
 */
final class AltaVistaLog {
  static final String NAME = "altavista";
  static final List<Column> COLUMNS =
      List.of(Column.TIMESTAMP, Column.SESSION, Column.QUERY, Column.OFFSET);

  private AltaVistaLog() {}

  /**
   * Finds out what the columns are by what stands in them: one of times, possibly one of numbers,
   * and of the two others the one whose fields have more blanks is the query.
   */
  static Optional<LogFormat> recognise(Sample sample) {
    int width = sample.width('\t');
    if (width < 3 || width > 4) {
      return Optional.empty();
    }
    List<Column> columns = new ArrayList<>();
    List<Integer> texts = new ArrayList<>();
    for (int column = 0; column < width; column++) {
      List<String> fields = sample.column('\t', column);
      if (!columns.contains(Column.TIMESTAMP) && Sample.mostly(fields, Sample::isTime)) {
        columns.add(Column.TIMESTAMP);
      } else if (!columns.contains(Column.OFFSET) && Sample.mostly(fields, Sample::isOffset)) {
        columns.add(Column.OFFSET);
      } else {
        texts.add(column);
        columns.add(Column.SESSION);
      }
    }
    if (!columns.contains(Column.TIMESTAMP) || texts.size() != 2) {
      return Optional.empty();
    }
    int first = texts.get(0);
    int second = texts.get(1);
    boolean firstIsQuery = sample.blanks('\t', first) > sample.blanks('\t', second);
    columns.set(firstIsQuery ? first : second, Column.QUERY);
    return Optional.of(new DelimitedLog(NAME, '\t', columns, null));
  }
}
