// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Topics as TREC hands them out, one a line: {@code id:query}, or the two between a tab or comma.
 *
 * <p>Used: the query. One query: a line. No clicks, no sessions.
 */
final class TrecTopics implements LogFormat {
  static final String NAME = "trec";
  private static final Pattern LINE =
      Pattern.compile("\\s*[A-Za-z]{0,8}[0-9]{1,9}(?:-[0-9]{1,9})?[:\\t,](.*)");

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
