// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Topics as TREC hands them out, one a line: {@code id:query}, or the two between a tab or comma.
 *
 * <p>Ids are distinct: numbers that occur more than once may be counts, see {@link CountedQueries}.
 *
 * <p>Used: the query. One query: a line. No clicks, no sessions.
 */
final class TrecTopics implements LogFormat {
  static final String NAME = "trec";
  private static final Pattern LINE =
      Pattern.compile("\\s*[A-Za-z]{0,8}[0-9]{1,9}(?:-[0-9]{1,9})?[:\\t,](.*)");

  private final boolean doubtful;

  /**
   * @param doubtful whether what was taken for ids may be counts
   */
  TrecTopics(boolean doubtful) {
    this.doubtful = doubtful;
  }

  @Override
  public Optional<String> doubt() {
    return doubtful
        ? Optional.of(
            "the numbers before the queries were taken as ids, each query as asked once; use"
                + " --columns count,query if each is a number of times")
        : Optional.empty();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public LogRecord read(String line) {
    Matcher matcher = LINE.matcher(line);
    return matcher.matches()
        ? LogEntry.of(matcher.group(1).strip())
        : new LogRemark(Fate.OTHER_FORM);
  }
}
