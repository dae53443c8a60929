// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Optional;

/**
 * Queries that someone counted already: {@code query, count} between tabs, commas, semicolons or
 * bars, {@code count, query} where the counts fall, or as {@link UniqCounts}.
 *
 * <p>Used: both. One query: as many as the count says. No clicks, no sessions: every line is kept.
 */
final class CountedQueries {
  static final String NAME = "counts";
  static final List<Column> COLUMNS = List.of(Column.QUERY, Column.COUNT);
  static final List<Column> COUNT_FIRST = List.of(Column.COUNT, Column.QUERY);

  private CountedQueries() {}

  /** The form of counts that most of the first lines are in. */
  static Optional<LogFormat> recognise(FirstLines firstLines) {
    return TableLog.separator(
            firstLines,
            separator ->
                firstLines.width(separator) == 2
                    && FirstLines.mostly(firstLines.column(separator, 1), FirstLines::isCount)
                    && !FirstLines.mostly(firstLines.column(separator, 0), FirstLines::isNumber))
        .<LogFormat>map(separator -> new DelimitedLog(NAME, separator, COLUMNS, null))
        .or(() -> UniqCounts.matches(firstLines) ? Optional.of(new UniqCounts()) : Optional.empty())
        .or(() -> falling(firstLines));
  }

  /** The form of counts that most of the first lines are in, when they are known to be counts. */
  static Optional<LogFormat> named(FirstLines firstLines) {
    return recognise(firstLines)
        .or(
            () ->
                numbersFirst(firstLines)
                    .map(separator -> new DelimitedLog(NAME, separator, COUNT_FIRST, null)))
        .or(() -> UniqCounts.fits(firstLines) ? Optional.of(new UniqCounts()) : Optional.empty());
  }

  /** Numbers before queries that fall from line to line: the most frequent first. */
  private static Optional<LogFormat> falling(FirstLines firstLines) {
    return numbersFirst(firstLines)
        .filter(separator -> isFalling(numbers(firstLines, separator)))
        .map(separator -> new DelimitedLog(NAME, separator, COUNT_FIRST, null));
  }

  private static boolean isFalling(List<Integer> numbers) {
    boolean falling = numbers.get(0) > numbers.get(numbers.size() - 1);
    for (int i = 1; falling && i < numbers.size(); i++) {
      falling = numbers.get(i) <= numbers.get(i - 1);
    }
    return falling;
  }

  /** The separator of two columns, of which the first, and not the second, holds numbers. */
  static Optional<Character> numbersFirst(FirstLines firstLines) {
    return TableLog.separator(
        firstLines,
        separator ->
            firstLines.width(separator) == 2
                && FirstLines.mostly(firstLines.column(separator, 0), FirstLines::isCount)
                && !FirstLines.mostly(firstLines.column(separator, 1), FirstLines::isCount));
  }

  /**
   * Whether numbers before queries occur more than once, as counts do and ids do not. They may be
   * ids all the same: of topics that were put in several ways.
   */
  static boolean isRepeating(FirstLines firstLines) {
    return numbersFirst(firstLines)
        .map(separator -> numbers(firstLines, separator))
        .filter(numbers -> numbers.stream().distinct().count() < numbers.size())
        .isPresent();
  }

  private static List<Integer> numbers(FirstLines firstLines, char separator) {
    return firstLines.column(separator, 0).stream()
        .filter(FirstLines::isCount)
        .map(Fields::count)
        .toList();
  }
}
