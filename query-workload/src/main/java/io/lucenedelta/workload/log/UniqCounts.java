// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.util.List;
import java.util.regex.Pattern;

/**
 * Queries as {@code uniq -c} counts them: blanks, the count, a blank, the query.
 *
 * <p>Used: both. One query: as many as the count says. No clicks, no sessions: every line is kept.
 */
final class UniqCounts implements ByteLogFormat {
  private static final Pattern LINE = Pattern.compile(" *[0-9]{1,9} +\\S.*");

  /** GNU pads counts to seven places, BSD to four. */
  private static final Pattern PADDED = Pattern.compile("(?: [ 0-9]{5}| [ 0-9]{2})[0-9] \\S.*");

  /** Whether most lines are a count, a blank and a query. */
  static boolean fits(FirstLines firstLines) {
    return FirstLines.mostly(firstLines.lines(), line -> LINE.matcher(line).matches());
  }

  /**
   * Whether most lines are so, with their counts padded and not numbered: prose has numbers at the
   * beginning of a line too, and lists are numbered.
   */
  static boolean matches(FirstLines firstLines) {
    return fits(firstLines)
        && FirstLines.mostly(firstLines.lines(), line -> PADDED.matcher(line).matches())
        && !isNumbered(firstLines.lines().stream().map(UniqCounts::count).toList());
  }

  private static int count(String line) {
    return Fields.number(line.strip().split(" ", 2)[0]);
  }

  private static boolean isNumbered(List<Integer> counts) {
    boolean numbered = counts.size() > 1;
    for (int i = 1; numbered && i < counts.size(); i++) {
      numbered = counts.get(i) == counts.get(i - 1) + 1;
    }
    return numbered;
  }

  @Override
  public String name() {
    return CountedQueries.NAME;
  }

  @Override
  public Fate read(byte[] line, int from, int to, EntryDraft entry) {
    int first = from;
    while (first < to && line[first] == ' ') {
      first++;
    }
    int end = first;
    while (end < to && line[end] != ' ') {
      end++;
    }
    int count = Fields.number(line, first, end);
    entry.clear();
    entry.count = count;
    entry.text(line, Math.min(end + 1, to), to);
    return end == to ? Fate.FIELD_MISSING : count <= 0 ? Fate.BAD_NUMBER : null;
  }
}
