// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.ClickCounts;
import io.lucenedelta.workload.CountedWorkload;
import io.lucenedelta.workload.QueryCounts;
import io.lucenedelta.workload.QueryNormalizer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Query logs in, workload out. {@link #workload} holds all that was read before it was asked for.
 * It can be asked for again, by another normalizer or when more was read, until this is closed.
 *
 * <pre>{@code
 * try (WorkloadIngest ingest = new WorkloadIngest(IngestSettings.usual(temporary))) {
 *   ingest.read(Path.of("queries.log.gz"));
 *   Workload workload = ingest.workload(normalizer).workload();
 * }
 * }</pre>
 *
 * <p>A line that cannot be read is no exception: {@link #tally} counts it, by the reason. A program
 * that does not look at it may measure half of what users ask.
 *
 * <p>Nothing that identifies a person reaches the workload: sessions and times are used to tell
 * queries apart and are dropped. Memory grows neither with the length of the logs nor, beyond the
 * heap it is given, with their distinct queries. Not safe for use by several threads.
 *
 * <p>Where several {@linkplain IngestSettings#threads threads} parse, those beside the calling one
 * live from the first log on until this is closed. They are daemons: an ingest that is never closed
 * keeps no JVM from ending, but leaves its temporary files.
 */
public final class WorkloadIngest implements Closeable {
  private static final AtomicInteger NAMES = new AtomicInteger(); // of threads

  private static final String WITHHELD = "not shown, as queries that few sessions asked are not";

  private final LogFold fold;
  private final SessionRules rules;
  private final QueryCounts counts;
  private final ExecutorService parsers;
  private final QueryLogReader reader;
  private final Set<Object> files = new HashSet<>(); // identities of files that were read
  private final Set<Object> parts = new HashSet<>(); // of files of which a part was read
  private boolean closed;

  /**
   * A log that was read.
   *
   * @param log its name
   * @param format the name of its format, {@code empty} for a log without lines or with blank ones
   *     only
   */
  public record LogSource(String log, String format) {}

  /**
   * Begins with nothing read.
   *
   * @throws IllegalArgumentException if there is no format of the name that is set
   */
  public WorkloadIngest(IngestSettings settings) {
    Objects.requireNonNull(settings, "to read logs takes settings, was null");
    rules = new SessionRules(settings.window(), settings.queriesAnHour(), settings.dropRobots());
    counts = new QueryCounts(settings.directory(), settings.heapBytes(), settings.minSessions());
    fold = new LogFold(rules, counts, withholds(settings));
    parsers =
        settings.threads() > 1
            ? Executors.newFixedThreadPool(settings.threads() - 1, WorkloadIngest::daemon)
            : null;
    reader = new QueryLogReader(choice(settings), parsers, 2 * settings.threads());
  }

  /** One that keeps no JVM from ending: a program may forget to close this. */
  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "lucene-delta parsing " + NAMES.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  /** Where queries are left out that few sessions asked, no line is shown that may be of one. */
  private static boolean withholds(IngestSettings settings) {
    return settings.minSessions() > 1;
  }

  private static QueryLogReader.FormatChoice choice(IngestSettings settings) {
    LogFormats formats = settings.formats();
    boolean withholds = withholds(settings);
    if (!settings.formatName().isEmpty()) {
      String name = settings.formatName();
      formats.check(name);
      return (log, firstLines) ->
          formats
              .named(name, firstLines)
              .orElseThrow(
                  () ->
                      UnknownLogFormatException.withoutHeader(
                          log, name, excerpt(firstLines, withholds)));
    }
    return (log, firstLines) ->
        formats
            .recognise(firstLines)
            .orElseThrow(
                () -> unrecognised(log, formats, firstLines, excerpt(firstLines, withholds)));
  }

  private static UnknownLogFormatException unrecognised(
      String log, LogFormats formats, List<String> firstLines, String excerpt) {
    if (!firstLines.stream().limit(1).allMatch(WorkloadIngest::isText)) {
      return UnknownLogFormatException.noText(log, excerpt);
    }
    FirstLines lines = new FirstLines(firstLines);
    if (!formats.columns().isEmpty() && !lines.isEmpty()) {
      return UnknownLogFormatException.otherColumns(
          log, formats.columns(), TableLog.widths(lines), excerpt);
    }
    return CountedQueries.isRepeating(lines)
        ? UnknownLogFormatException.idsOrCounts(log, excerpt)
        : UnknownLogFormatException.unrecognised(log, excerpt);
  }

  /** Hardly a letter of a text is a control character. */
  private static boolean isText(String line) {
    long controls = line.chars().filter(c -> Character.isISOControl(c) && c != '\t').count();
    return controls * 20 <= line.length();
  }

  private static String excerpt(List<String> firstLines, boolean withheld) {
    return firstLines.stream()
        .findFirst()
        .map(line -> withheld ? WITHHELD : BlockLines.excerpt(line))
        .orElse("");
  }

  /**
   * Reads a log, or all logs of a directory and the directories below it in the order of their
   * paths; a file of a directory that is in no known format is reported and passed over, and so are
   * a file that was read before and a link to a directory.
   *
   * @throws IOException if it, or a file or directory below it, cannot be opened, or it is in no
   *     known format; what is wrong within it is counted instead. Or if it is packed by zstd and
   *     the library for that, which is machine code, cannot be loaded. Or if counts cannot be
   *     written or the thread is interrupted while it reads: what was read until then stays
   *     counted, and the log cannot be read again by this ingest
   * @throws IllegalStateException if this is closed, or a part of the file, or of one below it, was
   *     read before something failed
   */
  public void read(Path path) throws IOException {
    Objects.requireNonNull(path, "a log is read from a file or a directory, was null");
    requireOpen();
    if (Files.isDirectory(path)) {
      for (Path file : filesIn(path)) {
        readIfLog(file);
      }
      return;
    }
    try (InputStream in = Files.newInputStream(path)) {
      boolean regular = Files.isRegularFile(path); // others, such as pipes, have more every time
      if (regular && isAmong(files, path)) {
        fold.tally().passedOver(path + " was read before and is not counted again");
        return;
      }
      requireUnread(path, regular);
      int logs = fold.sources().size();
      boolean whole = false;
      try {
        read(path.toString(), in);
        whole = true;
      } finally {
        if (regular && (whole || fold.sources().size() > logs)) {
          (whole ? files : parts).addAll(identities(path));
        }
      }
    }
  }

  private static boolean isAmong(Set<Object> files, Path path) throws IOException {
    return !Collections.disjoint(files, identities(path));
  }

  /** What tells a file by whatever name: a link to it has its path, a hard link its key. */
  private static List<Object> identities(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? List.of(path.toRealPath()) : List.of(path.toRealPath(), key);
  }

  private void requireUnread(Path path, boolean regular) throws IOException {
    if (regular && isAmong(parts, path)) {
      throw new IllegalStateException(
          "a part of %s was read before a failure, and would count twice; read all logs by a new ingest"
              .formatted(path));
    }
  }

  private static List<Path> filesIn(Path directory) throws IOException {
    // a walk does not follow the link that it starts at
    Path root = Files.isSymbolicLink(directory) ? directory.toRealPath() : directory;
    try (Stream<Path> below = Files.walk(root)) {
      return below
          .filter(path -> Files.isRegularFile(path) || isLinkedDirectory(path))
          .sorted()
          .toList();
    } catch (UncheckedIOException unreadable) { // a directory further down
      throw unreadable.getCause();
    }
  }

  private static boolean isLinkedDirectory(Path path) {
    return Files.isSymbolicLink(path) && Files.isDirectory(path);
  }

  private void readIfLog(Path file) throws IOException {
    if (isLinkedDirectory(file)) { // which may lead back to where we are
      fold.tally().passedOver(file + " is a link to a directory; name that one to read it, too");
      return;
    }
    try {
      read(file);
    } catch (UnknownLogFormatException noLog) {
      fold.tally().passedOver(noLog.getMessage());
    }
  }

  /**
   * Reads a log from a stream, packed or not; the stream is not closed.
   *
   * @param log what to call it
   * @throws UnknownLogFormatException if it is in no known format; what is wrong within it is
   *     counted instead
   * @throws IOException if it is packed by zstd and the library for that cannot be loaded; if
   *     counts cannot be written, or the thread is interrupted while it reads: what was read until
   *     then stays counted, and would count twice if read again
   * @throws IllegalStateException if this is closed
   */
  public void read(String log, InputStream in) throws IOException {
    Objects.requireNonNull(in, () -> "log " + log + " has no stream, was null; is it there?");
    requireOpen();
    reader.read(log, in, fold);
  }

  /** What became of the lines so far; does not change when more is read. */
  public ParseTally tally() {
    return fold.tally().copy();
  }

  /** Clicks by rank so far, as far as the logs have them; a copy, to which others may be added. */
  public ClickCounts clicks() {
    ClickCounts counted = fold.clicks();
    ClickCounts copy = new ClickCounts();
    for (int rank = 1; rank <= counted.deepestRank(); rank++) {
      if (counted.at(rank) > 0) {
        copy.add(rank, counted.at(rank));
      }
    }
    return copy;
  }

  /**
   * Clicks so far of which the logs do not say the rank, or say 0; they are none of {@link
   * #clicks}. Only those that are lines of their own count here, as events of UBI are: a query
   * without a rank is one without a click.
   */
  public long clicksWithoutRank() {
    return fold.clicksWithoutRank();
  }

  /**
   * How often something was asked in the logs that have clicks, repetitions aside: what {@link
   * #clicks} are to be weighed against. Logs of one format count together, but for tables, of which
   * only some have a column of ranks; where one has a rank in each line, and times and sessions, it
   * counts together with all tables that have times and sessions.
   */
  public double askedWhereClicked() {
    return fold.askedWhereClicked();
  }

  /** The logs read so far. */
  public List<LogSource> sources() {
    return fold.sources();
  }

  /**
   * Whether a query read so far has both a session and a time. Without one no robot can be told
   * from a person: {@link #robotSessions} is 0 and {@link IngestSettings#dropRobots} has no effect.
   */
  public boolean knowsSessions() {
    return rules.knowsSessions();
  }

  /** Sessions that asked more in an hour than a person does. */
  public long robotSessions() {
    return rules.robotSessions();
  }

  /** Queries of such sessions beyond what a person asks. */
  public long robotQueries() {
    return rules.robotQueries();
  }

  /**
   * The workload of what was read so far, each distinct text normalised once.
   *
   * @param normalizer makes terms of a query whose operators were taken out, as by {@link
   *     TypedQueries}
   * @throws IOException if counts cannot be read or written
   * @throws IllegalStateException if this is closed
   */
  public CountedWorkload workload(QueryNormalizer normalizer) throws IOException {
    Objects.requireNonNull(normalizer, "a workload needs a normalizer of its queries, was null");
    requireOpen();
    return counts.workload(TypedQueries.of(normalizer));
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this ingest is closed; read the logs by a new one");
    }
  }

  /**
   * Ends the threads that parse and deletes the temporary files; {@link #tally} and what else was
   * counted can still be asked, and workloads that were made stay.
   */
  @Override
  public void close() throws IOException {
    closed = true;
    if (parsers != null) {
      parsers.shutdownNow();
    }
    counts.close();
  }
}
