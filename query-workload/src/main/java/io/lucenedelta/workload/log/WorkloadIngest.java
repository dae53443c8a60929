// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.ClickCounts;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.QueryCounts;
import io.lucenedelta.workload.QueryNormalizer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * Query logs in, workload out. First all {@code read}s, then {@link #workload}, then close.
 *
 * <pre>{@code
 * try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
 *   ingest.read(Path.of("queries.log.gz"));
 *   Workload workload = ingest.workload(normalizer).workload();
 * }
 * }</pre>
 *
 * <p>Nothing that identifies a person reaches the workload: sessions and times are used to tell
 * queries apart and are dropped. Memory grows neither with the length of the logs nor, beyond the
 * heap it is given, with their distinct queries. Not safe for use by several threads.
 */
public final class WorkloadIngest implements Closeable {
  private final ParseTally tally = new ParseTally();
  private final ClickCounts clicks = new ClickCounts();
  private final List<LogSource> sources = new ArrayList<>();
  private final SessionRules rules;
  private final QueryCounts counts;
  private final ExecutorService parsers;
  private final QueryLogReader reader;

  /**
   * A log that was read.
   *
   * @param log its name
   * @param format the name of its format, {@code empty} for a log without lines
   */
  public record LogSource(String log, String format) {}

  /** Begins with nothing read. */
  public WorkloadIngest(IngestSettings settings) {
    rules = new SessionRules(settings.window(), settings.queriesAnHour(), settings.dropRobots());
    counts = new QueryCounts(settings.directory(), settings.heapBytes(), settings.minSessions());
    parsers = settings.threads() > 1 ? Executors.newFixedThreadPool(settings.threads() - 1) : null;
    reader = new QueryLogReader(choice(settings), parsers, 2 * settings.threads());
  }

  private static QueryLogReader.FormatChoice choice(IngestSettings settings) {
    LogFormats formats = settings.formats();
    if (!settings.formatName().isEmpty()) {
      LogFormat named = formats.named(settings.formatName());
      return (log, firstLines) -> named;
    }
    return (log, firstLines) ->
        formats
            .recognise(firstLines)
            .orElseThrow(
                () ->
                    new UnknownLogFormatException(
                        log, firstLines.stream().findFirst().map(BlockLines::excerpt).orElse("")));
  }

  /**
   * Reads a log, or all logs of a directory and the directories below it in the order of their
   * paths; a file of a directory that is in no known format is reported and passed over.
   *
   * @throws IOException if it cannot be opened, or is in no known format; what is wrong within it
   *     is counted instead
   */
  public void read(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      try (Stream<Path> below = Files.walk(path)) {
        for (Path file : below.filter(Files::isRegularFile).sorted().toList()) {
          try {
            read(file);
          } catch (UnknownLogFormatException noLog) {
            tally.passedOver(noLog.getMessage());
          }
        }
      }
      return;
    }
    try (InputStream in = Files.newInputStream(path)) {
      read(path.toString(), in);
    }
  }

  /**
   * Reads a log from a stream, packed or not; the stream is not closed.
   *
   * @param log what to call it
   */
  public void read(String log, InputStream in) throws IOException {
    reader.read(log, in, new Fold());
  }

  /** What became of the lines so far. */
  public ParseTally tally() {
    return tally;
  }

  /** Clicks by rank so far, as far as the logs have them. */
  public ClickCounts clicks() {
    return clicks;
  }

  /** The logs read so far. */
  public List<LogSource> sources() {
    return List.copyOf(sources);
  }

  /** Sessions that asked more in an hour than a person does. */
  public long robotSessions() {
    return rules.robotSessions();
  }

  /** Queries of such sessions beyond what a person asks. */
  public long robotQueries() {
    return rules.robotQueries();
  }

  /** The workload of what was read, each distinct text normalised once. */
  public CountedWorkload workload(QueryNormalizer normalizer) throws IOException {
    return counts.workload(text -> normalizer.terms(QueryText.words(text)));
  }

  @Override
  public void close() throws IOException {
    if (parsers != null) {
      parsers.shutdownNow();
    }
    counts.close();
  }

  /**
   * Lines of a log → counts. Lines wait until there are some dozens, so that the look-ups of their
   * sessions overlap.
   */
  private final class Fold implements LogReceiver {
    private static final int WINDOW = 64;

    private final LogLine[] waiting = new LogLine[WINDOW];
    private final long[] sessions = new long[WINDOW];
    private String name;
    private long lineNumber;
    private int count;

    /** The sum of what was read early; kept so that the reads are not left out. */
    @SuppressWarnings("UnusedVariable")
    private long nearness;

    @Override
    public void begin(String log, String format) {
      name = log;
      sources.add(new LogSource(log, format));
    }

    @Override
    public void line(LogLine line) throws IOException {
      waiting[count] = line;
      sessions[count] =
          line.record() instanceof LogEntry entry ? SessionRules.number(entry.session()) : 0;
      count++;
      if (count == WINDOW) {
        end();
      }
    }

    @Override
    public void end() throws IOException {
      for (int i = 0; i < count; i++) {
        nearness += rules.comeNear(sessions[i]);
      }
      for (int i = 0; i < count; i++) {
        lineNumber++;
        settle(waiting[i], sessions[i]);
      }
      count = 0;
    }

    private void settle(LogLine line, long session) throws IOException {
      Fate fate = fate(line.record(), session);
      tally.add(fate);
      if (line.recoded()) {
        tally.recoded();
      }
      if (line.excerpt() != null) {
        tally.sample(fate, name, lineNumber, line.excerpt());
      } else if (fate.isRejection()) {
        String text = ((LogEntry) line.record()).text();
        tally.sample(fate, name, lineNumber, BlockLines.excerpt(text));
      }
    }

    private Fate fate(LogRecord record, long session) throws IOException {
      if (record instanceof LogRemark remark) {
        return remark.fate();
      }
      if (record instanceof LogClick click) {
        click(click.rank());
        return Fate.CLICK;
      }
      LogEntry entry = (LogEntry) record;
      click(entry.clickedRank());
      Fate fate = rules.fate(entry, session);
      if (fate == Fate.KEPT) {
        counts.add(entry.text().strip(), session, entry.count());
      }
      return fate;
    }

    private void click(int rank) {
      if (rank > 0) {
        clicks.add(rank);
      }
    }

    @Override
    public void damaged(String why) {
      tally.damaged(name, lineNumber, why);
    }
  }
}
