// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Topics as TREC hands them out, one a line: {@code id:query}, or the two between a tab or comma,
 * or {@code id:priority:query} as in the Million Query track of 2009, with priorities from 1 to 4.
 *
 * <p>Behind an id and a tab or comma stands the query alone: more columns are another table.
 *
 * <p>Ids are distinct: numbers that occur more than once may be counts, see {@link CountedQueries},
 * or, before a colon, the hours of a log's lines.
 *
 * <p>Used: the query. One query: a line. No clicks, no sessions.
 */
final class TrecTopics implements LogFormat {
  static final String NAME = "trec";
  private static final Pattern LINE =
      Pattern.compile("\\s*[A-Za-z]{0,8}[0-9]{1,9}(?:-[0-9]{1,9})?[:\\t,](.*)");

  private static final Pattern NUMBER = Pattern.compile("\\s*([0-9]{1,9}):.*");

  private static final Pattern PRIORITY = Pattern.compile("^[1-4]:(?=.*\\S)");

  private final boolean ranked;
  private final boolean doubtful;

  /**
   * @param ranked whether a priority stands before each query
   * @param doubtful whether what was taken for ids may be counts
   */
  TrecTopics(boolean ranked, boolean doubtful) {
    this.ranked = ranked;
    this.doubtful = doubtful;
  }

  /** With priorities where most of the first lines have one. */
  static TrecTopics of(FirstLines firstLines, boolean doubtful) {
    boolean ranked = FirstLines.mostly(firstLines.lines(), TrecTopics::isRanked);
    return new TrecTopics(ranked, doubtful);
  }

  /** Whether most of the first lines are an id and a query, and nothing else. */
  static boolean matches(FirstLines firstLines) {
    return FirstLines.mostly(firstLines.lines(), TrecTopics::isTopic) && !isRepeating(firstLines);
  }

  /** Whether numbers before colons occur more than once. */
  private static boolean isRepeating(FirstLines firstLines) {
    List<String> numbers =
        firstLines.lines().stream()
            .map(NUMBER::matcher)
            .filter(Matcher::matches)
            .map(line -> line.group(1))
            .toList();
    return numbers.stream().distinct().count() < numbers.size();
  }

  private static boolean isTopic(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return false;
    }
    char separator = line.charAt(matcher.start(1) - 1);
    return separator == ':'
        ? line.indexOf('\t', matcher.start(1)) < 0
        : Fields.of(line, separator).size() == 2;
  }

  private static boolean isRanked(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches() && PRIORITY.matcher(matcher.group(1)).lookingAt();
  }

  @Override
  public Optional<String> doubt() {
    return doubtful
        ? Optional.of(
            "the numbers before the queries were taken as ids, each query as asked once; use"
                + " --columns count,query, or in a program LogFormats.withColumns, if each is a number"
                + " of times")
        : Optional.empty();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return new LogRemark(Fate.OTHER_FORM);
    }
    String query = matcher.group(1);
    return LogEntry.of((ranked ? PRIORITY.matcher(query).replaceFirst("") : query).strip());
  }
}
