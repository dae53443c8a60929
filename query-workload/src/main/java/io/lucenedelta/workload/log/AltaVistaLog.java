// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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
   * Finds out what the columns are by what stands in them: the first one of times; of those of
   * small numbers the one with the most zeros is the offset, for sessions may be numbers too; and
   * of the others the one whose fields have more blanks is the query, of equals the last.
   */
  static Optional<LogFormat> recognise(Sample sample) {
    int width = sample.width('\t');
    if (width < 3 || width > 4) {
      return Optional.empty();
    }
    List<Column> columns = new ArrayList<>(Collections.nCopies(width, Column.SESSION));
    List<Integer> rest = new ArrayList<>(IntStream.range(0, width).boxed().toList());
    Optional<Integer> time =
        rest.stream()
            .filter(column -> Sample.mostly(sample.column('\t', column), Sample::isTime))
            .findFirst();
    time.ifPresent(column -> take(column, Column.TIMESTAMP, columns, rest));
    offset(sample, rest).ifPresent(column -> take(column, Column.OFFSET, columns, rest));
    if (time.isEmpty() || rest.size() > 2) {
      return Optional.empty();
    }
    int query =
        rest.stream()
            .max(
                Comparator.comparingLong((Integer column) -> sample.blanks('\t', column))
                    .thenComparing(Comparator.naturalOrder()))
            .orElseThrow();
    columns.set(query, Column.QUERY);
    return Optional.of(new DelimitedLog(NAME, '\t', columns, null));
  }

  private static void take(Integer column, Column as, List<Column> columns, List<Integer> rest) {
    columns.set(column, as);
    rest.remove(/* element */ column);
  }

  /** Of two columns none is the offset unless it holds little but zeros: a session comes first. */
  private static Optional<Integer> offset(Sample sample, List<Integer> rest) {
    return rest.stream()
        .filter(column -> Sample.mostly(sample.column('\t', column), Sample::isOffset))
        .filter(
            column ->
                rest.size() > 2
                    || Sample.mostly(sample.column('\t', column), AltaVistaLog::isFirstPage))
        .max(Comparator.comparingLong(column -> firstPages(sample, column)));
  }

  private static long firstPages(Sample sample, int column) {
    return sample.column('\t', column).stream().filter(AltaVistaLog::isFirstPage).count();
  }

  private static boolean isFirstPage(String field) {
    return Fields.number(field) == 0;
  }
}
