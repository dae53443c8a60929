// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import io.lucenedelta.workload.QueryCounts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * How logs become a workload.
 *
 * @param formats the formats to choose from
 * @param formatName the name of the one to use, empty to recognise it log by log
 * @param window how long after a query the same text of the same session is a repetition, 0 or more
 * @param queriesAnHour what a person asks in an hour at most, at least 1
 * @param dropRobots whether to leave out what goes beyond that; otherwise it is reported only
 * @param minSessions leave out queries asked by fewer sessions; 1 keeps all
 * @param threads number of threads that parse, from 1 to {@value #MOST_THREADS}; more than there
 *     are processors gain nothing
 * @param heapBytes heap for counting, roughly, at least {@value QueryCounts#LEAST_HEAP_BYTES}; more
 *     goes to disk
 * @param directory for temporary files
 */
public record IngestSettings(
    LogFormats formats,
    String formatName,
    Duration window,
    int queriesAnHour,
    boolean dropRobots,
    int minSessions,
    int threads,
    long heapBytes,
    Path directory) {
  /** More threads parse no log. */
  public static final int MOST_THREADS = 10_000;

  /**
   * Checks the settings.
   *
   * @throws NullPointerException if one is null
   * @throws IllegalArgumentException if one is out of range
   */
  public IngestSettings {
    Objects.requireNonNull(formats, "formats to choose from are needed, were null");
    Objects.requireNonNull(formatName, "the name of a format is needed, was null; \"\" for none");
    Objects.requireNonNull(window, "a window for repetitions is needed, was null");
    Objects.requireNonNull(directory, "a directory for temporary files is needed, was null");
    if (window.isNegative()
        || queriesAnHour < 1
        || minSessions < 1
        || threads < 1
        || threads > MOST_THREADS
        || heapBytes < QueryCounts.LEAST_HEAP_BYTES) {
      throw new IllegalArgumentException(
          "window must not be negative, queriesAnHour and minSessions must be 1 or more, threads"
              + " 1 to %d, heapBytes %d or more; were %s, %d, %d, %d, %d"
                  .formatted(
                      MOST_THREADS,
                      QueryCounts.LEAST_HEAP_BYTES,
                      window,
                      queriesAnHour,
                      minSessions,
                      threads,
                      heapBytes));
    }
  }

  /** Half an hour without an action ends a session in most studies of query logs. */
  public static final Duration USUAL_WINDOW = Duration.ofMinutes(30);

  /** Sessions of more than a hundred queries are taken for robots in most studies of query logs. */
  public static final int USUAL_QUERIES_AN_HOUR = 100;

  private static final long MOST_HEAP_BYTES = 1L << 30;

  /**
   * What suits most logs, with temporary files in a directory: as many threads as processors, and
   * three eighths of the heap that the JVM may have, 1 GB at most.
   */
  public static IngestSettings usual(Path directory) {
    return new IngestSettings(
        LogFormats.usual(),
        "",
        USUAL_WINDOW,
        USUAL_QUERIES_AN_HOUR,
        false,
        1,
        Runtime.getRuntime().availableProcessors(),
        Math.min(Runtime.getRuntime().maxMemory() / 8 * 3, MOST_HEAP_BYTES),
        directory);
  }

  /**
   * The same with a format by name and what may be said about formats, such as which columns a
   * table without a header has:
   *
   * <pre>{@code
   * settings.withFormat(
   *     LogFormats.usual().withColumns(List.of(Column.COUNT, Column.QUERY)), "");
   * }</pre>
   *
   * @param name one of {@link LogFormats#names}, or empty to recognise the format log by log
   */
  public IngestSettings withFormat(LogFormats others, String name) {
    return with(
        draft -> {
          draft.formats = others;
          draft.formatName = name;
        });
  }

  /** The same with another idea of sessions. */
  public IngestSettings withSessions(Duration newWindow, int newQueriesAnHour, boolean drop) {
    return with(
        draft -> {
          draft.window = newWindow;
          draft.queriesAnHour = newQueriesAnHour;
          draft.dropRobots = drop;
        });
  }

  /**
   * The same, leaving out queries asked by fewer sessions. Above 1 no message shows a line of a log
   * either.
   */
  public IngestSettings withMinSessions(int sessions) {
    return with(draft -> draft.minSessions = sessions);
  }

  /** The same with other numbers of threads and bytes of heap. */
  public IngestSettings withResources(int newThreads, long newHeapBytes) {
    return with(
        draft -> {
          draft.threads = newThreads;
          draft.heapBytes = newHeapBytes;
        });
  }

  private IngestSettings with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** The same values, to be changed. */
  private static final class Draft {
    private final Path directory;
    private LogFormats formats;
    private String formatName;
    private Duration window;
    private int queriesAnHour;
    private boolean dropRobots;
    private int minSessions;
    private int threads;
    private long heapBytes;

    Draft(IngestSettings settings) {
      formats = settings.formats;
      formatName = settings.formatName;
      window = settings.window;
      queriesAnHour = settings.queriesAnHour;
      dropRobots = settings.dropRobots;
      minSessions = settings.minSessions;
      threads = settings.threads;
      heapBytes = settings.heapBytes;
      directory = settings.directory;
    }

    IngestSettings settings() {
      return new IngestSettings(
          formats,
          formatName,
          window,
          queriesAnHour,
          dropRobots,
          minSessions,
          threads,
          heapBytes,
          directory);
    }
  }
}
