// SPDX-License-Identifier: Apache-2.0
package io.lucenedelta.workload.log;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * Streams a log and keeps going past bad lines. Blocks of lines are parsed by the threads of an
 * executor, if there is one, and received in the order of the log by the calling thread: the result
 * does not depend on the number of threads.
 */
final class QueryLogReader {
  private final FormatChoice choice;
  private final ExecutorService parsers;
  private final int ahead;

  /** How the format of a log is found out. */
  @FunctionalInterface
  interface FormatChoice {
    /**
     * Chooses by the first lines, see {@link LogBeginning}.
     *
     * @throws UnknownLogFormatException if they are in no format
     */
    LogFormat choose(String log, List<String> firstLines) throws IOException;
  }

  /**
   * @param parsers null to parse in the calling thread
   * @param ahead how many blocks may be parsed at once
   */
  QueryLogReader(FormatChoice choice, ExecutorService parsers, int ahead) {
    this.choice = choice;
    this.parsers = parsers;
    this.ahead = ahead;
  }

  /** Reads one log; the stream may be packed and is not closed. */
  void read(String log, InputStream raw, LogReceiver receiver) throws IOException {
    try (LogBlocks blocks = LogBlocks.unpacked(log, raw)) {
      read(log, blocks, receiver);
    }
  }

  private void read(String log, LogBlocks blocks, LogReceiver receiver) throws IOException {
    LogBeginning beginning = LogBeginning.of(blocks);
    LogFormat format = beginning.blank() ? new EmptyLog() : choice.choose(log, beginning.lines());
    receiver.begin(log, format.name());
    format.doubt().ifPresent(receiver::doubtful);
    if (parsers == null) {
      ParsedLines lines = new ParsedLines();
      long before = 0;
      for (LogBlock block = blocks.next(); block != null; block = blocks.next()) {
        try {
          parse(format, block, lines);
        } catch (RuntimeException mistake) {
          throw failed(log, before + lines.count(), format, mistake);
        }
        before += lines.count();
        blocks.release(block);
        receiver.lines(lines);
      }
    } else {
      readAhead(log, blocks, format, receiver);
    }
    blocks.damage().ifPresent(receiver::damaged);
    receiver.end();
  }

  /** A block, its lines, and when all of them are parsed. */
  private record Parsing(LogBlock block, ParsedLines lines, Future<?> end) {}

  private void readAhead(String log, LogBlocks blocks, LogFormat format, LogReceiver receiver)
      throws IOException {
    Queue<Parsing> parsing = new ArrayDeque<>();
    Deque<ParsedLines> spare = new ArrayDeque<>();
    long before = 0;
    LogBlock block = blocks.next();
    while (block != null || !parsing.isEmpty()) {
      if (block == null || parsing.size() == ahead) {
        Parsing first = parsing.remove();
        ParsedLines lines = first.lines();
        try {
          await(first.end());
        } catch (RuntimeException mistake) {
          throw failed(log, before + lines.count(), format, mistake);
        }
        before += lines.count();
        blocks.release(first.block());
        receiver.lines(lines);
        spare.push(lines);
      }
      if (block != null) {
        LogBlock next = block;
        ParsedLines lines = spare.isEmpty() ? new ParsedLines() : spare.pop();
        parsing.add(new Parsing(next, lines, parsers.submit(() -> parse(format, next, lines))));
        block = blocks.next();
      }
    }
  }

  private static void parse(LogFormat format, LogBlock block, ParsedLines into) {
    into.clear();
    BlockLines.read(format, block, into);
  }

  private static IllegalStateException failed(
      String log, long linesBefore, LogFormat format, RuntimeException mistake) {
    return new IllegalStateException(
        "%s, line %d: format %s failed on a line that it should have rejected: %s; name another format"
            .formatted(log, linesBefore + 1, format.name(), mistake),
        mistake);
  }

  private static void await(Future<?> parsing) throws IOException {
    try {
      parsing.get();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading a query log", interrupted);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) { // memory that ran out, say
        throw error;
      }
      throw (RuntimeException) failed.getCause(); // nothing else is thrown there
    }
  }
}
