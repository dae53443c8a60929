// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.ClickCounts;
import io.lucenedelta.workload.QueryCounts;
import io.lucenedelta.workload.log.WorkloadIngest.LogSource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines of logs → counts of texts, of clicks, and of what became of the lines. Not safe for use by
 * several threads.
 */
final class LogFold implements LogReceiver {
  /** Lines whose sessions are looked up together, so that the waits for memory overlap. */
  private static final int WINDOW = 64;

  private final SessionRules rules;
  private final QueryCounts counts;
  private final boolean withholds;
  private final ParseTally tally = new ParseTally();
  private final ClickCounts clicks = new ClickCounts();
  private final List<LogSource> sources = new ArrayList<>();
  private final ClickedLogs clicked = new ClickedLogs();
  private final ResultNumbering numbering = new ResultNumbering(); // of the current log
  private final JsonTexts jsonTexts = new JsonTexts(); // of the current log
  private long clicksWithoutRank;
  private String name;
  private String formatName;
  private long linesBefore;

  /** The sum of what was read early; kept so that the reads are not left out. */
  @SuppressWarnings("UnusedVariable")
  private long prefetched;

  /**
   * Begins with nothing.
   *
   * @param withholds whether nothing is shown of lines, which may be of one session alone
   */
  LogFold(SessionRules rules, QueryCounts counts, boolean withholds) {
    this.rules = rules;
    this.counts = counts;
    this.withholds = withholds;
  }

  ParseTally tally() {
    return tally;
  }

  ClickCounts clicks() {
    return clicks;
  }

  /** Clicks, lines of their own, that do not say at which rank, or say 0. */
  long clicksWithoutRank() {
    return clicksWithoutRank;
  }

  /** How often something was asked in logs that tell of clicks. */
  double askedWhereClicked() {
    return clicked.asked();
  }

  List<LogSource> sources() {
    return List.copyOf(sources);
  }

  @Override
  public void begin(String log, String format) {
    name = log;
    formatName = format;
    linesBefore = 0;
    clicked.begin(log, format);
    numbering.clear();
    jsonTexts.clear();
    sources.add(new LogSource(log, format));
  }

  @Override
  public void lines(ParsedLines lines) throws IOException {
    for (int from = 0; from < lines.count(); from += WINDOW) {
      decideFates(lines, from, Math.min(from + WINDOW, lines.count()));
    }
    for (ParsedLines.Excerpt excerpt : lines.excerpts()) {
      long number = linesBefore + excerpt.line() + 1;
      Fate fate = lines.fate(excerpt.line());
      if (withholds) {
        tally.withhold(fate, name, number);
      } else {
        tally.sample(fate, name, number, excerpt.text());
      }
    }
    tally.recoded(lines.recodedCount());
    numbering.add(lines.numbering());
    jsonTexts.add(lines.jsonTexts());
    clicksWithoutRank += lines.numbering().clicksWithoutRank();
    linesBefore += lines.count();
  }

  private void decideFates(ParsedLines lines, int from, int to) throws IOException {
    for (int line = from; line < to; line++) {
      prefetched += rules.prefetch(lines.session(line));
    }
    for (int line = from; line < to; line++) {
      Fate known = lines.fate(line);
      Fate fate = known != null ? known : rules.fate(lines, line);
      tally.add(fate);
      if (known == null || known == Fate.NEXT_PAGE) {
        clicked.asks(
            lines.epochSecond(line) != LogEntry.NO_TIME,
            lines.session(line) != 0,
            lines.rank(line) > 0);
      }
      if (lines.rank(line) > 0 && !leavesOutClick(known, lines, line)) {
        clicks.add(lines.rank(line), Math.max(1, Math.round(lines.times(line))));
        clicked.click();
      }
      if (fate == Fate.KEPT) {
        clicked.query(lines.times(line));
        int textFrom = lines.textFrom(line);
        int length = lines.textTo(line) - textFrom;
        counts.add(lines.texts(), textFrom, length, lines.session(line), lines.times(line));
      }
    }
  }

  /** Clicks are weighed against queries kept. */
  private boolean leavesOutClick(Fate known, ParsedLines lines, int line) {
    return known == null
        ? rules.leavesOutClick()
        : known == Fate.NEXT_PAGE && rules.leavesOutClickOfFurtherPage(lines, line);
  }

  @Override
  public void doubtful(String why) {
    tally.doubtful(name, why);
  }

  @Override
  public void damaged(String why) {
    tally.damaged(name, linesBefore, why);
  }

  @Override
  public void end() {
    numbering.doubts(formatName).forEach(this::doubtful);
    jsonTexts.doubt().ifPresent(this::doubtful);
    clicked.doubt().ifPresent(this::doubtful);
  }
}
